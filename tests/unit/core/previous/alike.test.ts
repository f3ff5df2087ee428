/** Bytes chosen to look alike: the work stays in proportion to the bytes, and is counted here. */
import { expect, test } from 'vitest';
import { hashRange } from '../../../../core/bytes/hash.ts';
import json from '../../../../core/formats/json/index.ts';
import messagepack from '../../../../core/formats/messagepack/index.ts';
import messagepackWriter from '../../../../core/formats/messagepack/writer.ts';
import { DEFAULT_LIMITS } from '../../../../core/limits.ts';
import { mayOccurIn, viewOf } from '../../../../core/previous/compare.ts';
import type { Grammar } from '../../../../core/previous/grammars/grammar.ts';
import { messagepackGrammar } from '../../../../core/previous/grammars/messagepack.ts';
import { ItemTable } from '../../../../core/previous/item-table.ts';
import { type DecodeSetting, remember } from '../../../../core/previous/remember.ts';
import { SIZES } from '../../../../core/previous/tuning.ts';
import { decodeSync, encodeSync } from '../../../../main/sync.ts';
import { reusedBy } from './reused.ts';

const setting: DecodeSetting = { format: 'json', as: 'objects', options: {}, schema: undefined, limits: DEFAULT_LIMITS, revive: undefined };
const utf8 = new TextEncoder();

/** Bytes of a record `{ d: binary }` whose hash before the seed is that of all others: the last word undoes the words before it. */
function forged(id: number): Uint8Array {
  const item = Uint8Array.of(0x81, 0xa1, 0x64, 0xc4, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  const view = viewOf(item);
  view.setUint32(8, id);
  let hash = item.length;
  for (let at = 0; at < 12; at += 4) {
    hash = Math.imul(hash ^ view.getInt32(at, true), 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  view.setInt32(12, hash, true);
  return item;
}

/** A list of MessagePack with these items. */
function listOf(items: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.of(0xdd, ...[24, 16, 8, 0].map((shift) => (items.length >>> shift) & 0xff), ...items.flatMap((item) => [...item]));
}

/** A record with a permutation of the same text. */
function permuted(id: number): Uint8Array {
  const text = Array.from({ length: 8 }, (_, at) => String.fromCharCode(97 + at));
  for (let at = text.length - 1, rest = id; at > 0; rest = Math.floor(rest / (at + 1)), at -= 1) {
    const other = rest % (at + 1);
    [text[at], text[other]] = [text[other]!, text[at]!];
  }
  return encodeSync(messagepackWriter, { d: text.join('') });
}

/** A value as text that compares fast. */
const textOf = (value: unknown): string => encodeSync(messagepackWriter, value).join();

/** Decodes a list, and then the same items in another order, and returns how often bytes of items were looked up. */
function lookUps(items: readonly Uint8Array[], other: readonly Uint8Array[]): number {
  let count = 0;
  const grammar: Grammar = { ...messagepackGrammar, content: (bytes, start) => ((count += 1), messagepackGrammar.content(bytes, start)) };
  const decode = (bytes: Uint8Array): unknown => decodeSync(messagepack, bytes, { options: { sequence: true } });
  const bytes = listOf(items);
  const first = decodeSync(messagepack, bytes);
  remember(first, bytes, setting);
  const next = listOf(other);
  const second = reusedBy({ grammar, items: decode, setting, sizes: { ...SIZES, giveUp: Infinity } }, first, next);
  expect(textOf(second)).toBe(textOf(decodeSync(messagepack, next)));
  return count;
}

test.each([
  ['whose hashes are the same', forged],
  ['whose bytes are permuted', permuted],
])('items %s are decoded to equal values, with work in proportion to their number', (_, make) => {
  const items = Array.from({ length: 600 }, (_unused, id) => make(id));
  const others = Array.from({ length: 600 }, (_unused, id) => make(600 + id));
  const reversed = items.toReversed();
  for (const after of [reversed, others, [...others.slice(0, 100), ...reversed]]) {
    const half = lookUps(items.slice(0, 300), after.slice(0, 300));
    const whole = lookUps(items, after);
    expect(half).toBeLessThan(300 * 100);
    expect(whole).toBeLessThan(half * 2.5 + 10_000);
  }
});

test('a table of items compares no more than eight of those with the same hash', () => {
  const items = Array.from({ length: 3000 }, (_, id) => forged(id));
  expect(new Set(items.map((item) => hashRange(viewOf(item), 0, item.length))).size).toBe(1);
  const bytes = viewOf(Uint8Array.from(items.flatMap((item) => [...item])));
  const table = new ItemTable(items.length, items.length);
  for (let index = 0; index < items.length; index += 1) table.add(index, bytes, index * 16, index * 16 + 16);
  let compared = 0;
  for (let index = 0; index < items.length; index += 1) {
    table.take(bytes, index * 16, index * 16 + 16, () => ((compared += 1), false));
  }
  expect(compared).toBe(items.length * 8);
});

test('a search for a needle ends once as many bytes have looked like it as there are bytes', () => {
  const bytes = new Uint8Array(4000).fill(49);
  let reads = 0;
  const counted = new Proxy(bytes, { get: (target, name) => ((reads += 1), Reflect.get(target, name)) });
  const needle = new Uint8Array(1000).fill(49);
  needle[0] = 50;
  const steps = mayOccurIn(counted, needle, 200);
  let pauses = 0;
  let found: boolean | undefined;
  while (found === undefined) {
    const { done, value } = steps.next();
    if (done) found = value;
    else pauses += 1;
  }
  expect(found).toBe(true);
  expect(reads).toBeLessThan(bytes.length * 2);
  expect(pauses).toBeGreaterThan(2);
});

test('long numbers and texts that differ in their first character only are decoded to equal values', () => {
  const long = '1'.repeat(15_000);
  const list = Array.from({ length: 4 }, () => long);
  const next = [...Array.from({ length: 34 }, () => `2${long.slice(8000)}`), ...list];
  for (const [open, close] of [
    ['', ''],
    ['"', '"'],
  ]) {
    const encode = (items: readonly string[]): Uint8Array => utf8.encode(`[${items.map((item) => `${open}${item}${close}`).join(',')}]`);
    const first = decodeSync(json, encode(list), { previous: undefined });
    const bytes = encode(next);
    expect(decodeSync(json, bytes, { previous: first })).toStrictEqual(decodeSync(json, bytes));
  }
});
