import * as is from '../../../core/sinks/spans/tree.ts';
import type { SpanTree } from '../../../core/sinks/spans/tree.ts';
import { numberKey } from '../../values/number-text.ts';

/** Corresponding items of two lists, by index; −1 if the other list has none. */
export interface Pair {
  before: number;
  after: number;
  /** True if the item changed its position relative to the others. */
  isMoved: boolean;
}

/** Names of keys that identify records. */
const IDENTITY = /^(?:_?id|key|uuid|guid|uid|slug|code|name|.*(?:_id|Id|ID|_key|Key))$/;
/** Maximum number of pairs of equal items; beyond it, items are compared by index. */
const MAX_MATCHES = 1_000_000;

/** Pairs the items of two lists: by an identifying key, otherwise with the fewest edits. */
export function* pairItems(a: SpanTree, before: readonly number[], b: SpanTree, after: readonly number[]): Generator<undefined, Pair[]> {
  const left = yield* identities(a, before);
  const right = left && (yield* identities(b, after));
  // A key with few values in common identifies nothing.
  const shared = left && right?.key === left.key ? left.values.filter((value) => right.index.has(value)).length : 0;
  if (left && right && shared * 2 >= Math.min(before.length, after.length)) return pairByIdentity(left, right);
  return pairByEdits(yield* fingerprints(a, before), yield* fingerprints(b, after));
}

function* fingerprints(tree: SpanTree, items: readonly number[]): Generator<undefined, string[]> {
  const found: string[] = [];
  for (const item of items) {
    if ((found.push(fingerprint(tree, item)) & 0x3f) === 0) yield;
  }
  return found;
}

interface Identities {
  key: string;
  values: string[];
  index: Map<string, number>;
}

/** Values of the key that identifies the records of a list; undefined without such a key. */
function* identities(tree: SpanTree, items: readonly number[]): Generator<undefined, Identities | undefined> {
  const first = items[0];
  if (first === undefined || !isRecord(tree, first)) return undefined;
  const keys = tree.children(first).map((field) => String(tree.key(field)));
  const candidates = keys.filter((key) => IDENTITY.test(key)).toSorted((x, y) => rank(x) - rank(y));
  for (const key of candidates) {
    const index = new Map<string, number>();
    const values: string[] = [];
    for (const item of items) {
      if ((values.length & 0xff) === 0xff) yield;
      const field = isRecord(tree, item) ? tree.children(item).find((child) => tree.key(child) === key) : undefined;
      if (field === undefined || tree.isContainer(field)) break;
      const value = fingerprint(tree, field);
      if (index.has(value)) break;
      index.set(value, values.push(value) - 1);
    }
    if (values.length === items.length) return { key, values, index };
  }
  return undefined;
}

function rank(key: string): number {
  return /^_?id$/.test(key) ? 0 : /^(?:key|u?u?id|guid)$/.test(key) ? 1 : /id$/i.test(key) ? 2 : 3;
}

function isRecord(tree: SpanTree, node: number): boolean {
  const kind = tree.data.kinds[node];
  return kind === is.OBJECT || kind === is.RECORD;
}

function pairByIdentity(left: Identities, right: Identities): Pair[] {
  const kept = left.values.flatMap((value, before) => {
    const after = right.index.get(value);
    return after === undefined ? [] : [{ before, after }];
  });
  const inOrder = longestAscending(kept.map(({ after }) => after));
  const pairs: Pair[] = kept.map((pair, at) => ({ ...pair, isMoved: !inOrder.has(at) }));
  for (const [before, value] of left.values.entries()) if (!right.index.has(value)) pairs.push({ before, after: -1, isMoved: false });
  for (const [after, value] of right.values.entries()) if (!left.index.has(value)) pairs.push({ before: -1, after, isMoved: false });
  return sorted(pairs);
}

