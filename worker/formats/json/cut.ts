import type { JsonOptions } from './options.ts';
import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COMMA,
  isWhite,
  LINE_FEED,
  MINUS,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  SPACE,
  ZERO,
} from './characters.ts';

/** How far to look for the outermost list around a place. */
const WINDOW = 128 * 1024;
/** How many beginnings that turn out to lie in a string are given another try. */
const TRIES = 16;

/**
 * Where an item of a long list may begin, at `near` or behind it: see `Cutting`. In newline-delimited JSON, behind a line
 * break. In a document, where `},{` or `],[` stands: of the lists around that place, in the outermost whose items begin
 * within the window. All of it may lie in a string, and then the place is wrong.
 */
export function find(bytes: Uint8Array, near: number, { sequence }: JsonOptions): number {
  const to = Math.min(bytes.length, near + WINDOW);
  if (sequence) {
    const line = bytes.subarray(near, to).indexOf(LINE_FEED);
    return line < 0 ? -1 : near + line + 1;
  }
  let from = near;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const start = nextItem(bytes, from, to);
    if (start < 0) break;
    const item = outermost(bytes, start, to);
    if (item >= 0) return item;
    from = start + 1;
  }
  return nextNumber(bytes, near, to);
}

/** The position of an object or array behind the comma behind another; −1 where there is none. */
function nextItem(bytes: Uint8Array, from: number, to: number): number {
  for (let at = from; at < to; at += 1) {
    const byte = bytes[at]!;
    if (byte !== CLOSE_BRACE && byte !== CLOSE_BRACKET) continue;
    const comma = afterWhite(bytes, at + 1, to);
    if (bytes[comma] !== COMMA) continue;
    const next = afterWhite(bytes, comma + 1, to);
    if (next < to && (bytes[next] === OPEN_BRACE || bytes[next] === OPEN_BRACKET)) return next;
  }
  return -1;
}

/**
 * Of the lists that end behind an item at `start`, the outermost that has another item before `to`: where that begins, or
 * `start`. −1 where this is no JSON, since `start` lies in a string.
 */
function outermost(bytes: Uint8Array, start: number, to: number): number {
  let item = start;
  /** How deep, from the list that `start` is in, and how deep the list that `item` is in. */
  let depth = 0;
  let level = 0;
  for (let at = start; at < to; at += 1) {
    const byte = bytes[at]!;
    if (byte === QUOTE) {
      at = stringEnd(bytes, at + 1, to);
      if (at < 0) return -1;
    } else if (byte === OPEN_BRACE) {
      depth += 1;
      const next = afterWhite(bytes, at + 1, to);
      if (next < to && bytes[next] !== QUOTE && bytes[next] !== CLOSE_BRACE) return -1;
    } else if (byte === OPEN_BRACKET) {
      depth += 1;
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      depth -= 1;
    } else if (byte === COMMA && depth < level) {
      const next = afterWhite(bytes, at + 1, to);
      if (next < to && (bytes[next] === OPEN_BRACE || bytes[next] === OPEN_BRACKET)) {
        item = next;
        level = depth;
      }
    }
  }
  return item;
}

/** The position of a string's closing quotation mark, or the last before `to`; −1 where it has a bare control character. */
function stringEnd(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  for (; at < to && bytes[at] !== QUOTE; at += 1) {
    if (bytes[at]! < SPACE) return -1;
    if (bytes[at] === BACKSLASH) at += 1;
  }
  return at;
}

/** The position of a number behind the comma behind another; −1 where there is none. */
function nextNumber(bytes: Uint8Array, near: number, to: number): number {
  for (let at = Math.max(near, 1); at < to; at += 1) {
    if (bytes[at] !== COMMA || (bytes[at - 1]! ^ ZERO) > 9) continue;
    const next = afterWhite(bytes, at + 1, to);
    if (next < to && (bytes[next] === MINUS || (bytes[next]! ^ ZERO) <= 9)) return next;
  }
  return -1;
}

function afterWhite(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  while (at < to && isWhite(bytes[at]!)) at += 1;
  return at;
}
