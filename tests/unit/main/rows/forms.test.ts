import { pack } from 'msgpackr';
import { describe, expect, test } from 'vitest';
import { formInSlices, resultShape } from '../../../../main/rows/form.ts';
import { createDecoder } from '../../../../main/decoder/create-decoder.ts';
import { Rows } from '../../../../main/rows/rows.ts';
import { assertSame } from '../../../setup/ways/differential.ts';
import { asColumns, comparableColumns, withoutRows } from '../../../matrix/outcome.ts';
import * as fc from '../../../setup/properties/fast-check.ts';
import { emit } from '../../../setup/values/emit.ts';
import { throughBlock } from '../../../setup/ways/through-block.ts';
import { EagerSlicer } from '../../core/slicing/slices.ts';

/** Code paths that convert a value to a form: from a block, and from plain objects. */
const CODE_PATHS = {
  'of a block': (value: unknown, as: 'rows' | 'columns') => throughBlock((sink) => emit(sink, value), as),
  'of plain objects': async (value: unknown, as: 'rows' | 'columns') => resultShape(structuredClone(value), as),
  'of plain objects, in slices': async (value: unknown, as: 'rows' | 'columns') => formInSlices(structuredClone(value), as, [], new EagerSlicer()),
};

describe.each(Object.entries(CODE_PATHS))('form %s', (_, formed) => {
  const records = Array.from({ length: 400 }, (__, id) => ({ id, stops: [{ at: id }, { at: id + 1 }] }));

  test('contains Rows in the records of a list with a list', async () => {
    const list = (await formed([...records, [1]], 'rows')) as { stops: Rows }[];
    for (const at of [0, 1, 200, 399]) {
      expect(list[at]!.stops).toBeInstanceOf(Rows);
      assertSame(list[at]!.stops.toArray(), records[at]!.stops);
    }
    expect(list[400]).toEqual([1]);
  });

  test('contains columns in the records of a list with a list', async () => {
    const list = (await formed([[1], ...records], 'columns')) as { stops: object }[];
    assertSame(list[200]!.stops, { at: Int32Array.of(199, 200) });
    assertSame(list[400]!.stops, { at: Int32Array.of(399, 400) });
  });

  test('is Rows for a list of records with null among them, which is in no column', async () => {
    const list = [...records.slice(0, 200), null, ...records.slice(200), null, null];
    const rows = (await formed(list, 'rows')) as Rows<{ id: number } | null>;
    expect(rows).toBeInstanceOf(Rows);
    assertSame(rows.toArray(), list);
    expect(rows.at(200)).toBe(null);
    assertSame(rows.slice(198, 203).column('id'), [198, 199, undefined, 200, 201]);
    assertSame(Object.keys((await formed(list, 'columns')) as object), ['id', 'stops']);
  });

  test('is Rows for records with null after each', async () => {
    const list = records.flatMap((record) => [record, null]);
    const rows = (await formed(list, 'rows')) as Rows;
    assertSame(rows.toArray(), list);
    assertSame(rows.at(799), null);
    assertSame(rows.at(-2), records[399]);
  });

  test('of a list depends on one item only if that is a list', async () => {
    const item = fc.oneof(
      fc.record({ a: fc.integer() }, { noNullPrototype: true }),
      fc.record({ b: fc.string(), list: fc.tuple(fc.record({ c: fc.nat() }, { noNullPrototype: true })) }, { noNullPrototype: true }),
      fc.constantFrom(null, null, 'text', 1.5, true),
    );
    const items = fc.array(
      fc.oneof(
        { weight: 30, arbitrary: item },
        { weight: 1, arbitrary: fc.array(fc.record({ d: fc.nat() }, { noNullPrototype: true }), { maxLength: 1 }) },
      ),
      { maxLength: 200 },
    );
    await fc.assert(
      fc.asyncProperty(items, async (list) => {
        const values = list.filter((one) => one !== null);
        const isRows = !list.some(Array.isArray) && (values.length === 0 || values.some((one) => typeof one === 'object'));
        const rows = await formed({ list }, 'rows');
        const columns = await formed({ list }, 'columns');
        const found = (rows as { list: unknown }).list;
        expect(found instanceof Rows).toBe(isRows);
        assertSame(withoutRows(rows), { list });
        expect(Array.isArray((columns as { list: unknown }).list)).toBe(!isRows || values.some((one) => typeof one !== 'object'));
        assertSame(comparableColumns(columns), comparableColumns(asColumns({ list })));
      }),
    );
  });

  test('keeps arrays in the records of Rows, in sets and in maps', async () => {
    const value = { records, set: new Set([records.slice(0, 3)]), map: new Map([['list', records.slice(0, 3)]]) };
    const found = (await formed(value, 'rows')) as { records: Rows; set: Set<unknown>; map: Map<string, unknown> };
    assertSame(found.records.at(5), records[5]);
    assertSame([...found.set], [records.slice(0, 3)]);
    assertSame(found.map.get('list'), records.slice(0, 3));
  });

  test('orders the keys of each list as in its own records', async () => {
    const records = Array.from({ length: 60 }, (__, id) => ({
      list:
        id < 50
          ? [{ a: 1, b: 2, c: 3 }]
          : [
              { a: 1, c: 3 },
              { a: 1, b: 2, c: 3 },
            ],
    }));
    const [first, last] = [0, 59].map((at) => (formed([...records, [1]], 'rows') as Promise<{ list: Rows }[]>).then((list) => list[at]!.list));
    expect((await first!).columnNames).toEqual(['a', 'b', 'c']);
    expect((await last!).columnNames).toEqual(['a', 'c', 'b']);
    const top = (await formed(
      [...records.slice(0, 50), ...records.slice(50)].flatMap(({ list }) => list),
      'rows',
    )) as Rows;
    expect(top.columnNames).toEqual(['a', 'b', 'c']);
    expect(top.slice(50).columnNames).toEqual(['a', 'c', 'b']);
  });

  test('returns numbers as a typed array even if other records of the table have other values', async () => {
    const values = Array.from({ length: 2000 }, (__, at) => ({ value: at < 100 ? at : [at] }));
    const rows = (await formed(values, 'rows')) as Rows<{ value: unknown }>;
    assertSame(
      rows.slice(0, 100).column('value'),
      Int32Array.from({ length: 100 }, (__, at) => at),
    );
    assertSame(
      rows.column('value'),
      values.map(({ value }) => value),
    );
  });
});

