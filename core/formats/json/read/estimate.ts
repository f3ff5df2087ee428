import { isSource } from '../../../reading/sources.ts';
import { hasToJson } from '../../../writing/class-of.ts';

/** Nodes of a value that the engine writes in one go: some hundred kilobytes of text, a millisecond or two. */
export const MOST_NODES = 4_096;
/** A `toJSON` was met: what it gives is not weighed. */
let isAsked = false;
/** The engine has failed with a `toJSON`: the others are walked. */
let isWalking = false;

// oxlint-disable-next-line typescript/unbound-method -- It is compared.
const DATE_TO_JSON: unknown = Date.prototype.toJSON;
/** Containers inside one another that the engine is given. */
const DEEPEST = 64;
/** By so many bits the length of a string is shifted for the nodes that it counts as. */
const UNIT_BITS = 6;

/**
 * About how many nodes a value has, more than `MOST_NODES` where it has more, is deep, or has a `toJSON` that may ask for
 * its key: such a value is walked. `levels` is how many containers inside one another there may be.
 */
export function estimateSize(value: unknown, levels: number): number {
  try {
    return nodesOf(value, Math.min(levels, DEEPEST));
  } catch {
    // A getter has thrown: where that is, is found when the value is walked.
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
    if (container.length > MOST_NODES || hasToJson(container)) return Infinity;
    for (let index = 0; index < container.length && sum <= MOST_NODES; index += 1) sum += nodesOf(container[index], levels - 1);
    return sum;
  }
  const { toJSON } = container as { toJSON?: unknown };
  if (typeof toJSON === 'function' && toJSON !== DATE_TO_JSON) {
    if (toJSON.length > 0 || isWalking) return Infinity;
    isAsked = true;
  }
  for (const key in container) {
    const value = (container as Record<string, unknown>)[key];
    // Every value of every record comes here, and most need no call.
    if (typeof value === 'string') sum += 1 + (value.length >> UNIT_BITS);
    else if (typeof value === 'number') sum += 1;
    else if (typeof value === 'function' && isSource(container)) return Infinity;
    else sum += nodesOf(value, levels - 1);
    if (sum > MOST_NODES) break;
  }
  // An iterator is refused where that is found.
  return sum === 1 && isSource(container) ? Infinity : sum;
}

/** A value begins, whose `toJSON` methods are left to the engine. */
export function beginValue(): void {
  isWalking = false;
}

/**
 * The engine's text of a value that was weighed; undefined where it throws, or where a `toJSON` gives more than `levels`
 * containers inside one another.
 */
export function stringify(value: unknown, levels: number): string | undefined {
  const wasAsked = isAsked;
  isAsked = false;
  try {
    const text = JSON.stringify(value) as string | undefined;
    if (!wasAsked || text === undefined || !isDeeper(text, levels)) return text;
  } catch {
    // The walk finds the place of the error.
  }
  isWalking = wasAsked;
  return undefined;
}

/** Whether a text of JSON has more than `levels` containers inside one another. */
function isDeeper(text: string, levels: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === 0x22) at = endOfString(text, at + 1);
    else if ((unit | 0x20) === 0x7b && ++depth > levels) return true;
    else if ((unit | 0x20) === 0x7d) depth -= 1;
  }
  return false;
}

/** The position of the quote that ends a string. */
function endOfString(text: string, from: number): number {
  let at = from;
  for (; text.charCodeAt(at) !== 0x22; at += 1) if (text.charCodeAt(at) === 0x5c) at += 1;
  return at;
}
