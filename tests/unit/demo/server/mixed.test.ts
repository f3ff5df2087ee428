import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ALL_FEATURES, JSON_FEATURES, mixed, mixedAt, mixedValues } from '../../../../demo/server/data/mixed/mixed.mjs';

/** The value and every value inside it. */
function* inside(value: unknown): Generator {
  yield value;
  if (value instanceof Map) for (const [key, item] of value) yield* [...inside(key), ...inside(item)];
  else if (value instanceof Set || Array.isArray(value)) for (const item of value) yield* inside(item);
  else if (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype) {
    for (const key of Object.keys(value)) yield* inside(Object.getOwnPropertyDescriptor(value, key)?.value);
  }
}

const depthOf = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Object.values(value).reduce((deepest: number, item) => Math.max(deepest, depthOf(item)), 0);
};

const plain = [...mixedValues(1000, { seed: 3 })];
const all = [...inside([...mixedValues(1000, { seed: 3, features: ALL_FEATURES })])];
const has = (test: (value: unknown) => boolean) => all.some(test);

describe('mixed data set', () => {
  it('depends only on seed and index', () => {
    expect(mixedAt(77, { seed: 3 })).toEqual(plain[77]);
    expect(mixed(20, { seed: 3 })).toEqual({ items: plain.slice(0, 20) });
    expect(mixed(20, { seed: 4 })).not.toEqual({ items: plain.slice(0, 20) });
  });

  it('survives JSON if no feature is requested', () => {
    expect(plain.slice(0, 300).filter((value) => !isDeepStrictEqual(JSON.parse(JSON.stringify(value)), value))).toEqual([]);
  });

  it('survives UTF-8 unless lone surrogates are requested', () => {
    const text = JSON.stringify(plain);
    expect(new TextDecoder('utf-8', { ignoreBOM: true }).decode(new TextEncoder().encode(text))).toBe(text);
    expect(text).not.toMatch(/\\ud[89a-f]/);
  });

  it('survives JSON with the features of JSON', () => {
    const values = [...mixedValues(200, { features: JSON_FEATURES })];
    expect(isDeepStrictEqual(JSON.parse(JSON.stringify(values)), values)).toBe(true);
    expect(JSON.stringify(values)).toMatch(/\\ud[89a-f]/);
  });

  it('contains own properties named __proto__ and the empty string', () => {
    const objects = all.filter((value): value is object => typeof value === 'object' && value !== null);
    expect(objects.some((object) => Object.hasOwn(object, '__proto__'))).toBe(true);
    expect(objects.some((object) => Object.hasOwn(object, ''))).toBe(true);
    expect(objects.every((object) => Object.getPrototypeOf(object) !== null)).toBe(true);
  });

  it('contains deep nesting, and lists of mixed kinds', () => {
    expect(Math.max(...plain.map(depthOf))).toBeGreaterThan(40);
    const kinds = plain
      .flatMap((value) => [...inside(value)])
      .filter((value) => Array.isArray(value))
      .map((list) => new Set(list.map((item) => typeof item)).size);
    expect(Math.max(...kinds)).toBeGreaterThanOrEqual(4);
  });

  it('contains records of thousands of shapes', () => {
    const shapes = new Set<string>();
    for (const value of plain) {
      for (const item of inside(value)) {
        if (typeof item === 'object' && item !== null && !Array.isArray(item)) shapes.add(JSON.stringify(Object.keys(item)));
      }
    }
    expect(shapes.size).toBeGreaterThan(2000);
  });

  it.each([
    ['nonFinite', () => has((value) => Number.isNaN(value)) && has((value) => value === -Infinity)],
    ['negativeZero', () => has((value) => Object.is(value, -0))],
    ['undefined', () => has((value) => value === undefined)],
    ['bigint', () => has((value) => typeof value === 'bigint' && BigInt.asIntN(64, value) === value)],
    ['largeBigint', () => has((value) => typeof value === 'bigint' && value > 2n ** 64n)],
    ['date', () => has((value) => value instanceof Date)],
    ['bytes', () => has((value) => value instanceof Uint8Array && value.length > 0)],
    ['map', () => has((value) => value instanceof Map && value.size > 0)],
    ['set', () => has((value) => value instanceof Set && value.size > 0)],
    ['loneSurrogates', () => has((value) => typeof value === 'string' && /\p{Cs}/u.test(value))],
  ])('contains values of the feature %s', (_feature, isThere) => {
    expect(isThere()).toBe(true);
  });

  it('contains astral characters and strings of every length at which encodings switch', () => {
    expect(has((value) => typeof value === 'string' && /[\u{10000}-\u{10ffff}]/u.test(value))).toBe(true);
    for (const length of [0, 31, 32, 255, 256]) {
      expect(has((value) => typeof value === 'string' && value.length === length)).toBe(true);
    }
  });
});
