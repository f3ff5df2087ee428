import { tableFromIPC as flechette } from '@uwdata/flechette';
import { tableFromIPC } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { EncodeError } from '../../../../core/errors.ts';
import { resolveLimits } from '../../../../core/limits.ts';
import arrow from '../../../../core/formats/arrow/index.ts';
import writer from '../../../../core/formats/arrow/writer.ts';
import { ROW_LIST } from '../../../../core/values/record-list.ts';
import { columnRowsOf } from '../../../../core/writing/column-rows.ts';
import { createDecoder } from '../../../../main/index.ts';
import { createEncoder } from '../../../../main/encode.ts';
import { RunList } from '../../../../core/rows/row-list.ts';
import { Rows } from '../../../../main/rows/rows.ts';
import { IndexList } from '../../../../main/tables/index-list.ts';
import fc from '../../../setup/properties/property.ts';
import { emit } from '../../../setup/values/emit.ts';
import { assertSame, decodeWith } from '../../../setup/ways/differential.ts';
import { encodeErrorOf, encodeEveryWay, encodeWith } from '../../../setup/ways/encode-with.ts';
import { throughBlock } from '../../../setup/ways/through-block.ts';
import { tables } from '../../core/formats/arrow/arbitrary.ts';
import { sampleBytes } from '../../core/formats/arrow/samples.ts';
import { type Item, items, WAYS } from '../tables/arbitrary.ts';

const read = { options: { int64: 'bigint', maps: 'map' } };

/** `Rows` over the columns of a block. */
async function columnsOf<T>(list: readonly T[]): Promise<Rows<T>> {
  return (await throughBlock((sink) => emit(sink, structuredClone(list)), 'rows')) as Rows<T>;
}

/** `Rows` over the columns of several blocks, each with a dictionary of its own. */
async function joined<T>(...lists: readonly T[][]): Promise<Rows<T>> {
  const parts = await Promise.all(lists.map(async (list) => columnsOf(list)));
  return new Rows(new RunList(parts.flatMap((rows) => rows[ROW_LIST].runs!)));
}

/** Some rows in any order, perhaps several times. */
function view<T>(rows: Rows<T>, index: readonly number[]): Rows<T> {
  return new Rows(new IndexList(rows[ROW_LIST].source, Uint32Array.from(index)));
}

/** The values that are read back once a value is written, in order of their keys, or that it is an error. */
function outcome(value: unknown, encode: typeof encodeWith, options: object): unknown {
  try {
    const records = decodeWith(arrow, encode(writer, value, { options }), read) as object[];
    return records.map((record) => Object.entries(record));
  } catch (error) {
    if (error instanceof EncodeError) return 'an error';
    throw error;
  }
}

const options = fc.record({ framing: fc.constantFrom('stream', 'file'), batchRows: fc.constantFrom(1, 7, 1000) });

