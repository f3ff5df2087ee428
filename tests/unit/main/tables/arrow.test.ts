import * as Plot from '@observablehq/plot';
import { toDataColumns } from '@uwdata/mosaic-core';
import { Mark as MosaicMark } from '@uwdata/mosaic-plot';
import { fromArrow, op, table } from 'arquero';
import { describe, expect, test } from 'vitest';
import { rowsOf } from '../../../../main/rows/form.ts';
import type { Rows } from '../../../../main/rows/rows.ts';
import { emit } from '../../../setup/values/emit.ts';
import { assertSame } from '../../../setup/ways/differential.ts';
import { throughBlock } from '../../../setup/ways/through-block.ts';
import { lazyRows } from './arbitrary.ts';

/** A mark of Plot: the channels hold the data that Plot has read for drawing. */
interface Mark {
  initialize(): { channels: Record<string, { value: ArrayLike<unknown> }> };
}

interface Order {
  id: number;
  status: string;
  total: number | null;
  placed: Date;
  big: bigint;
  paid: boolean;
  lines: number[];
}

const orders: Order[] = Array.from({ length: 500 }, (_, id) => ({
  id,
  status: id % 2 === 0 ? 'open' : 'sent',
  total: id % 7 === 0 ? null : id / 4,
  placed: new Date(1.7e12 + id * 1000),
  big: BigInt(id),
  paid: id % 3 === 0,
  lines: [id],
}));

async function columns(): Promise<Rows<Order>> {
  return (await throughBlock((sink) => emit(sink, structuredClone(orders)), 'rows')) as Rows<Order>;
}

describe.each([
  ['columns', columns],
  ['objects', async () => rowsOf(orders) as Rows<Order>],
  ['a view', async () => (await columns()).sortBy('id')],
])('rows of %s', (_, make) => {
  test('implements the interface of an Arrow table', async () => {
    const rows = await make();
    expect([rows.numRows, rows.numCols]).toEqual([500, 7]);
    expect(rows.schema.fields.map(({ name, type }) => [name, type.typeId])).toEqual([
      ['id', 3],
      ['status', 5],
      ['total', 3],
      ['placed', 10],
      ['big', 2],
      ['paid', 6],
      ['lines', 0],
    ]);
    assertSame(rows.get(3), orders[3]);
    expect(rows.getChild('none' as 'id')).toBe(null);
    expect(rows.getChildAt(7)).toBe(null);
    const total = rows.getChild('total')!;
    expect([total.length, total.nullCount, total.get(7), total.at(8), total.at(500)]).toEqual([500, 72, null, 2, undefined]);
    assertSame(
      total.toJSON(),
      orders.map((order) => order.total),
    );
    const id = rows.getChildAt(0)!;
    expect(id.toArray()).toBeInstanceOf(Int32Array);
    expect(id.nullCount).toBe(0);
    assertSame([...id], [...orders.keys()]);
  });

  test('Observable Plot draws the rows without an adapter', async () => {
    const rows = await make();
    assertSame(
      [...(Plot.valueof(rows, 'placed') as Iterable<unknown>)],
      orders.map(({ placed }) => placed),
    );
    // Marks are initialised without a document; the declaration has no such method.
    const mark = Plot.dot(rows, { x: 'placed', y: 'total', fill: 'status' }) as unknown as Mark;
    const { channels } = mark.initialize();
    assertSame(
      Array.from(channels['y']!.value),
      orders.map(({ total }) => total),
    );
    assertSame(
      Array.from(channels['fill']!.value),
      orders.map(({ status }) => status),
    );
  });

  test('Mosaic draws the rows without an adapter', async () => {
    const rows = await make();
    const { numRows, ...rest } = toDataColumns(rows);
    expect(numRows).toBe(500);
    const { columns } = rest as { columns: Record<string, ArrayLike<unknown>> };
    expect(Object.keys(columns)).toEqual(rows.columnNames);
    for (const key of rows.columnNames)
      assertSame(
        Array.from(columns[key]!),
        orders.map((order) => order[key as keyof Order]),
      );
    expect(columns['id']).toBeInstanceOf(Int32Array);
    const mark = new MosaicMark('dot', { table: 'orders' }, { x: 'placed', y: 'total', fill: 'status' });
    const [spec] = mark.queryResult(rows).plotSpecs() as { data: Plot.Data; options: Plot.DotOptions }[];
    const { channels } = (Plot.dot(spec!.data, spec!.options) as unknown as Mark).initialize();
    for (const [channel, key] of [
      ['x', 'placed'],
      ['y', 'total'],
      ['fill', 'status'],
    ] as const)
      assertSame(
        Array.from(channels[channel]!.value),
        orders.map((order) => order[key]),
      );
  });

  test('Plot and arquero take dates as numbers and strings as codes', async () => {
    const rows = await make();
    const placed = rows.column('placed', { as: 'float64' });
    expect(placed).toBeInstanceOf(Float64Array);
    // The type says that the numbers are dates.
    expect(rows.getChild('placed')!.type).toEqual({ typeId: 10, unit: 1 });
    const { codes, values } = await rows.codes('status');
    expect(codes).toBeInstanceOf(Uint32Array);
    expect(values).toEqual(['open', 'sent']);
    const mark = Plot.dot({ length: rows.length }, { x: placed, fill: codes }) as unknown as Mark;
    const { channels } = mark.initialize();
    expect(channels['x']!.value).toBe(placed);
    expect(channels['fill']!.value).toBe(codes);
    const counts = table({ placed, codes })
      .groupby('codes')
      .rollup({ count: op.count(), last: op.max('placed') })
      .objects() as { codes: number; count: number; last: number }[];
    expect(counts.map(({ codes: code, ...rest }) => ({ status: values[code], ...rest }))).toEqual([
      { status: 'open', count: 250, last: orders[498]!.placed.getTime() },
      { status: 'sent', count: 250, last: orders[499]!.placed.getTime() },
    ]);
  });

  test('arquero reads the rows without an adapter', async () => {
    const orderTable = fromArrow((await make()) as never);
    expect(orderTable.numRows()).toBe(500);
    const sums = orderTable
      .groupby('status')
      .rollup({ count: op.count(), total: op.sum('total') })
      .objects();
    const sum = (status: string): number => orders.reduce((all, order) => all + (order.status === status ? (order.total ?? 0) : 0), 0);
    expect(sums).toEqual(['open', 'sent'].map((status) => ({ status, count: 250, total: sum(status) })));
    expect(orderTable.get('placed', 5)).toEqual(orders[5]!.placed);
  });
});

test('columns with absent or null values contain nulls, and have the type of their first value', () => {
  const rows = lazyRows([{ a: null }, {}, { a: 'text', b: null }]);
  expect(rows.getChild('a')!.type).toEqual({ typeId: 5 });
  assertSame(rows.getChild('a')!.toArray(), [null, null, 'text']);
  expect(rows.getChild('b')!.type).toEqual({ typeId: 0 });
  expect(rows.getChild('b')!.nullCount).toBe(3);
  expect(rowsOf([]).schema).toEqual({ fields: [] });
});
