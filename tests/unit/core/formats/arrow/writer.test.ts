import { tableFromIPC as flechette } from '@uwdata/flechette';
import { Table, tableFromIPC, tableToIPC, Uint64, vectorFromArray } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import arrow from '../../../../../core/formats/arrow/index.ts';
import writer from '../../../../../core/formats/arrow/writer.ts';
import { EncodeError } from '../../../../../core/errors.ts';
import { resolveLimits } from '../../../../../core/limits.ts';
import fc from '../../../../setup/properties/property.ts';
import { assertSame, decodeWith } from '../../../../setup/ways/differential.ts';
import { encodeErrorOf, encodeEveryWay, encodeWith } from '../../../../setup/ways/encode-with.ts';
import { tables } from './arbitrary.ts';

const read = { options: { maps: 'map' } };

/** Writes a list whose length is not known in advance. */
function encodeItems(items: readonly unknown[], options: object): Uint8Array {
  const session = writer.createWriter(options, resolveLimits(), undefined).session('arrow');
  const chunks: Uint8Array[] = [];
  for (const item of items) {
    session.add([item]);
    session.run();
    chunks.push(...session.take());
  }
  session.close();
  session.run();
  chunks.push(...session.take());
  return Uint8Array.from(chunks.flatMap((chunk) => [...chunk]));
}

