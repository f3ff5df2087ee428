import { expect, test, vi } from 'vitest';
import cbor from '../../../../../core/formats/cbor/index.ts';
import { Input } from '../../../../../core/formats/cbor/read/input.ts';
import { PackedTables, type Scalar } from '../../../../../core/formats/cbor/tags/packed.ts';
import { Budget } from '../../../../../core/budget.ts';
import { resolveLimits } from '../../../../../core/limits.ts';
import { decodeWith } from '../../../../setup/ways/differential.ts';
import { head } from './arbitrary.ts';

const limits = resolveLimits();
const COPYING = ['slice', 'concat', 'splice', 'with'] as const;

/** Number of table entries read, written or copied by `run`, which receives a function to enter entries. */
function stepsOf(run: (tables: PackedTables, enter: (entries: Scalar[]) => void) => void): number {
  let steps = 0;
  const tables = new PackedTables(new Input(limits), new Budget(limits), undefined);
  const spies = COPYING.map((name) => {
    const original = Array.prototype[name] as (...given: unknown[]) => unknown;
    return vi.spyOn(Array.prototype, name as 'slice').mockImplementation(function (this: unknown[], ...given) {
      steps += this.length;
      return original.apply(this, given) as unknown[];
    });
  });
  try {
    run(tables, (entries) => {
      tables.entries = new Proxy(entries, {
        get: (target, key) => ((steps += 1), Reflect.get(target, key) as unknown),
        set: (target, key, value) => ((steps += 1), Reflect.set(target, key, value)),
      });
      tables.enter();
    });
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return steps;
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

test('a packed table inside a long one costs as many steps as it has entries', () => {
  const siblings = (count: number): number =>
    stepsOf((tables, enter) => {
      enter(numbers(count));
      for (let sibling = 0; sibling < count; sibling += 1) {
        enter([sibling]);
        expect(tables.peek(0, 0)).toBe(sibling);
        expect(tables.peek(count - 1, 0)).toBe(count === 1 ? sibling : count - 1);
        tables.leave();
      }
    });
  const nested = (count: number): number =>
    stepsOf((tables, enter) => {
      enter(numbers(count));
      for (let inner = 0; inner < count; inner += 1) enter([inner]);
      for (let inner = count - 1; inner >= 0; inner -= 1) {
        expect(tables.peek(0, 0)).toBe(inner);
        tables.leave();
      }
      expect(tables.peek(0, 0)).toBe(0);
    });
  for (const steps of [siblings, nested]) expect(steps(2_000)).toBeLessThan(steps(1_000) * 3);
});

test('a missing packed value stays missing after a table that defines it', () => {
  const packedValues = Object.assign([] as string[], { 0: 'a', 1: 'b', 3: 'd' });
  const tables = new PackedTables(new Input(limits), new Budget(limits), packedValues);
  tables.entries = ['A', undefined, 'C', 'D', 'E'];
  tables.enter();
  tables.entries = ['α'];
  tables.enter();
  tables.enterSame();
  expect([0, 1, 2, 3, 4].map((index) => tables.peek(index, 0))).toEqual(['α', undefined, 'C', 'D', 'E']);
  expect(() => tables.peek(5, 0)).toThrow('reference to unknown packed value 5');
  tables.leave();
  tables.leave();
  expect([0, 1, 2, 3, 4].map((index) => tables.peek(index, 0))).toEqual(['A', undefined, 'C', 'D', 'E']);
  tables.leave();
  expect([0, 1, 3].map((index) => tables.peek(index, 0))).toEqual(['a', 'b', 'd']);
  expect(() => tables.peek(2, 0)).toThrow('reference to unknown packed value 2');
  expect(() => tables.peek(4, 0)).toThrow('reference to unknown packed value 4');
  expect(tables.active).toBe(true);
  expect(Object.keys(packedValues)).toEqual(['0', '1', '3']);
});

/** Tag 51 with a table and no prefixes or suffixes; a value must follow. */
const table = (entries: readonly number[]): number[] => [0xd8, 51, 0x84, ...head(4, entries.length), ...entries, 0x80, 0x80];

test('many tables inside a long one decode, as siblings or nested', () => {
  const long = table(numbers(60_000).map(() => 7));
  const siblings = Uint8Array.from([...long, ...head(4, 8_000), ...numbers(8_000).flatMap(() => [...table([1]), 0x82, 0xe0, 0xe1])]);
  expect(decodeWith(cbor, siblings)).toEqual(Array.from({ length: 8_000 }, () => [1, 7]));
  const nested = Uint8Array.from([
    ...table(numbers(200_000).map(() => 7)),
    ...numbers(900).flatMap((index) => table([index % 24])),
    0x82,
    0xe0,
    0xe1,
  ]);
  expect(decodeWith(cbor, nested)).toEqual([899 % 24, 7]);
});

test('a referenced long integer counts as its digits', () => {
  const bignum = [0xc2, 0x59, 0x10, 0x00, ...new Uint8Array(4096).fill(0xff)];
  const many = 300;
  for (const [begin, reference] of [
    [[0xd8, 51, 0x84, 0x81, ...bignum, 0x80, 0x80], [0xe0]],
    [
      [0x82, 0xd8, 28, ...bignum],
      [0xd8, 29, 0],
    ],
  ] as const) {
    const bytes = (count: number): Uint8Array =>
      Uint8Array.from([...begin, ...head(4, count), ...Array.from({ length: count }, () => reference).flat()]);
    expect(() => decodeWith(cbor, bytes(many), { limits: { expansion: 1 } })).toThrow('expansion limit exceeded');
    expect(() => decodeWith(cbor, bytes(3), { limits: { expansion: 1 } })).not.toThrow();
  }
});