describe('Arrow from columns', () => {
  it.each(Object.entries(WAYS))('has the values of the objects of %s, or their error', async (_, make) => {
    await fc.assert(
      fc.asyncProperty(items, options, async (list, given) => {
        const rows = await make(list);
        assertSame(outcome(rows, encodeEveryWay, given), outcome(rows.toArray(), encodeWith, given));
      }),
      { numRuns: 60 },
    );
  });

  it('has the values of views of views, of several blocks, and of nested values', async () => {
    await fc.assert(
      fc.asyncProperty(tables, fc.array(fc.nat(), { maxLength: 40 }), fc.nat(20), fc.nat(20), options, async (list, places, from, to, given) => {
        const rows = await joined(list, list.toReversed());
        const all = view(rows, [...new Set(places.map((place) => place % rows.length))]);
        for (const one of [rows, all, all.slice(from, to), rows.slice(from, to)]) {
          assertSame(outcome(one, encodeEveryWay, given), outcome(one.toArray(), encodeWith, given));
        }
      }),
    );
  });

  it('is read by the libraries of Apache Arrow and flechette, with dictionaries of several blocks', async () => {
    const orders = Array.from({ length: 1_200 }, (_, id) => ({
      id,
      status: id % 11 === 0 ? null : ['open', 'größer', 'sent'][id % 3]!,
      station: `station ${id % 200}`,
      name: `name ${id} ü`,
      half: id / 2,
      big: 2n ** 60n + BigInt(id),
      placed: new Date(id % 2 === 0 ? id : -1.7e12 - id),
      paid: id % 5 === 0,
      lines: id % 13 === 0 ? null : [id],
      note: id % 4 === 0 ? 'x' : null,
    }));
    const rows = await joined(orders.slice(0, 600), orders.slice(600));
    const sorted = await rows.sortBy({ key: 'name', descending: true });
    for (const framing of ['stream', 'file'] as const) {
      for (const one of [rows, sorted]) {
        expect(columnRowsOf(one)).toBeDefined();
        const records = one.toArray();
        const bytes = await createEncoder().encode(one, { format: 'arrow', options: { framing, batchRows: 300 } });
        const table = tableFromIPC(bytes);
        expect(table.schema.fields.map(({ type }) => String(type)).slice(0, 8)).toEqual([
          'Int32',
          'Dictionary<Int8, Utf8>',
          'Dictionary<Int16, Utf8>',
          'Utf8',
          'Float64',
          'Int64',
          'Timestamp<MILLISECOND, UTC>',
          'Bool',
        ]);
        expect(table.batches.length).toBe(4);
        // The dictionary of both blocks has each string once.
        expect(table.getChild('status')!.data[0]!.dictionary!.length).toBe(3);
        const plain = records.map(({ placed, ...record }) => ({ ...record, placed: placed.getTime() }));
        expect(JSON.parse(JSON.stringify(table.toArray(), plainValue))).toEqual(JSON.parse(JSON.stringify(plain, plainValue)));
        const other = flechette(bytes, { useBigInt: true }).toArray() as unknown[];
        expect(JSON.parse(JSON.stringify(other, plainValue))).toEqual(JSON.parse(JSON.stringify(plain, plainValue)));
        assertSame(await createDecoder().decode(bytes), decodeWith(arrow, encodeWith(writer, records)));
      }
    }
  });

  it('builds no record of columns', async () => {
    const rows = await columnsOf(Array.from({ length: 500 }, (_, id) => ({ id, name: `name ${id}`, tags: [id] })));
    const { builder } = rows[ROW_LIST].source.segments[0]!;
    builder!.build = () => {
      throw new Error('a record is built');
    };
    expect(() => rows.toArray()).toThrow('a record is built');
    for (const one of [rows, rows.slice(3, 400), await rows.filter({ id: { gte: 7 } })]) {
      const bytes = await createEncoder({ worker: false }).encode(one, { format: 'arrow' });
      expect(tableFromIPC(bytes).numRows).toBe(one.length);
    }
  });

  it('has the strings of a dictionary that the rows refer to, and no others', async () => {
    const rows = await columnsOf(Array.from({ length: 2_000 }, (_, id) => ({ id, station: `station ${id % 700}` })));
    const table = tableFromIPC(encodeWith(writer, await rows.filter({ station: { in: ['station 2', 'station 5'] } })));
    expect([...table.getChild('station')!.data[0]!.dictionary!]).toEqual(['station 2', 'station 5']);
    // Where almost each row has another string, there is no dictionary.
    expect(String(tableFromIPC(encodeWith(writer, rows.slice(0, 100))).getChild('station')!.type)).toBe('Utf8');
  });

  it('has the values of rows that were Arrow', async () => {
    const bytes = sampleBytes('stream', 200);
    const rows = await createDecoder().decode<Item[]>(bytes, { as: 'rows' });
    expect(columnRowsOf(rows)).toBeDefined();
    for (const one of [rows, view(rows, [180, 7, 3, 4, 5, 90])]) {
      assertSame(outcome(one, encodeWith, {}), outcome(one.toArray(), encodeWith, {}));
    }
  });

  it.each<[string, readonly unknown[], object]>([
    ['values of two types', [1, 2, 'x'], { code: 'type', path: [2, 'a'] }],
    ['a lone surrogate in text', [...longTexts(300), '\ud800', 'b'], { code: 'text', path: [300, 'a'] }],
    ['a lone surrogate in a dictionary', ['a', 'a', 'b', null, '\ud800', 'a'], { code: 'text', path: [4, 'a'] }],
    ['an invalid Date', [new Date(1), null, new Date(NaN)], { code: 'range', path: [2, 'a'] }],
    ['a float next to a bigint', [1n, 0.5], { code: 'type', path: [1, 'a'] }],
    ['values of two types in a list', [[1], [2], [1, true]], { code: 'type', path: [2, 'a', 1] }],
  ])('rejects %s with its path', async (_, values, error) => {
    const list = values.map((a) => ({ a }));
    expect(columnRowsOf(await columnsOf(list))).toBeDefined();
    expect(encodeErrorOf(writer, await columnsOf(list))).toEqual(error);
    expect(encodeErrorOf(writer, list)).toEqual(error);
  });

  it('rejects rows that grow while they are written', async () => {
    const rows = await columnsOf(Array.from({ length: 50 }, (_, id) => ({ id })));
    const list = rows[ROW_LIST].source;
    const session = writer
      .createWriter({}, resolveLimits(), undefined)
      .session('arrow', () => true, 64)
      .write(rows);
    session.run();
    list.push(list.runs.slice(0, 1));
    expect(() => {
      while (!session.isWhole) session.run();
    }).toThrow('the list changed while it was written');
    expect((decodeWith(arrow, encodeEveryWay(writer, rows)) as unknown[]).length).toBe(100);
  });
});

/** Long strings that all differ, so that they are stored as text. */
function longTexts(count: number): string[] {
  return Array.from({ length: count }, (_, id) => `${'text'.repeat(40)} ${id} ü`);
}

/** Bigints as text, and typed arrays as arrays. */
function plainValue(_: string, value: unknown): unknown {
  if (value instanceof Int32Array) return [...value];
  return typeof value === 'bigint' ? String(value) : value;
}
