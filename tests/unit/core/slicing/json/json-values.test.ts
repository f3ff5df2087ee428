import { describe, expect, test } from 'vitest';
import { mayBeDeep, NOT_PLAIN, parseJson } from '../../../../../core/slicing/json/values.ts';
import { resolveLimits } from '../../../../../core/limits.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const limits = resolveLimits();

describe('parseJson', () => {
  test.each(['{"a":[1,"x",null]}', '\uFEFF[1]', ' 12 ', '"\\ud800"', '{"__proto__":1,"a":1,"a":2}'])('matches JSON.parse for %j', (text) => {
    expect(parseJson(bytes(text), limits)).toEqual(JSON.parse(text.replace('\uFEFF', '')));
  });

  test.each(['', '{', '[1,]', 'nul', '\uFEFF\uFEFF1', "{'a':1}"])('leaves %j to the reader', (text) => {
    expect(parseJson(bytes(text), limits)).toBe(NOT_PLAIN);
  });

  test('leaves invalid UTF-8 to the reader', () => {
    expect(parseJson(new Uint8Array([0x22, 0xff, 0x22]), limits)).toBe(NOT_PLAIN);
    expect(parseJson(new Uint8Array([0x22, 0xed, 0xa0, 0x80, 0x22]), limits)).toBe(NOT_PLAIN);
  });

  test('leaves to the reader texts that may exceed a limit', () => {
    const deep = (depth: number): Uint8Array => bytes('['.repeat(depth) + ']'.repeat(depth));
    expect(parseJson(deep(1_000), limits)).not.toBe(NOT_PLAIN);
    expect(parseJson(deep(1_001), limits)).toBe(NOT_PLAIN);
    expect(parseJson(bytes(JSON.stringify(Array.from({ length: 999 }, () => ({})))), limits)).toHaveLength(999);
    // Brackets next to the deep part do not affect the result.
    for (const beside of ['{}', '[]', '"[{"', '[1]'])
      for (const count of [1, 31, 900, 3_000]) {
        const text = (depth: number): string => `[${`${beside},`.repeat(count)}${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}]`;
        expect(parseJson(bytes(text(1_000)), limits)).not.toBe(NOT_PLAIN);
        expect(parseJson(bytes(text(1_001)), limits)).toBe(NOT_PLAIN);
        expect(parseJson(bytes(`{"a":${text(999)},"b":{}}`), limits)).not.toBe(NOT_PLAIN);
        expect(parseJson(bytes(`{"b":[],"a":${text(1_000)}}`), limits)).toBe(NOT_PLAIN);
        expect(parseJson(bytes(`{"b":${text(3)},"a":${'['.repeat(1_000)}${']'.repeat(1_000)}}`), limits)).toBe(NOT_PLAIN);
      }
    expect(parseJson(bytes(JSON.stringify('['.repeat(9_000))), limits)).toHaveLength(9_000);
    // Many brackets without depth are left to the reader.
    expect(parseJson(bytes(JSON.stringify(Array.from({ length: 2_000 }, () => []))), limits)).toHaveLength(2_000);
    expect(parseJson(bytes('[1,2]'), resolveLimits({ values: 3 }))).toEqual([1, 2]);
    expect(parseJson(bytes('[1,2]'), resolveLimits({ values: 2 }))).toBe(NOT_PLAIN);
    expect(parseJson(bytes('"abc"'), resolveLimits({ stringLength: 4 }))).toBe(NOT_PLAIN);
  });
});

test('counts the brackets of flat records, of which the first are the shortest, in place of walking them', () => {
  const trips = Array.from({ length: 20_000 }, (_, id) => ({ id, station: `Station ${id % 300}` }));
  const trip = { trips };
  expect(mayBeDeep(JSON.stringify(trip), trip, limits.depth)).toBe(false);
  // Nothing but a walk tells these brackets from those of a deep value.
  const nested = trips.map((item) => ({ ...item, at: [item.id] }));
  expect(mayBeDeep(JSON.stringify(nested), nested, limits.depth)).toBe(true);
});
