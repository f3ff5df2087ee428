import type { Limits } from '../../limits.ts';

/** Result for texts that need the library's JSON reader, since they are invalid or may exceed a limit. */
export const NOT_PLAIN: unique symbol = Symbol('not plain JSON');

/** An object as created by `JSON.parse`. */
export type JsonObject = Record<string, unknown>;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Decodes pieces from the middle of a text, where a byte order mark is invalid. */
const pieceUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Parses the bytes in one go. Returns `NOT_PLAIN` if the text is invalid, so that the JSON reader locates the error, or
 * may exceed a limit.
 */
export function parseJson(bytes: Uint8Array, limits: Limits): unknown {
  const { length } = bytes;
  if (mayExceed(length, limits) || limits.stringLength < length) return NOT_PLAIN;
  try {
    const text = utf8.decode(bytes);
    const value: unknown = JSON.parse(text);
    return isDeep(text, value, limits.depth) ? NOT_PLAIN : value;
  } catch {
    return NOT_PLAIN;
  }
}

/**
 * True if the bytes exceed the input limit, or may hold too many values: every value but the first follows a comma, a
 * colon, a bracket or a space.
 */
export function mayExceed(length: number, { bytes, values }: Limits): boolean {
  return length > bytes || values < (length + 1) / 2;
}

/** Text of some bytes of a payload. Throws if they are not UTF-8. */
export function textOf(bytes: Uint8Array, from: number, to: number): string {
  return pieceUtf8.decode(bytes.subarray(from, to));
}

/**
 * True if a value nests deeper than `levels`. A deep value has at least that many brackets, plus those of
 * neighbouring items.
 */
export function isDeep(text: string, value: unknown, levels: number): boolean {
  return mayBeDeep(text, value, levels) && nestsDeeper(value, levels);
}

/** True if a text's brackets allow for a value deeper than `levels`. */
export function mayBeDeep(text: string, value: unknown, levels: number): boolean {
  if (text.length < levels * 2 || !isObject(value) || !mayNest(text, levels)) return false;
  return mayNest(text, levels + countSiblings(value) - 1);
}

/** True if arrays and objects nest deeper than `levels`. */
export function nestsDeeper(value: unknown, levels: number): boolean {
  if (!isObject(value)) return false;
  return Array.isArray(value) ? listNestsDeeper(value, levels) : objectNestsDeeper(value as JsonObject, levels);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Number of lists and objects among the items of a list, or of an object's longest list; at least 1. */
function countSiblings(value: object): number {
  let longest: readonly unknown[] = [];
  if (Array.isArray(value)) longest = value;
  else for (const child of Object.values(value)) if (Array.isArray(child) && child.length > longest.length) longest = child;
  if (areNumbers(longest)) return 1;
  let count = 0;
  // Reads by `at` for the reason given at `listNestsDeeper`.
  for (let at = 0; at < longest.length; at += 1) {
    const item = longest.at(at);
    if (typeof item === 'object' && item !== null) count += 1;
  }
  return Math.max(count, 1);
}

/** True if a list holds only numbers. Uses functions of the engine, since a loop is slow until it is optimised. */
function areNumbers(list: readonly unknown[]): boolean {
  return typeof list.at(0) === 'number' && list.every(Number.isFinite);
}

/** Brackets to find before their total is estimated. */
const FEW_BRACKETS = 32;

/**
 * Times by which an estimate must exceed the limit to make counting useless. The first records of a list are often shorter than
 * the others, since their ids are; and to count the brackets of flat records takes a tenth of the time of walking them.
 */
const CLEARLY = 2;

/**
 * True if a text may contain more than `levels` opening brackets, including those in strings. Stops counting where they are
 * so dense that there are clearly more.
 */
function mayNest(text: string, levels: number): boolean {
  let count = 0;
  for (const bracket of '[{') {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
      count += 1;
      if (count > levels || (count === FEW_BRACKETS && (text.length / (at + 1)) * FEW_BRACKETS > levels * CLEARLY)) return true;
    }
  }
  return false;
}

/**
 * Reads by `at`, not by index: once V8 has seen `list[at]` read numbers from one list and objects from another, it
 * boxes every number of later lists, permanently.
 */
function listNestsDeeper(list: readonly unknown[], levels: number): boolean {
  if (levels <= 0) return true;
  if (areNumbers(list)) return false;
  for (let at = 0; at < list.length; at += 1) {
    const item = list.at(at);
    if (typeof item !== 'object' || item === null) continue;
    if (Array.isArray(item) ? listNestsDeeper(item, levels - 1) : objectNestsDeeper(item as JsonObject, levels - 1)) return true;
  }
  return false;
}

function objectNestsDeeper(object: JsonObject, levels: number): boolean {
  if (levels <= 0) return true;
  // Inherited keys do no harm: objects on the prototype are not deep.
  for (const key in object) {
    const child: unknown = object[key];
    if (typeof child !== 'object' || child === null) continue;
    if (Array.isArray(child) ? listNestsDeeper(child, levels - 1) : objectNestsDeeper(child as JsonObject, levels - 1)) return true;
  }
  return false;
}
