import { describe, expect, test } from 'vitest';
import { isPlainlyEqual } from '../../setup/values/plain-equality.ts';

const make = (): unknown => ({
  list: [1, -0, Number.NaN, 'é', null, undefined, true, 2n ** 70n, [], [[{ a: {} }]]],
  bytes: Uint8Array.of(1, 2, 3),
  floats: Float64Array.of(0.5, -0),
  on: new Date(7),
  never: new Date(Number.NaN),
  [Symbol.for('key')]: Object.assign(Object.create(null) as object, { a: 1 }),
});

class Point {
  x = 1;
}

/** Pairs that `toStrictEqual` tells apart, or that take more than a look at plain values. */
const OTHERS: Record<string, [unknown, unknown]> = {
  'another number': [
    [1, 2],
    [1, 3],
  ],
  'zero and minus zero': [[0], [-0]],
  'a number and its text': [{ a: 1 }, { a: '1' }],
  'a key more': [{ a: 1 }, { a: 1, b: undefined }],
  'another key': [{ a: undefined }, { b: undefined }],
  'another symbol': [{ [Symbol.for('a')]: 1 }, { [Symbol.for('b')]: 1 }],
  'a shorter list': [[1, 2], [1]],
  'a hole and undefined': [[undefined], Array(1)],
  'a list with a property': [Object.assign([1], { a: 1 }), [1]],
  'a list and an object': [[], {}],
  'an object without a prototype': [Object.create(null), {}],
  'an instance and an object': [new Point(), { x: 1 }],
  'another byte': [Uint8Array.of(1, 2), Uint8Array.of(1, 3)],
  'fewer bytes': [Uint8Array.of(1, 2), Uint8Array.of(1)],
  'the same bytes in another class': [Uint8Array.of(1), new Uint8ClampedArray([1])],
  'another time': [new Date(1), new Date(2)],
  'a Map': [new Map([[1, 2]]), new Map([[1, 3]])],
  'a Set': [new Set([1]), new Set([2])],
  'null and an object': [null, {}],
};

describe('the comparison that spares expect its own', () => {
  test('is true for plain values that are exactly the same', () => {
    expect(isPlainlyEqual(make(), make())).toBe(true);
    expect(isPlainlyEqual([], [])).toBe(true);
  });

  test.each(Object.entries(OTHERS))('is not true for values that differ: %s', (_, [one, other]) => {
    expect(isPlainlyEqual(one, other)).toBe(false);
    expect(isPlainlyEqual({ deep: [one] }, { deep: [other] })).toBe(false);
    expect({ deep: [one] }).not.toStrictEqual({ deep: [other] });
  });

  test('leaves instances, cycles and deep values to expect', () => {
    const cycle: unknown[] = [];
    cycle.push(cycle);
    const other: unknown[] = [];
    other.push(other);
    for (const [a, b] of [
      [new Point(), new Point()],
      [new Map(), new Map()],
      [cycle, other],
      [JSON.parse('['.repeat(60) + ']'.repeat(60)), JSON.parse('['.repeat(60) + ']'.repeat(60))],
    ]) {
      expect(isPlainlyEqual(a, b)).toBe(false);
      expect(a).toEqual(b);
    }
  });
});
