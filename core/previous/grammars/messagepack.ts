import { counted, type ReadToken, type Token, unsigned } from './counted.ts';
import { type Grammar, UNKNOWN } from './grammar.ts';

/** Bytes after the token of a number, nil or a boolean, by token from 0xc0 on; 255 for other tokens. */
const SIZES = [0, 255, 0, 0, 255, 255, 255, 255, 255, 255, 4, 8, 1, 2, 4, 8, 1, 2, 4, 8];

/** Extension types that msgpackr gives a meaning beyond their bytes, or may. */
const MSGPACKR = [0, 66, 98, 101, 105, 112, 114, 115, 116, 120];

/** Reads a token: its length, and the number of values that it contains. */
const token: ReadToken = (bytes, at, result) => {
  const first = bytes[at]!;
  result.values = 0;
  result.kind = 'scalar';
  if (first < 0x80 || first >= 0xe0) result.end = at + 1;
  else if (first < 0x90) container(result, 'object', first & 15, at + 1);
  else if (first < 0xa0) container(result, 'list', first & 15, at + 1);
  else if (first < 0xc0) text(result, at + 1, first & 31);
  else if (first >= 0xd9 && first <= 0xdb) text(result, at + 1 + (1 << (first - 0xd9)), unsigned(bytes, at + 1, 1 << (first - 0xd9)));
  else if (first >= 0xc4 && first <= 0xc6) result.end = at + 1 + (1 << (first - 0xc4)) + unsigned(bytes, at + 1, 1 << (first - 0xc4));
  else if (first >= 0xdc) {
    const size = first & 1 ? 4 : 2;
    container(result, first < 0xde ? 'list' : 'object', unsigned(bytes, at + 1, size), at + 1 + size);
  } else if (first >= 0xc7 && first <= 0xc9) {
    const from = at + 2 + (1 << (first - 0xc7));
    extension(bytes[from - 1]);
    result.end = from + unsigned(bytes, at + 1, 1 << (first - 0xc7));
  } else if (first >= 0xd4 && first <= 0xd8) {
    extension(bytes[at + 1]);
    result.end = at + 2 + (1 << (first - 0xd4));
  } else {
    const size = SIZES[first - 0xc0]!;
    if (size === 255) throw UNKNOWN;
    result.end = at + 1 + size;
  }
};

function container(result: Token, kind: 'list' | 'object', values: number, end: number): void {
  result.kind = kind;
  result.values = values;
  result.end = end;
}

function text(result: Token, from: number, length: number): void {
  result.kind = 'text';
  result.from = from;
  result.end = from + length;
}

function extension(type: number | undefined): void {
  if (type === undefined || MSGPACKR.includes(type)) throw UNKNOWN;
}

/**
 * Lists and maps of MessagePack. Records, references and bundled strings of msgpackr refer to other bytes, so that equal bytes may
 * be other values: payloads with them are decoded as usual.
 */
export const messagepackGrammar: Grammar = counted(token);
