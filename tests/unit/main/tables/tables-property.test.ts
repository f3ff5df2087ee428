import { describe, expect, test } from 'vitest';
import type { Rows } from '../../../../main/rows/rows.ts';
import fc from '../../../setup/properties/property.ts';
import * as fast from '../../../setup/properties/fast-check.ts';
import { assertSame } from '../../../setup/ways/differential.ts';
import { type Item, items, lazyRows, PATHS, WAYS } from './arbitrary.ts';
import { COMPARED, distinct, isKnown, same, sorted, sortedBy, valueOf } from './expected.ts';

const RUNS = { numRuns: 300 };
const key = fc.constantFrom<string>(...PATHS);

/** Lists, and two keys that some record of the list has. */
function withKeys(lists: fc.Arbitrary<Item[]>): fc.Arbitrary<[list: Item[], name: string, other: string]> {
  return fc.tuple(lists, key, key).filter(([list, ...names]) => list.length === 0 || names.every((name) => isKnown(list, name)));
}

/** Records as JSON represents them, for rows that stay JSON. */
const jsonItems = items.map(
  (list) => JSON.parse(JSON.stringify(list, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value))) as Item[],
);

const CASES: readonly (readonly [string, fc.Arbitrary<Item[]>, (list: Item[]) => Promise<Rows<Item>>])[] = [
  ...Object.entries(WAYS).map(([name, make]) => [name, items, make] as const),
  ['records that stay JSON', jsonItems, async (list) => lazyRows(list)],
];

