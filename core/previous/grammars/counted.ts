import { type Grammar, textOf, UNKNOWN, writeRanges } from './grammar.ts';

/** A token of a format whose containers declare how many values they have. */
export interface Token {
  /** Anything but lists, objects and text is a `scalar`, also a tag, whose value follows. */
  kind: 'scalar' | 'text' | 'list' | 'object';
  /** Position after the token: of a container, that of its first value. */
  end: number;
  /** Position of the UTF-8 of a text. */
  from: number;
  /** Number of values or, of an object, entries that follow in the token's value. */
  values: number;
}

/** Reads the token at `at`, whose end may be past that of the bytes. Throws `UNKNOWN`. */
export type ReadToken = (bytes: Uint8Array, at: number, result: Token) => void;

/** An unsigned big-endian integer of `size` bytes; those past the end of the bytes count as 0. */
export function unsigned(bytes: Uint8Array, at: number, size: number): number {
  let value = 0;
  for (let index = at; index < at + size; index += 1) value = value * 256 + (bytes[index] ?? 0);
  return value;
}

/** Makes the grammar of a format from its tokens. */
export function counted(readToken: ReadToken): Grammar {
  const token: Token = { kind: 'scalar', end: 0, from: 0, values: 0 };

  const read = (bytes: Uint8Array, at: number): Token => {
    if (at >= bytes.length) throw UNKNOWN;
    readToken(bytes, at, token);
    if (token.end > bytes.length) throw UNKNOWN;
    return token;
  };

  return {
    hasHeads: false,
    start: () => 0,
    endsAt: (bytes, at) => at === bytes.length,
    opens(bytes, at) {
      const { kind } = read(bytes, at);
      return kind === 'list' || kind === 'object';
    },
    open(bytes, at) {
      const { kind, end, values } = read(bytes, at);
      if (kind !== 'list' && kind !== 'object') return undefined;
      return { isList: kind === 'list', at: values > 0 ? end : -1, end: values > 0 ? -1 : end, left: values, last: bytes.length };
    },
    skip(bytes, skip, to) {
      let { at } = skip;
      // Values that remain; 0 before the first.
      let left = skip.open === 0 ? 1 : skip.open;
      while (left > 0 && at < to) {
        const { kind, end, values } = read(bytes, at);
        at = end;
        left += (kind === 'object' ? values * 2 : values) - 1;
      }
      skip.at = at;
      skip.open = left;
      return left === 0;
    },
    next(_bytes, open, at) {
      open.left -= 1;
      open.at = open.left > 0 ? at : -1;
      open.end = open.left > 0 ? -1 : at;
    },
    pass(_bytes, open, count, at) {
      open.left -= count;
      open.at = at;
    },
    key(bytes, at) {
      const { kind, from, end } = read(bytes, at);
      if (kind !== 'text') throw UNKNOWN;
      return { text: textOf(bytes, from, end), value: end };
    },
    content: (_bytes, start) => start,
    endOf: (_bytes, _start, next) => next,
    mayEnd: () => true,
    frame: {
      levels: 0,
      isSequence: true,
      write: writeRanges,
      read: (value) => value as unknown[],
    },
  };
}
