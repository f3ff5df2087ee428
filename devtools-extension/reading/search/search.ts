import * as is from '../../../core/sinks/spans/tree.ts';
import type { SpanTree } from '../../../core/sinks/spans/tree.ts';
import { meaningOf } from '../../describe/with-schema/protobuf.ts';
import { numberText } from '../../values/number-text.ts';
import { isMapKey } from '../../values/value-text.ts';
import { bytesOfHex, searchBytes } from './search-bytes.ts';

/** Scope of a search. */
export type SearchIn = 'all' | 'keys' | 'values' | 'hex' | 'types';

/** Search text and scope. */
export interface SearchQuery {
  text: string;
  where: SearchIn;
  /** True if the text is a regular expression. A hostile one may never end, so it must run where it can be stopped. */
  isPattern?: boolean;
}

/** Body to search. */
export interface SearchedBody {
  readonly tree: SpanTree | undefined;
  readonly bytes: Uint8Array;
  describe(node: number): { name: string };
}

const MAX = 10_000;

/** Case-insensitive regular expression. Throws a SyntaxError. */
export function patternOf(text: string): RegExp {
  try {
    return new RegExp(text, 'iu');
  } catch {
    // Unicode mode rejects needless escapes; retries without it.
    try {
      return new RegExp(text, 'i');
    } catch (error) {
      const { message } = error as Error;
      throw new SyntaxError(message.startsWith('Invalid') ? message : `Invalid regular expression: ${message}`, { cause: error });
    }
  }
}

/** Matches values against a search text. */
interface Matcher {
  fits(text: string): boolean;
  /** Matches a keyword such as `true`. */
  fitsWord(word: string): boolean;
  /** Matches a string in the body. */
  fitsString(tree: SpanTree, node: number): boolean;
}

function patternMatcher(text: string): Matcher {
  const pattern = patternOf(text);
  const fits = (value: string): boolean => pattern.test(value);
  return { fits, fitsWord: fits, fitsString: (tree, node) => fits(tree.text(node)) };
}

/** Matcher for lower-case text. */
function textMatcher(needle: string): Matcher {
  const bytes = new TextEncoder().encode(needle);
  const isWide = bytes.some((byte) => byte >= 0x80);
  const fits = (value: string): boolean => value.toLowerCase().includes(needle);
  return {
    fits,
    fitsWord: (word) => word === needle,
    fitsString: (tree, node) =>
      includesText(tree.bytes, tree.payload(node), tree.data.ends[node]! - tree.data.tail, bytes) || (isWide && fits(tree.text(node))),
  };
}

/** Matching entries, in ascending order. A byte match belongs to the entry in which it begins. */
export function* search(body: SearchedBody, { text, where, isPattern = false }: SearchQuery): Generator<undefined, number[]> {
  const { tree } = body;
  const needle = text.trim().toLowerCase();
  if (!tree || needle === '') return [];
  if (where === 'hex') {
    const bytes = bytesOfHex(needle);
    return bytes ? yield* searchBytes(body.bytes, tree, bytes) : [];
  }
  const matcher = isPattern ? patternMatcher(text) : textMatcher(needle);
  const { kinds, keys, names, numbers, parents, count, storedValues } = tree.data;
  const fits = names.map((name) => matcher.fits(name));
  const inKeys = where === 'all' || where === 'keys';
  const inValues = where === 'all' || where === 'values';
  const found: number[] = [];
  for (let node = 1; node < count && found.length < MAX; node += 1) {
    if ((node & 0x3ff) === 0) yield;
    const parent = kinds[parents[node]!]!;
    const isNamed = parent === is.OBJECT || parent === is.RECORD;
    if (inKeys && isNamed && keys[node] !== is.NONE && fits[keys[node]!]) {
      found.push(node);
    } else if (where === 'types') {
      if (matcher.fits(body.describe(node).name) || matcher.fits(is.KIND_NAMES[kinds[node]!]!)) found.push(node);
    } else if (isMapKey(tree, node) ? inKeys : inValues) {
      let isFound = false;
      switch (kinds[node]) {
        case is.STRING:
          isFound = matcher.fitsString(tree, node);
          break;
        case is.TEXT:
          isFound = matcher.fits(tree.text(node));
          break;
        case is.INTEGER:
        case is.FLOAT:
          isFound = matcher.fits(numberText(tree, node)) || matcher.fits(meaningOf(tree, node));
          break;
        case is.BIGINT:
        case is.TAGGED:
          isFound = matcher.fits(String(storedValues.get(node)));
          break;
        case is.NULL:
        case is.TRUE:
        case is.FALSE:
        case is.UNDEFINED:
          isFound = matcher.fitsWord(wordOf(kinds[node]!));
          break;
        case is.DATE:
          isFound = Math.abs(numbers[node]!) <= 8.64e15 && matcher.fits(new Date(numbers[node]!).toISOString());
          break;
        default:
      }
      if (isFound) found.push(node);
    }
  }
  return found;
}

/** True if a range of bytes contains a lower-case text. ASCII letters match in either case. */
function includesText(bytes: Uint8Array, from: number, end: number, needle: Uint8Array): boolean {
  const last = end - needle.length;
  const first = needle[0]!;
  for (let at = from; at <= last; at += 1) {
    if (lower(bytes[at]!) !== first) continue;
    let i = 1;
    while (i < needle.length && lower(bytes[at + i]!) === needle[i]) i += 1;
    if (i === needle.length) return true;
  }
  return false;
}

function lower(byte: number): number {
  return byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte;
}

function wordOf(kind: number): string {
  return kind === is.TRUE ? 'true' : kind === is.FALSE ? 'false' : kind === is.NULL ? 'null' : 'undefined';
}