describe('columns of records with few keys in common', () => {
  const sparse = (count: number): object[] => Array.from({ length: count }, (_, at) => ({ [`key${at}`]: at }));
  const refused = { name: 'LimitError', limit: 'expansion', message: expect.stringContaining('too few keys in common') as string };

  test.each(Object.entries(CODE_PATHS))('are rejected %s, while rows stay sparse', async (_, formed) => {
    await expect(formed(sparse(5000), 'columns')).rejects.toMatchObject(refused);
    const rows = (await formed(sparse(5000), 'rows')) as Rows;
    assertSame(rows.toArray().slice(7, 9), sparse(5000).slice(7, 9));
    expect(rows.column('key4999')).toHaveLength(5000);
    expect(() => rows.columns()).toThrow(expect.objectContaining(refused) as Error);
    const sorted = await rows.filter(() => true);
    expect(() => sorted.columns()).toThrow(expect.objectContaining(refused) as Error);
  });

  test.each(Object.entries(CODE_PATHS))('are allowed %s where they are few, or have enough of the keys', async (_, formed) => {
    const few = (await formed(sparse(300), 'columns')) as Record<string, unknown[]>;
    expect(Object.keys(few)).toHaveLength(300);
    expect(few['key7']!.slice(6, 9)).toEqual([undefined, 7, undefined]);
    const some = Array.from({ length: 2000 }, (__, row) =>
      Object.fromEntries(Array.from({ length: 10 }, (___, at) => [`k${(row * 10 + at) % 500}`, at])),
    );
    expect(Object.keys((await formed(some, 'columns')) as object)).toHaveLength(500);
  });

  test.each(['JSON', 'MessagePack'])('are rejected by a decode of %s, in all its lists together', async (format) => {
    const lists = Array.from({ length: 10 }, (_, at) => [`list ${at}`, sparse(300)]);
    const decodeLists = (count: number, limits: object = {}): Promise<object> => {
      const value = Object.fromEntries(lists.slice(0, count)) as unknown;
      const bytes = format === 'JSON' ? new TextEncoder().encode(JSON.stringify(value)) : pack(value);
      return createDecoder().decode(bytes, { as: 'columns', limits });
    };
    const tooMany = { name: 'LimitError', limit: 'expansion' };
    expect(Object.keys(await decodeLists(1))).toHaveLength(1);
    await expect(decodeLists(10)).rejects.toMatchObject(tooMany);
    expect(Object.keys(await decodeLists(10, { expansion: 100 }))).toHaveLength(10);
    await expect(decodeLists(2, { expansion: 1 })).rejects.toMatchObject(tooMany);
  });

  test('are rejected in batches', async () => {
    const batches = createDecoder().batches(pack(sparse(5000)), { as: 'columns', batchSize: 5000 });
    await expect(batches.next()).rejects.toMatchObject(refused);
  });
});

describe('formInSlices', () => {
  const plugins = Object.fromEntries(Array.from({ length: 5000 }, (_, id) => [`plugin ${id}`, { id, developers: [{ name: `developer ${id}` }] }]));

  test('yields while it visits many objects', async () => {
    const slicer = new EagerSlicer();
    const found = (await formInSlices({ plugins: structuredClone(plugins) }, 'rows', [], slicer)) as {
      plugins: Record<string, { developers: Rows }>;
    };
    expect(slicer.pauses).toBeGreaterThan(5);
    assertSame(found.plugins['plugin 4999']!.developers.toArray(), plugins['plugin 4999']!.developers);
  });

  test('ends with the reason of an abort between two slices', async () => {
    const controller = new AbortController();
    const slicer = new EagerSlicer(controller.signal, (pauses) => pauses === 3 && controller.abort(new Error('enough')));
    await expect(formInSlices({ plugins: structuredClone(plugins) }, 'rows', [], slicer)).rejects.toThrow('enough');
  });

  test('leaves excepted lists unchanged', async () => {
    const excepted = { list: [{ id: 1 }] };
    const found = await formInSlices({ excepted, list: [{ id: 2 }] }, 'rows', [excepted], new EagerSlicer());
    expect((found as { excepted: unknown }).excepted).toEqual({ list: [{ id: 1 }] });
    expect((found as { list: unknown }).list).toBeInstanceOf(Rows);
  });
});
