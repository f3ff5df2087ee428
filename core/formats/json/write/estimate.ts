import { CLOSE_BRACE } from '../../../bytes/text/json-bytes.ts';
import { isSource } from '../../../values/sources.ts';
import { classOf } from '../../../values/class-of.ts';
import { hasToJson, isOpaque } from '../../../writing/written-classes.ts';

/** Nodes of a value that the engine stringifies in one call: some hundred kilobytes of text, a millisecond or two. */
export const MAX_NODES = 4_096;
/** A `toJSON` was found, whose result is not part of the estimate. */
let foundToJson = false;
/** The engine has failed because of a `toJSON`, so values with other `toJSON` methods are walked. */
let isWalking = false;

// oxlint-disable-next-line typescript/unbound-method -- Only compared.
const DATE_TO_JSON: unknown = Date.prototype.toJSON;
/** Nesting depth up to which a value is left to the engine. */
export const MAX_DEPTH = 64;
/** A string counts as one node per 2 ** UNIT_BITS of its UTF-16 units. */
const UNIT_BITS = 6;

/**
 * Estimates how many nodes a value has. Exceeds `MAX_NODES` if it has more, is deeper than `levels`, or has a `toJSON`
 * that may ask for its key: such a value is walked.
 */
export function estimateSize(value: unknown, levels: number): number {
  try {
    return nodesOf(value, Math.min(levels, MAX_DEPTH));
  } catch {
    // A getter has thrown. Walking the value finds where.
    return Infinity;
  }
}

function nodesOf(value: unknown, levels: number): number {
  if (typeof value === 'string') return 1 + (value.length >> UNIT_BITS);
  if (typeof value === 'object' && value !== null) return nodesIn(value, levels);
  return typeof value === 'bigint' || (typeof value === 'function' && hasToJson(value)) ? Infinity : 1;
}

function nodesIn(container: object, levels: number): number {
  if (levels === 0) return Infinity;
  let sum = 1;
  if (Array.isArray(container)) {
    if (container.length > MAX_NODES || hasToJson(container)) return Infinity;
    for (let index = 0; index < container.length && sum <= MAX_NODES; index += 1) sum += nodesOf(container[index], levels - 1);
    return sum;
  }
  const { toJSON } = container as { toJSON?: unknown };
  if (typeof toJSON === 'function' && toJSON !== DATE_TO_JSON) {
    if (toJSON.length > 0 || isWalking) return Infinity;
    foundToJson = true;
  }
  for (const key in container) {
    const value = (container as Record<string, unknown>)[key];
    // This loop runs for every value of every record, and most values need no call.
    if (typeof value === 'string') sum += 1 + (value.length >> UNIT_BITS);
    else if (typeof value === 'number') sum += 1;
    else if (typeof value === 'function' && isRefused(container)) return Infinity;
    else sum += nodesOf(value, levels - 1);
    if (sum > MAX_NODES) break;
  }
  return sum === 1 && isRefused(container) ? Infinity : sum;
}

/** True for an iterator or an object of the platform, which the walk reports with its path. */
function isRefused(container: object): boolean {
  return isSource(container) || isOpaque(classOf(container));
}

/** Resets the state for a new value, whose `toJSON` methods are left to the engine. */
export function beginValue(): void {
  isWalking = false;
}

/**
 * Stringifies a value of estimated size with the engine. Undefined if that throws, or if a `toJSON` returns containers
 * nested deeper than `levels`, or an object without keys, which may be an iterator or a Promise.
 */
export function stringify(value: unknown, levels: number): string | undefined {
  const hadToJson = foundToJson;
  foundToJson = false;
  try {
    const text = JSON.stringify(value) as string | undefined;
    if (!hadToJson || text === undefined || !mustBeWalked(text, levels)) return text;
  } catch {
    // The walk finds where the error is.
  }
  isWalking = hadToJson;
  return undefined;
}

/** True if a JSON text nests containers deeper than `levels`, or has an object without keys. */
function mustBeWalked(text: string, levels: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === 0x22) at = endOfString(text, at + 1);
    else if ((unit | 0x20) === 0x7b && (++depth > levels || text.charCodeAt(at + 1) === CLOSE_BRACE)) return true;
    else if ((unit | 0x20) === 0x7d) depth -= 1;
  }
  return false;
}

/** The position of the closing quotation mark. */
function endOfString(text: string, from: number): number {
  let at = from;
  for (; text.charCodeAt(at) !== 0x22; at += 1) if (text.charCodeAt(at) === 0x5c) at += 1;
  return at;
}
