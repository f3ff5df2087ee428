import { stringEnd } from '../../bytes/text/json-string.ts';
import { CLOSE_BRACE, CLOSE_BRACKET, COLON, COMMA, isWhite, OPEN_BRACE, OPEN_BRACKET, QUOTE } from '../../bytes/text/json-bytes.ts';
import { type Grammar, rangesLength, type Skip, textOf, UNCOUNTED, UNKNOWN } from './grammar.ts';

/** Bit that turns a bracket into the brace of the same side. */
const BRACE_BIT = 0x20;

/** Lists and objects of JSON (RFC 8259). */
export const jsonGrammar: Grammar = {
  hasHeads: false,
  start: (bytes) => skipWhite(bytes, bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0),
  endsAt: (bytes, at) => skipWhite(bytes, at) === bytes.length,
  open(bytes, at) {
    if (!this.opens(bytes, at)) return undefined;
    const first = skipWhite(bytes, at + 1);
    const isEmpty = bytes[first] === (bytes[at] === OPEN_BRACKET ? CLOSE_BRACKET : CLOSE_BRACE);
    return { isList: bytes[at] === OPEN_BRACKET, at: isEmpty ? -1 : first, end: isEmpty ? first + 1 : -1, left: UNCOUNTED, last: bytes.length };
  },
  opens: (bytes, at) => (bytes[at]! | BRACE_BIT) === OPEN_BRACE,
  skip(bytes, skip, to) {
    const { at } = skip;
    if (skip.open === 0 && (bytes[at]! | BRACE_BIT) !== OPEN_BRACE) return skipScalar(bytes, skip, to);
    return skipContainer(bytes, skip, to);
  },
  next(bytes, open, at) {
    const after = skipWhite(bytes, at);
    if (bytes[after] === COMMA) {
      open.at = skipWhite(bytes, after + 1);
    } else {
      if (bytes[after] !== (open.isList ? CLOSE_BRACKET : CLOSE_BRACE)) throw UNKNOWN;
      open.at = -1;
      open.end = after + 1;
    }
  },
  pass(bytes, open, count, at) {
    // The earlier payload may have had less white space here.
    if (count > 0) open.at = skipWhite(bytes, at);
  },
  key(bytes, at) {
    if (bytes[at] !== QUOTE) throw UNKNOWN;
    const end = stringEnd(bytes, at + 1);
    if (end < 0) throw UNKNOWN;
    const colon = skipWhite(bytes, end);
    if (bytes[colon] !== COLON) throw UNKNOWN;
    return { text: keyText(bytes, at, end), value: skipWhite(bytes, colon + 1) };
  },
  content: (_bytes, start) => start,
  endOf(bytes, start, next) {
    let at = next;
    while (at > start && isWhite(bytes[at - 1])) at -= 1;
    if (bytes[at - 1] !== COMMA) return at;
    at -= 1;
    while (at > start && isWhite(bytes[at - 1])) at -= 1;
    return at;
  },
  mayEnd: (bytes, at) => at >= bytes.length || bytes[at] === COMMA || (bytes[at]! | BRACE_BIT) === CLOSE_BRACE || isWhite(bytes[at]),
  frame: {
    levels: 1,
    isSequence: false,
    write(bytes, ranges) {
      // A separator after each item, of which the last one becomes the end of the list.
      const framed = new Uint8Array(1 + rangesLength(ranges) + ranges.length);
      framed[0] = OPEN_BRACKET;
      let at = 1;
      for (const { from, to } of ranges) {
        framed.set(bytes.subarray(from, to), at);
        at += to - from + 1;
        framed[at - 1] = COMMA;
      }
      framed[at - 1] = CLOSE_BRACKET;
      return framed;
    },
    read: (value) => value as unknown[],
  },
};

function skipWhite(bytes: Uint8Array, at: number): number {
  let next = at;
  while (next < bytes.length && isWhite(bytes[next])) next += 1;
  return next;
}

/** Skips a container: brackets are counted, their kinds are not checked. */
function skipContainer(bytes: Uint8Array, skip: Skip, to: number): boolean {
  let { at, open } = skip;
  while (at < to) {
    const byte = bytes[at]!;
    if (byte === QUOTE) {
      const end = stringEnd(bytes, at + 1);
      if (end < 0) throw UNKNOWN;
      at = end;
      continue;
    }
    at += 1;
    if ((byte | BRACE_BIT) === OPEN_BRACE) open += 1;
    else if ((byte | BRACE_BIT) === CLOSE_BRACE) {
      open -= 1;
      if (open === 0) {
        skip.at = at;
        return true;
      }
    }
  }
  skip.at = at;
  skip.open = open;
  return false;
}

function skipScalar(bytes: Uint8Array, skip: Skip, to: number): boolean {
  const { at } = skip;
  if (bytes[at] === QUOTE) {
    const end = stringEnd(bytes, at + 1);
    if (end < 0) throw UNKNOWN;
    skip.at = end;
    return end <= to;
  }
  let end = at;
  while (end < to && !jsonGrammar.mayEnd(bytes, end)) end += 1;
  if (end === at) throw UNKNOWN;
  skip.at = end;
  return true;
}

/** Text of the key in `from..to`, with its quotation marks. */
function keyText(bytes: Uint8Array, from: number, to: number): string {
  const text = textOf(bytes, from, to);
  try {
    return JSON.parse(text) as string;
  } catch {
    throw UNKNOWN;
  }
}