/** Indices of a longest ascending subsequence. All other items have moved. */
function longestAscending(values: readonly number[]): Set<number> {
  const tails: number[] = [];
  const previous = new Int32Array(values.length).fill(-1);
  for (const [at, value] of values.entries()) {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (values[tails[middle]!]! < value) low = middle + 1;
      else high = middle;
    }
    if (low > 0) previous[at] = tails[low - 1]!;
    tails[low] = at;
  }
  const kept = new Set<number>();
  for (let at = tails.at(-1) ?? -1; at >= 0; at = previous[at]!) kept.add(at);
  return kept;
}

/** Pairs items with the fewest insertions and removals. A removed and an inserted item at the same position form a pair. */
function pairByEdits(before: readonly string[], after: readonly string[]): Pair[] {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start += 1;
  let tail = 0;
  while (tail < Math.min(before.length, after.length) - start && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const matches = commonItems(before.slice(start, before.length - tail), after.slice(start, after.length - tail));
  const pairs: Pair[] = [];
  const add = (one: number, other: number): void => void pairs.push({ before: one, after: other, isMoved: false });
  for (let at = 0; at < start; at += 1) add(at, at);
  let i = start;
  let j = start;
  for (const [x, y] of [...matches, [before.length - tail - start, after.length - tail - start] as const]) {
    while (i < x + start || j < y + start) add(i < x + start ? i++ : -1, j < y + start ? j++ : -1);
    if (i < before.length - tail && j < after.length - tail) add(i++, j++);
  }
  for (let at = tail; at > 0; at -= 1) add(before.length - at, after.length - at);
  return pairs;
}

/**
 * Common items of two lists in order, as pairs of indices: the longest ascending sequence of all matches (Hunt and
 * Szymanski, "A Fast Algorithm for Computing Longest Common Subsequences", 1977). Empty if too many items are equal.
 */
function commonItems(a: readonly string[], b: readonly string[]): (readonly [number, number])[] {
  const places = new Map<string, number[]>();
  for (let at = b.length - 1; at >= 0; at -= 1) {
    const same = places.get(b[at]!);
    if (same) same.push(at);
    else places.set(b[at]!, [at]);
  }
  const count = a.reduce((sum, item) => sum + (places.get(item)?.length ?? 0), 0);
  if (count > MAX_MATCHES) return [];
  const matches = a.flatMap((item, x) => (places.get(item) ?? []).map((y) => [x, y] as const));
  const kept = longestAscending(matches.map(([, y]) => y));
  return matches.filter((_, index) => kept.has(index));
}

function sorted(pairs: Pair[]): Pair[] {
  return pairs.sort((one, other) => (one.after < 0 ? one.before - 0.5 : one.after) - (other.after < 0 ? other.before - 0.5 : other.after));
}

/** Text that is equal for equal values, regardless of format. */
function fingerprint(tree: SpanTree, node: number): string {
  const { kinds, numbers, nexts, storedValues } = tree.data;
  const parts: string[] = [];
  const end = nexts[node]!;
  for (let at = node; at < end; at += 1) {
    const kind = kinds[at]!;
    if (at > node && tree.hasName(at)) parts.push(JSON.stringify(tree.key(at)), ':');
    if (kind === is.STRING || kind === is.TEXT) parts.push(JSON.stringify(tree.text(at)));
    else if (kind === is.INTEGER || kind === is.FLOAT || kind === is.BIGINT) parts.push(numberKey(tree, at));
    else if (kind === is.BINARY) parts.push(`b${tree.binary(at).join(' ')}`);
    else if (kind === is.TAGGED) parts.push(`${is.KIND_NAMES[kind]}${String(storedValues.get(at))}`);
    else if (kind >= is.ARRAY) parts.push(kind === is.RECORD || kind === is.OBJECT ? 'o' : is.KIND_NAMES[kind]!, String(numbers[at]));
    else parts.push(`${is.KIND_NAMES[kind]}${kind === is.TRUE ? 1 : 0}${kind === is.DATE ? numbers[at] : ''}`);
    parts.push(' ');
  }
  return parts.join('');
}
