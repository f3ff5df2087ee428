import { describe, expect, test, vi } from 'vitest';
import type { ColumnForm } from '../../../../main/rows/column-forms.ts';
import { resultShape } from '../../../../main/rows/form.ts';
import type { Rows } from '../../../../main/rows/rows.ts';
import * as fc from '../../../setup/properties/fast-check.ts';
import { emit } from '../../../setup/values/emit.ts';
import { throughBlock } from '../../../setup/ways/through-block.ts';

const PLACED = new Date('2026-11-26T10:00:00Z');

/** Rows of a block, of objects, and in another order. */
const LISTS = {
  'of a block': (records: unknown[]) => throughBlock((sink) => emit(sink, records), 'rows') as Promise<Rows>,
  'of objects': async (records: unknown[]) => resultShape(structuredClone(records), 'rows') as Rows,
  'in another order': async (records: unknown[]) => (resultShape(structuredClone(records), 'rows') as Rows).filter(() => true),
};

describe.each(Object.entries(LISTS))('a column of rows %s', (_, rowsOf) => {
  test('has the form that is asked for, whatever the data', async () => {
    for (const values of [
      [1, 2],
      [1, 2.5],
      [1, null],
      [1n, 2],
      [undefined, 2],
    ]) {
      const rows = await rowsOf(values.map((value) => (value === undefined ? { id: 1 } : { id: 1, value })));
      const numbers = rows.column('value', { as: 'float64' });
      expect(numbers).toStrictEqual(Float64Array.from(values, (value) => Number(value ?? Number.NaN)));
      expect(rows.column('value', { as: 'values' })).toStrictEqual(values);
    }
    const rows = await rowsOf([{ id: 1 }, { id: 2n }]);
    expect(rows.column('id', { as: 'int32' })).toStrictEqual(Int32Array.of(1, 2));
    expect(rows.column('none', { as: 'float64' })).toStrictEqual(Float64Array.of(Number.NaN, Number.NaN));
    expect(rows.column('none', { as: 'text' })).toStrictEqual([null, null]);
  });

  test('tells null and absent keys apart by its mask', async () => {
    const rows = await rowsOf([{ a: 7 }, { a: null }, { b: 1 }, null]);
    for (const as of ['float64', 'int32', 'text', 'date', 'values'] as const) {
      expect(rows.column('a', { as, mask: true }).mask).toStrictEqual(Uint8Array.of(0, 1, 2, 2));
    }
    expect(rows.column('a', { as: 'int32', mask: true }).values).toStrictEqual(Int32Array.of(7, 0, 0, 0));
    expect(await rows.columnAsync('a', { as: 'date', mask: true })).toStrictEqual({
      values: [new Date(7), null, null, null],
      mask: Uint8Array.of(0, 1, 2, 2),
    });
  });

  test('of text writes numbers, booleans and dates', async () => {
    const rows = await rowsOf([{ a: 'text' }, { a: 1.5 }, { a: 2n }, { a: true }, { a: PLACED }, { a: null }]);
    expect(rows.column('a', { as: 'text' })).toStrictEqual(['text', '1.5', '2', 'true', '2026-11-26T10:00:00.000Z', null]);
  });

  test('of dates reads milliseconds and text', async () => {
    const rows = await rowsOf([{ a: PLACED }, { a: PLACED.getTime() }, { a: BigInt(PLACED.getTime()) }, { a: '2026-11-26T10:00:00Z' }]);
    expect(rows.column('a', { as: 'date' })).toStrictEqual([PLACED, PLACED, PLACED, PLACED]);
  });

  test('of numbers has the milliseconds of dates, NaN for an invalid one', async () => {
    const dates = [PLACED, new Date(0.5), new Date(Number.NaN), new Date(-1)];
    const rows = await rowsOf([...dates.map((a) => ({ a })), { a: null }, { b: 1 }]);
    expect(rows.column('a', { as: 'float64', mask: true })).toStrictEqual({
      values: Float64Array.of(...dates.map(Number), Number.NaN, Number.NaN),
      mask: Uint8Array.of(0, 0, 0, 0, 1, 2),
    });
    expect(rows.slice(0, 4).column('a', { as: 'float64' })).toStrictEqual(Float64Array.from(dates, Number));
    expect(rows.slice(0, 4).column('a')).toStrictEqual(dates);
    expect(rows.slice(3, 4).column('a', { as: 'int32' })).toStrictEqual(Int32Array.of(-1));
  });

  test('refuses a value that does not fit, and says which', async () => {
    const rows = await rowsOf([{ a: 1 }, { a: 'x' }, { a: [1] }, { a: 2 ** 31 }]);
    expect(() => rows.column('a', { as: 'float64' })).toThrow(new TypeError('column a: row 1 has "x", not a number'));
    expect(() => rows.slice(3).column('a', { as: 'int32' })).toThrow('column a: row 0 has 2147483648, not an integer of 32 bits');
    expect(() => rows.column('a', { as: 'text' })).toThrow('column a: row 2 has an object, not text');
    await expect(rows.columnAsync('a', { as: 'date' })).rejects.toThrow('column a: row 1 has "x", not a date');
    expect(() => rows.column('a', { as: 'int64' as never })).toThrow(
      'invalid option as: int64; did you mean int32? expected one of float64, int32, text, date, values',
    );
  });

  test('suggests the form of dates for text that is a date', async () => {
    const rows = await rowsOf([{ a: '2026-11-26T10:00:00Z' }, { a: '2026-11-26' }, { a: '2026-13-26' }, { a: 'trip 5' }]);
    const message = (row: number, as: ColumnForm): unknown => {
      try {
        return rows.slice(row).column('a', { as });
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(message(0, 'float64')).toBe('column a: row 0 has "2026-11-26T10:00:00Z", not a number; use as: \'date\'');
    expect(message(1, 'int32')).toBe('column a: row 0 has "2026-11-26", not an integer of 32 bits; use as: \'date\'');
    expect(message(2, 'float64')).toBe('column a: row 0 has "2026-13-26", not a number');
    expect(message(2, 'date')).toBe('column a: row 0 has "2026-13-26", not a date');
    expect(message(3, 'float64')).toBe('column a: row 0 has "trip 5", not a number');
  });

  test('has the values of the records in each form', async () => {
    const value = fc.oneof(fc.integer(), fc.double({ noNaN: true }), fc.constant(null));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.record({ a: value }, { requiredKeys: [], noNullPrototype: true })), async (records) => {
        const rows = await rowsOf(records);
        const { values, mask } = rows.column('a', { as: 'float64', mask: true });
        expect(values).toStrictEqual(Float64Array.from(records, ({ a }) => a ?? Number.NaN));
        expect([...mask]).toStrictEqual(records.map(({ a }) => (a === null ? 1 : a === undefined ? 2 : 0)));
        expect(rows.column('a', { as: 'text' })).toStrictEqual(records.map(({ a }) => (a === null || a === undefined ? null : String(a))));
      }),
    );
  });
});

test.each(['in order', 'in another order'])('a column of dates as numbers makes no Date, of rows %s', async (order) => {
  const dates = Array.from({ length: 300 }, (_, at) => new Date(at * 1e9));
  const rows = await LISTS['of a block'](dates.map((at) => ({ at })));
  const found = order === 'in order' ? rows : await rows.filter(() => true);
  vi.stubGlobal(
    'Date',
    class {
      constructor() {
        throw new Error('a Date was made');
      }
    },
  );
  try {
    expect(() => found.column('at')).toThrow('a Date was made');
    expect(found.column('at', { as: 'float64' })).toStrictEqual(Float64Array.from(dates, Number));
  } finally {
    vi.unstubAllGlobals();
  }
});