describe('writer of Arrow', () => {
  it('writes tables that are read back as they were, as streams and files, in batches of any size', () => {
    fc.assert(
      fc.property(tables, fc.constantFrom('stream', 'file'), fc.constantFrom(1, 3, 1000), (rows, framing, batchRows) => {
        assertSame(decodeWith(arrow, encodeEveryWay(writer, rows, { options: { framing, batchRows } }), read), rows);
      }),
    );
  });

  it('writes a list of unknown length as batches whose types the first decides', () => {
    const rows = Array.from({ length: 10 }, (_, id) => ({ id, name: `row ${id}` }));
    for (const batchRows of [1, 3, 10, 100]) assertSame(decodeWith(arrow, encodeItems(rows, { batchRows }), read), rows);
    assertSame(decodeWith(arrow, encodeItems([], {})), []);
    expect(() => encodeItems([{ a: 1 }, { a: 'x' }], { batchRows: 1 })).toThrow(/a string in a column that has a number/);
    expect(() => encodeItems([{ a: 1 }, { b: 1 }], { batchRows: 1 })).toThrow(/a key that no record of the first batch has: b/);
    expect(() => encodeItems([{ a: 1 }, { a: 0.5 }], { batchRows: 1 })).toThrow(/whose type the first batch has decided/);
  });

  it('writes what the libraries of Apache Arrow and flechette read', () => {
    const rows = Array.from({ length: 300 }, (_, id) => ({
      id,
      half: id / 2,
      text: id % 7 === 0 ? null : `größe ${id}`,
      flag: id % 2 === 0,
      big: 2n ** 60n + BigInt(id),
      at: new Date(1.7e12 + id),
      bytes: Uint8Array.of(id),
      list: [id, id + 1],
      inner: { x: id, y: `y${id}` },
      nothing: null,
    }));
    for (const framing of ['stream', 'file']) {
      const bytes = encodeWith(writer, rows, { options: { framing, batchRows: 128 } });
      const table = tableFromIPC(bytes);
      expect(table.numRows).toBe(300);
      expect(table.batches.length).toBe(3);
      expect(table.get(250)!.toJSON()).toMatchObject({ id: 250, half: 125, text: 'größe 250', flag: true, big: 2n ** 60n + 250n, at: 1.7e12 + 250 });
      expect([...(table.get(250)!['list'] as Iterable<number>)]).toEqual([250, 251]);
      expect(table.schema.fields.map(({ type }) => String(type)).slice(0, 6)).toEqual([
        'Int32',
        'Float64',
        'Utf8',
        'Bool',
        'Int64',
        'Timestamp<MILLISECOND, UTC>',
      ]);
      const other = flechette(bytes, { useBigInt: true, useDate: true }).toArray() as Record<string, unknown>[];
      expect(other.length).toBe(300);
      expect(other[129]).toMatchObject({ id: 129, half: 64.5, text: 'größe 129', big: 2n ** 60n + 129n, at: new Date(1.7e12 + 129), nothing: null });
      expect(other[7]!['text']).toBeNull();
      expect(other[129]!['inner']).toEqual({ x: 129, y: 'y129' });
    }
  });

  it('keeps every value of columns that grow', () => {
    const rows = Array.from({ length: 300 }, (_, id) => ({
      id: id + 1,
      half: id + 0.5,
      flag: true,
      big: 2n ** 60n + BigInt(id),
      at: new Date(1.7e12 + id),
      text: `row ${id}`,
      list: [id + 1],
      inner: { x: id + 1 },
    }));
    assertSame(decodeWith(arrow, encodeWith(writer, rows, {})), rows);
  });

  it('writes any number of columns and batches', () => {
    const rows = Array.from({ length: 200 }, (_, row) =>
      Object.fromEntries(Array.from({ length: 150 }, (_, column) => [`column ${column}`, row * column])),
    );
    const bytes = encodeWith(writer, rows, { options: { framing: 'file', batchRows: 1 } });
    assertSame(decodeWith(arrow, bytes), rows);
    expect(tableFromIPC(bytes).numCols).toBe(150);
  });

  it('widens the integers of a column to floats, or to 64 bits', () => {
    const bytes = encodeWith(writer, [
      { a: 1, b: 1, c: 2 ** 40 },
      { a: 0.5, b: 2n, c: -0 },
    ]);
    expect(tableFromIPC(bytes).schema.fields.map(({ type }) => String(type))).toEqual(['Float64', 'Int64', 'Float64']);
    assertSame(decodeWith(arrow, bytes, { options: { int64: 'bigint' } }), [
      { a: 1, b: 1n, c: 2 ** 40 },
      { a: 0.5, b: 2n, c: -0 },
    ]);
  });

  it('writes integers without a sign if a bigint is 2⁶³ or more, as they were read', () => {
    const rows = [
      { a: 0n, b: [2n ** 64n - 1n] },
      { a: 2n ** 63n, b: [1n, null] },
      { a: null, b: null },
    ];
    const bytes = encodeWith(writer, rows);
    const types = tableFromIPC(bytes).schema.fields.map(({ type }) => String(type));
    expect(types[0]).toBe('Uint64');
    expect([...tableFromIPC(bytes).getChild('a')!]).toEqual([0n, 2n ** 63n, null]);
    const options = { int64: 'bigint' };
    const again = decodeWith(arrow, bytes, { options });
    assertSame(again, rows);
    assertSame(decodeWith(arrow, encodeWith(writer, again), { options }), rows);
    const table = tableToIPC(new Table({ a: vectorFromArray([1n, 2n ** 63n + 5n], new Uint64()) }));
    assertSame(decodeWith(arrow, encodeWith(writer, decodeWith(arrow, table, { options })), { options }), [{ a: 1n }, { a: 2n ** 63n + 5n }]);
  });

  it('rejects a bigint from 2⁶³ on if the first batch has decided that integers have a sign', () => {
    expect(() => encodeItems([{ a: 1n }, { a: 2n ** 63n }], { batchRows: 1 })).toThrow(
      'the bigint is 2⁶³ or more in a column that the first batch has made one of signed integers',
    );
  });

  it('writes absent and undefined values as null', () => {
    assertSame(decodeWith(arrow, encodeWith(writer, [{ a: 1 }, { b: 'x', a: undefined }, {}])), [
      { a: 1, b: null },
      { a: null, b: 'x' },
      { a: null, b: null },
    ]);
    assertSame(decodeWith(arrow, encodeWith(writer, [])), []);
    assertSame(decodeWith(arrow, encodeWith(writer, [{}, {}])), [{}, {}]);
  });

  it.each<[string, unknown, object]>([
    ['a value that is no list', { a: 1 }, { code: 'type', path: undefined }],
    ['an item that is no record', [{ a: 1 }, 2], { code: 'type', path: [1] }],
    ['values of two types', [{ a: 1 }, { a: 'x' }], { code: 'type', path: [1, 'a'] }],
    ['values of two types in a list', [{ a: [1, true] }], { code: 'type', path: [0, 'a', 1] }],
    ['a float next to a bigint', [{ a: 0.5 }, { a: 1n }], { code: 'type', path: [1, 'a'] }],
    ['a bigint of more than 64 bits', [{ a: 2n ** 64n }], { code: 'range', path: [0, 'a'] }],
    ['a bigint below those of 64 bits', [{ a: -(2n ** 63n) - 1n }], { code: 'range', path: [0, 'a'] }],
    ['a bigint from 2⁶³ on after one below 0', [{ a: -1n }, { a: 2n ** 63n }], { code: 'range', path: [1, 'a'] }],
    ['a number below 0 after a bigint from 2⁶³ on', [{ a: [2n ** 63n, -1] }], { code: 'range', path: [0, 'a', 1] }],
    ['an invalid Date', [{ a: new Date(NaN) }], { code: 'range', path: [0, 'a'] }],
    ['a lone surrogate', [{ a: { b: '\ud800' } }], { code: 'text', path: [0, 'a', 'b'] }],
    ['a function', [{ a: () => 1 }], { code: 'unsupported', path: [0, 'a'] }],
    ['a Map with a null key', [{ a: new Map([[null, 1]]) }], { code: 'unsupported', path: [0, 'a'] }],
  ])('rejects %s with its path', (_, value, error) => {
    expect(encodeErrorOf(writer, value)).toEqual(error);
  });

  it('rejects a record that contains itself', () => {
    const record: Record<string, unknown> = {};
    record['self'] = record;
    expect(() => encodeWith(writer, [record])).toThrow(EncodeError);
  });

  it('rejects a number of rows that is none', () => {
    expect(() => encodeWith(writer, [], { options: { batchRows: 0 } })).toThrow(/invalid format option batchRows: 0/);
  });
});

describe('records with keys of their own', () => {
  const sparse = (count: number): object[] => Array.from({ length: count }, (_, at) => ({ [`key${at}`]: at }));
  const refused = { code: 'range', path: expect.any(Array) as unknown[] };

  it('are rejected where they would make far more cells than they have values', () => {
    expect(encodeErrorOf(writer, sparse(20_000))).toMatchObject(refused);
    expect(
      encodeErrorOf(writer, [{ one: Object.assign({}, ...sparse(2000)) as object }, ...Array.from({ length: 1000 }, () => ({ one: null }))]),
    ).toMatchObject(refused);
    expect(encodeErrorOf(writer, sparse(1000), { limits: { expansion: 1 } })).toMatchObject(refused);
  });

  it('are written where they are few, or have some keys in common', () => {
    const rows = decodeWith(arrow, encodeWith(writer, sparse(300))) as Record<string, unknown>[];
    expect(rows[7]).toMatchObject({ key6: null, key7: 7, key8: null });
    const some = Array.from({ length: 2000 }, (_, row) =>
      Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`k${(row * 10 + at) % 500}`, at])),
    );
    expect(decodeWith(arrow, encodeWith(writer, some))).toHaveLength(2000);
  });
});