describe.each(CASES)('rows from %s', (_, lists, make) => {
  test('reads rows like an array of the records', async () => {
    await fast.assert(
      fc.asyncProperty(lists, fc.integer({ min: -130, max: 130 }), fc.integer({ min: -130, max: 130 }), key, async (list, from, to, name) => {
        const rows = await make(list);
        assertSame(rows.length, list.length);
        assertSame([...rows], list);
        assertSame(rows.toArray(), list);
        assertSame(await rows.toArrayAsync(), list);
        assertSame(rows.at(from), list.at(from));
        assertSame(rows.slice(from, to).toArray(), list.slice(from, to));
        assertSame([...rows.entries()], [...list.entries()]);
        assertSame(
          rows.map((item, index) => [index, item]),
          list.map((item, index) => [index, item]),
        );
        assertSame(
          rows.reduce((ids, item) => [...ids, item], [] as Item[]),
          list,
        );
        const each: unknown[] = [];
        rows.forEach((item, index) => each.push([index, item]));
        assertSame(
          each,
          list.map((item, index) => [index, item]),
        );
        const keys = new Set(list.flatMap((item) => Object.keys(item)));
        assertSame(new Set(rows.columnNames), keys);
        const column = rows.column(name);
        assertSame(column && [...column], isKnown(list, name) ? list.map((item) => valueOf(item, name)) : undefined);
      }),
      RUNS,
    );
  });

  test('searches rows by a predicate like an array of the records', async () => {
    await fast.assert(
      fc.asyncProperty(lists, key, fc.nat(), async (list, name, pick) => {
        const rows = await make(list);
        const wanted = list.length > 0 ? valueOf(list[pick % list.length]!, name) : 1;
        const predicate = (row: Readonly<Item>): boolean => JSON.stringify([String(valueOf(row, name))]) === JSON.stringify([String(wanted)]);
        assertSame(rows.find(predicate), list.find(predicate));
        assertSame(rows.findIndex(predicate), list.findIndex(predicate));
        assertSame(rows.findLast(predicate), list.findLast(predicate));
        assertSame(rows.findLastIndex(predicate), list.findLastIndex(predicate));
        assertSame(rows.some(predicate), list.some(predicate));
        assertSame(rows.every(predicate), list.every(predicate));
        assertSame((await rows.filter(predicate)).toArray(), list.filter(predicate));
        const indices: number[] = [];
        await rows.filter((__, index, all) => {
          expect(all).toBe(rows);
          return indices.push(index);
        });
        assertSame(indices, [...list.keys()]);
      }),
      RUNS,
    );
  });

  test('sorts rows by one key, in either direction, like an array of the records', async () => {
    await fast.assert(
      fc.asyncProperty(withKeys(lists), fc.boolean(), async ([list, name], descending) => {
        const rows = await (await make(list)).sortBy({ key: name, descending });
        assertSame(rows.toArray(), sorted(list, name, descending));
        assertSame(rows.slice(3, 20).toArray(), sorted(list, name, descending).slice(3, 20));
        assertSame([...(rows.column(name) ?? [])], isKnown(list, name) ? sorted(list, name, descending).map((item) => valueOf(item, name)) : []);
      }),
      RUNS,
    );
  });

  test('sorts rows by several keys, and by a locale', async () => {
    const { compare } = new Intl.Collator('de');
    await fast.assert(
      fc.asyncProperty(withKeys(lists), async ([list, first, second]) => {
        const rows = await (await make(list)).sortBy([first, { key: second, descending: true }], { locale: 'de' });
        assertSame(rows.toArray(), sorted(sorted(list, second, true, compare), first, false, compare));
      }),
      RUNS,
    );
  });

  test('filters rows by conditions like an array of the records', async () => {
    await fast.assert(
      fc.asyncProperty(withKeys(lists), fc.constantFrom(...Object.keys(COMPARED)), fc.nat(), async ([list, name, other], comparison, pick) => {
        const rows = await make(list);
        const operand = list.length > 0 ? valueOf(list[pick % list.length]!, name) : 1;
        for (const none of [null, undefined]) {
          assertSame(
            (await rows.where(name, none)).toArray(),
            list.filter((item) => valueOf(item, name) === none),
          );
        }
        // Objects are equal to themselves alone, and rows build their own.
        if (typeof operand === 'object' && operand !== null && !(operand instanceof Date)) return;
        const isOrdered = ['number', 'bigint', 'string'].includes(typeof operand) || operand instanceof Date;
        if (!isOrdered && !['eq', 'ne'].includes(comparison)) {
          await expect(rows.where(name, { [comparison]: operand })).rejects.toThrow(TypeError);
          return;
        }
        const expected = list.filter((item) => COMPARED[comparison]!(valueOf(item, name), operand));
        assertSame((await rows.where(name, { [comparison]: operand })).toArray(), expected);
        const conditions = Object.fromEntries([[name, { [comparison]: operand }] as const, [other, { in: [operand] }] as const]);
        assertSame(
          (await rows.filter(conditions)).toArray(),
          list.filter((item) => (other === name || expected.includes(item)) && same(valueOf(item, other), operand)),
        );
        const called = await rows.where(name, (value: unknown) => same(value, operand));
        assertSame(
          called.toArray(),
          list.filter((item) => same(valueOf(item, name), operand)),
        );
      }),
      RUNS,
    );
  });

  test('sorts rows by a function of two records or two values like an array', async () => {
    const byLength = (one: unknown, other: unknown): number => String(one).length - String(other).length;
    await fast.assert(
      fc.asyncProperty(withKeys(lists), fc.boolean(), async ([list, name], descending) => {
        const rows = await make(list);
        const compare = (one: Item, other: Item): number => byLength(valueOf(one, name), valueOf(other, name));
        assertSame((await rows.sortBy(compare)).toArray(), list.toSorted(compare));
        assertSame((await rows.sortBy({ key: name, descending, compare: byLength })).toArray(), sortedBy(list, name, descending, byLength));
      }),
      RUNS,
    );
  });

  test('rejects with a TypeError for a key that no record has', async () => {
    await fast.assert(
      fc.asyncProperty(lists, key, async (list, name) => {
        fc.pre(list.length > 0 && !isKnown(list, name));
        const rows = await make(list);
        const calls: (() => Promise<unknown>)[] = [
          () => rows.sortBy(name),
          () => rows.where(name, 5),
          () => rows.filter({ [name]: { ne: 5 } }),
          () => rows.groupBy(name),
          () => rows.distinct(name),
          () => rows.codes(name),
        ];
        for (const call of calls) await expect(call()).rejects.toThrow(`no record has the key ${name}`);
        assertSame((await rows.where(name, undefined)).length, list.length);
      }),
      RUNS,
    );
  });

  test('groups rows and finds unique values like an array of the records', async () => {
    await fast.assert(
      fc.asyncProperty(withKeys(lists), async ([list, name]) => {
        const rows = await make(list);
        const values = distinct(list, name);
        assertSame(await rows.distinct(name), values);
        const coded = await rows.codes(name);
        assertSame(coded.values, values);
        // Dates of the same time are one value, and Maps make −0 to 0.
        const plain = (value: unknown): unknown => (value instanceof Date ? value.getTime() : value === 0 ? 0 : value);
        const given = (await rows.columnAsync(name)) ?? list.map(() => undefined);
        for (const [row, code] of coded.codes.entries()) assertSame(plain(coded.values[code]), plain(given[row]));
        const groups = await rows.groupBy(name);
        assertSame([...groups.keys()], values);
        const found = [...groups.values()].map((group) => group.toArray());
        const isPlain = (value: unknown): boolean => typeof value !== 'object' || value === null || value instanceof Date;
        if (values.every(isPlain))
          assertSame(
            found,
            values.map((value) => list.filter((item) => same(valueOf(item, name), value))),
          );
        assertSame(found.flat().length, list.length);
      }),
      RUNS,
    );
  });
});
