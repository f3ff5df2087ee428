import type { Limits } from '../../core/limits.ts';

/** What a decode gives for a text that the library's JSON reader has to look at: it is invalid, or may pass a limit. */
export const NOT_PLAIN: unique symbol = Symbol('not plain JSON');

/** An object as `JSON.parse` makes it. */
export type JsonObject = Record<string, unknown>;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Bytes in the middle of a text: what begins with a byte order mark there is invalid. */
const pieceUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * `JSON.parse` of the bytes at once, where it gives what the JSON reader would; `NOT_PLAIN` where the text is invalid, so
 * that the reader says where, or might pass a limit.
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

/** Whether bytes are too many, or may be too many values: each but the first has a comma, a colon, a bracket or a space before it. */
export function mayExceed(bytes: number, { inputLength, values }: Limits): boolean {
  return bytes > inputLength || values < (bytes + 1) / 2;
}

/** The text of some bytes of a payload. Throws where they are not UTF-8. */
export function textOf(bytes: Uint8Array, from: number, to: number): string {
  return pieceUtf8.decode(bytes.subarray(from, to));
}

/**
 * Whether the value of a text has more than so many levels. What is deep has as many brackets, open and closed, besides
 * those of items and members beside it.
 */
export function isDeep(text: string, value: unknown, levels: number): boolean {
  return mayBeDeep(text, value, levels) && nestsDeeper(value, levels);
}

/** Whether a text may have a value of more than so many levels, by its brackets. */
export function mayBeDeep(text: string, value: unknown, levels: number): boolean {
  if (text.length < levels * 2 || !isObject(value) || !mayNest(text, levels)) return false;
  return mayNest(text, levels + countBeside(value) - 1);
}

/** Whether arrays and objects nest more than so many levels deep. */
export function nestsDeeper(value: unknown, levels: number): boolean {
  if (!isObject(value)) return false;
  return Array.isArray(value) ? listNestsDeeper(value, levels) : objectNestsDeeper(value as JsonObject, levels);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** How many of the items of a list are lists or objects, or of those of the longest list in an object; at least 1. */
function countBeside(value: object): number {
  let most: readonly unknown[] = [];
  if (Array.isArray(value)) most = value;
  else for (const inner of Object.values(value)) if (Array.isArray(inner) && inner.length > most.length) most = inner;
  if (areNumbers(most)) return 1;
  let count = 0;
  // By `at`, for the reason below.
  for (let at = 0; at < most.length; at += 1) {
    const item = most.at(at);
    if (typeof item === 'object' && item !== null) count += 1;
  }
  return Math.max(count, 1);
}

/** Whether a list has but numbers, by functions of the engine: a loop takes ten times as long in a page's first decodes. */
function areNumbers(list: readonly unknown[]): boolean {
  return typeof list.at(0) === 'number' && list.every(Number.isFinite);
}

/** So many brackets are looked for before it is said how many there may be. */
const FEW_BRACKETS = 32;

/** Whether so many brackets may open in a text, those in strings included. Where they are close together, they are not counted. */
function mayNest(text: string, levels: number): boolean {
  let count = 0;
  for (const bracket of '[{') {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
      count += 1;
      if (count > levels || (count === FEW_BRACKETS && (text.length / (at + 1)) * FEW_BRACKETS > levels)) return true;
    }
  }
  return false;
}

/**
 * By `at`, not by index: where V8 has seen `list[at]` read numbers in one list and objects in another, it makes an object
 * of each number in the lists that come, for good. That took ten times as long.
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
  // No key is inherited that could be counted: a prototype's objects are not deep.
  for (const key in object) {
    const inner: unknown = object[key];
    if (typeof inner !== 'object' || inner === null) continue;
    if (Array.isArray(inner) ? listNestsDeeper(inner, levels - 1) : objectNestsDeeper(inner as JsonObject, levels - 1)) return true;
  }
  return false;
}

/** Adds a member as `JSON.parse` does: never to a prototype, nor by a setter. */
export function setMember(object: JsonObject, key: string, value: unknown): void {
  if (key in object) Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  else object[key] = value;
}

/** Adds the members of another object. */
export function addMembers(object: JsonObject, more: JsonObject): void {
  for (const key of Object.keys(more)) setMember(object, key, more[key]);
}

/**
 * Adds the items from `from` on to the end of a list. One by one: the list grows by a part of itself now and then, and
 * nothing else is copied. By `at`, for the reason above.
 */
export function addItems(list: unknown[], more: readonly unknown[], from = 0): void {
  for (let at = from; at < more.length; at += 1) list.push(more.at(at));
}
