import type { Limits } from '../../worker/limits.ts';

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
export function parseJson(bytes: Uint8Array, { depth, values, stringLength }: Limits): unknown {
  const { length } = bytes;
  if (mayHoldMore(length, values) || stringLength < length) return NOT_PLAIN;
  try {
    const text = utf8.decode(bytes);
    const value: unknown = JSON.parse(text);
    return isDeep(text, value, depth) ? NOT_PLAIN : value;
  } catch {
    return NOT_PLAIN;
  }
}

/** Whether so many bytes may be more values: each but the first has a comma, a colon or a bracket before it, or a space. */
export function mayHoldMore(bytes: number, values: number): boolean {
  return values < (bytes + 1) / 2;
}

/** The text of some bytes of a payload. Throws where they are not UTF-8. */
export function textOf(bytes: Uint8Array, from: number, to: number): string {
  return pieceUtf8.decode(bytes.subarray(from, to));
}

/** Whether the value of a text has more than so many levels. What is deep has as many brackets, open and closed. */
export function isDeep(text: string, value: unknown, levels: number): boolean {
  return text.length >= levels * 2 && brackets(text, levels) > levels && deeper(value, levels);
}

/** Whether arrays and objects nest more than so many levels deep. */
function deeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels <= 0) return true;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at += 1) {
      const item: unknown = value[at];
      if (typeof item === 'object' && item !== null && deeper(item, levels - 1)) return true;
    }
    return false;
  }
  // No key is inherited that could be counted: a prototype's objects are not deep.
  for (const key in value) {
    const inner = (value as JsonObject)[key];
    if (typeof inner === 'object' && inner !== null && deeper(inner, levels - 1)) return true;
  }
  return false;
}

/** How many brackets open in a text, those in strings included; no more are counted than `most` + 1 of each kind. */
function brackets(text: string, most: number): number {
  let count = 0;
  for (const bracket of '[{') {
    for (let at = text.indexOf(bracket); at >= 0 && count <= most; at = text.indexOf(bracket, at + 1)) count += 1;
  }
  return count;
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

/** Adds items to the end of a list. One by one: the list grows by a part of itself now and then, and nothing else is copied. */
export function addItems(list: unknown[], more: readonly unknown[]): void {
  for (let at = 0; at < more.length; at += 1) list.push(more[at]);
}
