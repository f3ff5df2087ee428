import { type Framing, type Piece, type ShellPart, textOf } from './framing.ts';

const COLON = 0x3a;
const COMMA = 0x2c;
const LINE_FEED = 0x0a;

/** Rows whose content has a length, and no line end after it. */
const SIZED: Readonly<Record<string, string>> = {
  T: 'text',
  A: 'ArrayBuffer',
  O: 'Int8Array',
  o: 'Uint8Array',
  b: 'bytes',
  U: 'Uint8ClampedArray',
  S: 'Int16Array',
  s: 'Uint16Array',
  L: 'Int32Array',
  l: 'Uint32Array',
  G: 'Float32Array',
  g: 'Float64Array',
  M: 'BigInt64Array',
  m: 'BigUint64Array',
  V: 'DataView',
};

/** Rows that end with a line end. */
const LINES: Readonly<Record<string, string>> = {
  I: 'client module',
  H: 'hint',
  E: 'error',
  D: 'debug info',
  J: 'I/O info',
  N: 'time origin',
  W: 'console',
  P: 'postponed',
  R: 'stream',
  r: 'byte stream',
  X: 'async iterable',
  x: 'async iterator',
  C: 'end of stream',
};

/** Hints to load a resource, by the letter after the tag. */
const HINTS: Readonly<Record<string, string>> = {
  D: 'prefetchDNS',
  C: 'preconnect',
  L: 'preload',
  m: 'preloadModule',
  S: 'preinit style',
  X: 'preinit script',
  M: 'preinit module script',
};

/**
 * Rows of a payload of React Server Components, which is what Next answers a navigation with.
 *
 *     hexadecimal id (none in a hint), ":", JSON of a model, line feed
 *     hexadecimal id, ":", tag, content, line feed
 *     hexadecimal id, ":", tag, hexadecimal length, ",", content
 *
 * https://github.com/facebook/react/blob/main/packages/react-client/src/ReactFlightClient.js, `processBinaryChunk`
 */
export function findServerComponents(bytes: Uint8Array, contentType: string, url: string): Framing | undefined {
  const isDeclared = /^text\/x-component\b/i.test(contentType);
  if (!isDeclared && !(/^text\/plain\b/i.test(contentType) && /[?&]_rsc(?:[=&#]|$)|\.rsc(?:[?#]|$)/.test(url))) return undefined;
  const pieces: Piece[] = [];
  for (let at = 0; at < bytes.length;) {
    const row = rowAt(bytes, at);
    if (!row) return undefined;
    pieces.push(row);
    at = row.end;
  }
  return pieces.length === 0 ? undefined : { wrapping: 'React Server Components', isList: true, pieces, format: 'json' };
}

/** The row at an offset; undefined for other bytes. The last row may be cut. */
function rowAt(bytes: Uint8Array, from: number): Piece | undefined {
  const colon = bytes.indexOf(COLON, from);
  const id = colon < 0 || colon - from > 8 ? '-' : textOf(bytes, from, colon);
  if (!/^[\da-f]*$/.test(id)) return undefined;
  const tag = String.fromCharCode(bytes[colon + 1] ?? 0);
  const head: ShellPart[] = id === '' ? [] : [{ name: 'id', type: 'row id', from, end: colon + 1, value: id }];
  return tag in SIZED ? sizedRow(bytes, from, colon + 1, tag, head) : lineRow(bytes, from, colon + 1, tag, head);
}

function sizedRow(bytes: Uint8Array, from: number, at: number, tag: string, head: ShellPart[]): Piece | undefined {
  const comma = bytes.indexOf(COMMA, at);
  const digits = comma < 0 ? '' : textOf(bytes, at + 1, comma);
  if (!/^[\da-f]{1,8}$/.test(digits)) return undefined;
  const start = comma + 1;
  const end = Math.min(bytes.length, start + Number.parseInt(digits, 16));
  const type = SIZED[tag]!;
  const parts: Piece['parts'] = [
    ...head,
    { name: 'tag', type: 'row tag', from: at, end: at + 1, value: tag },
    { name: 'size', type: 'hexadecimal', from: at + 1, end: start, value: end - start },
    tag === 'T'
      ? { name: 'value', type, from: start, end, value: textOf(bytes, start, end) }
      : { name: 'value', from: start, end, isCompressed: true },
  ];
  return { type, from, end, parts };
}

function lineRow(bytes: Uint8Array, from: number, at: number, tag: string, head: ShellPart[]): Piece {
  const feed = bytes.indexOf(LINE_FEED, at);
  const end = feed < 0 ? bytes.length : feed;
  const parts: Piece['parts'] = [...head];
  let type = LINES[tag];
  let start = at;
  if (type !== undefined) {
    const letter = tag === 'H' ? HINTS[String.fromCharCode(bytes[at + 1] ?? 0)] : undefined;
    start += letter === undefined ? 1 : 2;
    parts.push({ name: 'tag', type: 'row tag', from: at, end: start, value: textOf(bytes, at, start) });
    if (letter !== undefined) type = `hint ${letter}`;
  }
  if (end > start) parts.push({ name: 'value', from: start, end, format: 'json' });
  return { type: type ?? 'model', from, end: feed < 0 ? end : end + 1, parts };
}
