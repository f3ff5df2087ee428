import { describe, expect, test } from 'vitest';
import { ROW_LIST } from '../../../../core/values/record-list.ts';
import { NewRow } from '../../../../core/previous/rows-form.ts';
import { rowsForm } from '../../../../main/previous/rows-form.ts';
import { isRows, type Rows } from '../../../../main/rows/rows.ts';
import { rowsOf } from '../../../../main/rows/form.ts';
import { GrowingRows } from '../../../../main/streams/growing-rows.ts';
import type { Batches } from '../../../../main/streams/batches.ts';
import { mergeSort } from '../../../../main/tables/merge-sort.ts';
import { NumberKeys, sortByNumbers } from '../../../../main/tables/radix-sort.ts';
import { hurryClock } from '../../../setup/stand-ins/clock.ts';
import { emit } from '../../../setup/values/emit.ts';
import { assertSame } from '../../../setup/ways/differential.ts';
import { throughBlock } from '../../../setup/ways/through-block.ts';
import { EagerSlicer } from '../../core/slicing/slices.ts';
import { lazyRows } from './arbitrary.ts';

interface Order {
  id: number;
  status: string;
  total: number;
  note: string | null;
  placed: Date;
  lines: { count: number }[];
}

const orders: Order[] = Array.from({ length: 20_000 }, (_, id) => ({
  id,
  status: ['open', 'paid', 'sent'][id % 3]!,
  total: (id * 7919) % 1000,
  note: id % 10 === 0 ? null : `note ${(id * 31) % 20_000}`,
  placed: new Date(1.7e12 + ((id * 104_729) % 20_000) * 60_000),
  lines: [{ count: id % 5 }],
}));

let shared: Promise<unknown> | undefined;

/** The orders as `Rows`, which no test can change. */
async function rowsOfOrders(): Promise<Rows<Order>> {
  shared ??= throughBlock((sink) => emit(sink, orders), 'rows');
  return (await shared) as Rows<Order>;
}

describe('Rows', () => {
  test('returns the same object for a row while it is alive, from every method and in every view', async () => {
    const rows = await rowsOfOrders();
    const order = rows.at(15_000);
    expect(rows.at(15_000)).toBe(order);
    expect(rows.find(({ id }) => id === 15_000)).toBe(order);
    expect(rows.slice(14_990).at(10)).toBe(order);
    expect([...rows][15_000]).toBe(order);
    expect(rows.toArray()[15_000]).toBe(order);
    expect((await rows.toArrayAsync())[15_000]).toBe(order);
    const sorted = await rows.sortBy({ key: 'id', descending: true });
    expect(sorted.at(4_999)).toBe(order);
    expect((await sorted.where('status', 'open')).toArray().includes(order!)).toBe(true);
    const lazy = lazyRows([{ a: 1 }, { a: 2 }]);
    expect(lazy.at(1)).toBe(lazy.at(-1));
  });

  test('identifies rows in isRows, Object.prototype.toString and the console', async () => {
    const rows = await rowsOfOrders();
    for (const one of [rows, rows.slice(1), await rows.where('id', 3), rowsOf([])]) {
      expect(isRows(one)).toBe(true);
      expect(Object.prototype.toString.call(one)).toBe('[object Rows]');
    }
    for (const other of [[], null, undefined, 'text', {}]) expect(isRows(other)).toBe(false);
    const inspect = (
      rowsOf([{ a: 1 }]) as unknown as Record<symbol, (depth: number, options: object, inspect: (value: unknown) => string) => string>
    )[Symbol.for('nodejs.util.inspect.custom')]!;
    expect(inspect.call(rowsOf([{ a: 1 }]), 2, {}, (value) => JSON.stringify(value))).toBe('Rows(1) [{"a":1}]');
  });

  test('reduces without an initial value as arrays do, and throws if the rows are empty', async () => {
    expect(rowsOf([1, 2, 3]).reduce((sum, item) => (sum as number) + (item as number))).toBe(6);
    expect(rowsOf([]).reduce((sum) => sum, 5)).toBe(5);
    expect(() => rowsOf([]).reduce((sum) => sum)).toThrow(TypeError);
  });

  test('returns items that are not records unchanged, and passes them to predicates', async () => {
    const rows = rowsOf([1, null, { a: 2 }, 'text']);
    expect(rows.find((item) => item === null)).toBe(null);
    assertSame((await rows.filter((item) => typeof item === 'string')).toArray(), ['text']);
    assertSame((await (rows as Rows<{ a: number }>).where('a', 2)).toArray(), [{ a: 2 }]);
    assertSame(await (rows as Rows<{ a: number }>).distinct('a'), [undefined, 2]);
  });
});

describe('a predicate', () => {
  test('cannot change the row that it reads, and the attempt rejects the call', async () => {
    const rows = await rowsOfOrders();
    await expect(
      rows.filter((row) => {
        (row as Order).total = 0;
        return true;
      }),
    ).rejects.toThrow(TypeError);
    await expect(
      rows.filter((row) => {
        (row as Order & { extra: number }).extra = 0;
        return true;
      }),
    ).rejects.toThrow(TypeError);
    assertSame(rows.toArray(), orders);
  });

  test('rejects the call with the error that it throws, and leaves the rows usable', async () => {
    const rows = await rowsOfOrders();
    const thrown = new Error('no such order');
    const fails = ({ id }: { id: number }): boolean => {
      if (id === 12_345) throw thrown;
      return true;
    };
    await expect(rows.filter(fails)).rejects.toBe(thrown);
    await expect(rows.where('id', (id) => fails({ id }))).rejects.toBe(thrown);
    expect(() => rows.find((row) => !fails(row))).toThrow(thrown);
    assertSame((await rows.filter(() => true)).length, orders.length);
  });

  test('rejects the call if it returns a promise, and accepts other objects', async () => {
    const rows = await rowsOfOrders();
    const refused = new TypeError('a predicate returned a promise: use a function that is not async');
    for (const test of [async () => false, () => Promise.resolve(true)] as unknown[]) {
      await expect(rows.filter(test as () => boolean)).rejects.toThrow(refused);
      for (const key of ['id', 'status', 'note', 'placed', 'lines'] as const)
        await expect(rows.where(key, test as () => boolean)).rejects.toThrow(refused);
    }
    assertSame((await rows.filter((order) => order)).length, orders.length);
    assertSame((await rows.filter(() => null)).length, 0);
  });

  test('copies a row with all its properties', async () => {
    const rows = await rowsOfOrders();
    let copy: object = {};
    await rows.filter((row) => (row.id === 777 ? (copy = { ...row }) : false));
    assertSame(copy, orders[777]);
  });

  test('receives the rows, and finds the same records in them', async () => {
    const rows = await rowsOfOrders();
    const chosen = new Set([rows.at(3), rows.at(19_999)]);
    const found = await rows.filter((_, index, all) => chosen.has(all.at(index)));
    assertSame(found.column('id'), Int32Array.of(3, 19_999));
  });

  test('searches the same rows that it filters', async () => {
    const rows = await rowsOfOrders();
    const found = await rows.slice(0, 30).filter(({ total }) => rows.findIndex((row) => row.total === total + 1) >= 0);
    assertSame(
      found.toArray(),
      orders.slice(0, 30).filter(({ total }) => orders.some((order) => order.total === total + 1)),
    );
  });
});

describe('views', () => {
  test('takes 4 bytes for each row, whatever the view was made of', async () => {
    const rows = await rowsOfOrders();
    const open = await rows.filter({ status: 'open' });
    const sorted = await open.sortBy('total');
    const views = [open, sorted, await sorted.filter(({ id }) => id % 2 === 0), await sorted.where('note', null)];
    for (const view of views) expect(view[ROW_LIST].index!.buffer.byteLength).toBe(4 * view.length);
    // Views of groups share one index.
    const groups = [...(await rows.groupBy('status')).values()];
    const memory = new Set(groups.map((group) => group[ROW_LIST].index!.buffer));
    expect([...memory].map(({ byteLength }) => byteLength)).toEqual([4 * rows.length]);
  });

  test('reads the rows of the first list through views of views', async () => {
    const rows = await rowsOfOrders();
    const open = await rows.filter({ status: 'open', total: { gte: 100, lt: 300 } });
    const sorted = await open.sortBy(['total', { key: 'placed', descending: true }]);
    const expected = orders
      .filter(({ status, total }) => status === 'open' && total >= 100 && total < 300)
      .toSorted((one, other) => one.total - other.total || other.placed.getTime() - one.placed.getTime());
    assertSame(sorted.toArray(), expected);
    assertSame(
      (await sorted.slice(10, 500).where('note', null)).toArray(),
      expected.slice(10, 500).filter(({ note }) => note === null),
    );
    assertSame(
      sorted.column('total'),
      Int32Array.from(expected, ({ total }) => total),
    );
    assertSame(sorted.columnNames, Object.keys(orders[0]!));
    assertSame(JSON.parse(JSON.stringify(sorted)), JSON.parse(JSON.stringify(expected)));
  });

  test('limits a view of growing rows to the rows that had arrived', async () => {
    let more = (): void => {};
    const wait = new Promise<void>((resolve) => (more = resolve));
    async function* batches(): AsyncGenerator<Rows<Order>> {
      await wait;
      yield (await rowsOfOrders()).slice(10, 20);
    }
    const rows = new GrowingRows(batches() as unknown as Batches<Rows<Order>>, (await rowsOfOrders()).slice(0, 10), undefined);
    const before = await rows.sortBy({ key: 'id', descending: true });
    more();
    await rows.done;
    assertSame(before.toArray(), orders.slice(0, 10).toReversed());
    assertSame((await rows.sortBy({ key: 'id', descending: true })).toArray(), orders.slice(0, 20).toReversed());
    expect(await rows.filter(() => true)).not.toBeInstanceOf(GrowingRows);
  });

  test('ignores rows of other types that arrive during a call', async () => {
    const some = orders.slice(0, 4_000);
    const first = (await throughBlock((sink) => emit(sink, some), 'rows')) as Rows<Order>;
    const others = [{ id: 'text', status: 5, total: null, note: [1], placed: true }, ...orders.slice(0, 10)] as unknown as Order[];
    const methods: ((rows: Rows<Order>) => Promise<unknown>)[] = [
      ...(['id', 'status', 'total', 'note', 'placed'] as const).map((key) => async (rows: Rows<Order>) => (await rows.sortBy(key)).toArray()),
      async (rows) => (await rows.filter(({ total }) => total > 500)).toArray(),
      async (rows) => (await rows.filter({ status: 'open', total: { gt: 500 } })).toArray(),
      async (rows) => rows.distinct('note'),
      async (rows) => [...(await rows.groupBy('status')).values()].map((group) => group.toArray()),
    ];
    hurryClock();
    for (const method of methods) {
      let more = (): void => {};
      const wait = new Promise<void>((resolve) => (more = resolve));
      async function* batches(): AsyncGenerator<Rows<Order>> {
        await wait;
        for (let batch = 0; batch < 3; batch += 1) yield rowsOf(others) as Rows<Order>;
      }
      const rows = new GrowingRows(batches() as unknown as Batches<Rows<Order>>, first, undefined);
      const work = method(rows);
      // The call has begun by then, and continues in a later task.
      await Promise.resolve().then(more);
      await rows.done;
      assertSame(rows.length, some.length + 3 * others.length);
      assertSame(await work, await method(first));
    }
  });

  test('sorts texts that share long prefixes, and many equal texts', async () => {
    const texts = Array.from({ length: 9_000 }, (_, at) => ({
      at,
      text: `${'shared beginning '.repeat(3).slice(0, 48 + (at % 4))}${at % 3 === 0 ? 'x' : (at * 7919) % 50_000}`,
    }));
    const unique = Array.from({ length: 30_000 }, (_, at) => ({ at, text: `${(at * 7919) % 30_011} is unlike the others` }));
    for (const list of [texts, [...unique, ...texts]]) {
      const rows = (await throughBlock((sink) => emit(sink, list), 'rows')) as Rows<{ at: number; text: string }>;
      for (const descending of [false, true]) {
        const sign = descending ? -1 : 1;
        const expected = list.toSorted((one, other) => sign * (one.text < other.text ? -1 : one.text > other.text ? 1 : 0));
        assertSame((await rows.sortBy({ key: 'text', descending })).toArray(), expected);
      }
    }
  });
});

describe('an abort', () => {
  test('rejects every method with the reason, before and between two slices', async () => {
    const rows = await rowsOfOrders();
    const methods: ((signal: AbortSignal) => Promise<unknown>)[] = [
      (signal) => rows.filter(({ id }) => id > 5, { signal }),
      (signal) => rows.filter({ id: { gt: 5 } }, { signal }),
      (signal) => rows.where('status', 'open', { signal }),
      (signal) => rows.sortBy('total', { signal }),
      (signal) => rows.sortBy('status', { signal }),
      (signal) => rows.sortBy('note', { signal }),
      (signal) => rows.sortBy('note', { signal, locale: 'de' }),
      (signal) => rows.sortBy('lines', { signal }),
      (signal) => rows.distinct('note', { signal }),
      (signal) => rows.codes('note', { signal }),
      (signal) => rows.groupBy('note', { signal }),
    ];
    hurryClock();
    for (const method of methods) {
      await expect(method(AbortSignal.abort(new Error('before')))).rejects.toThrow('before');
      const controller = new AbortController();
      const work = method(controller.signal);
      controller.abort(new Error('between'));
      await expect(work).rejects.toThrow('between');
    }
  });
});

describe('an invalid argument', () => {
  test.each([
    [{ total: { above: 5 } }, 'unknown comparison "above": use eq, ne, gt'],
    [{ lines: { count: 1 } }, 'or a function; for nested values, use a path such as "customer.name"'],
    [{ total: {} }, 'a condition requires a comparison'],
    [{ note: /A/ }, 'a condition requires a comparison: use eq, ne, gt, gte, lt, lte, in, includes, or a function'],
    [{ status: ['open'] }, 'use { in: [...] }'],
    [{ status: { in: 'open' } }, 'takes an array'],
    [{ status: { includes: 5 } }, 'takes a string'],
    [{ status: { gt: true } }, 'only numbers, bigints, strings and dates'],
    ['open', 'filter takes a function, or an object of conditions'],
    [undefined, 'filter takes a function, or an object of conditions'],
  ])('rejects with a TypeError in filter: %j', async (test, message) => {
    const found = (await rowsOfOrders()).filter(test as never);
    await expect(found).rejects.toThrow(TypeError);
    await expect(found).rejects.toThrow(message);
  });

  test.each([
    ['function', (order: Order) => order.status],
    ['undefined', undefined],
    ['object', { key: 'status' }],
  ])('rejects with a TypeError in groupBy, distinct and codes if the key is of type %s', async (type, key) => {
    const rows = await rowsOfOrders();
    for (const found of [rows.groupBy(key as never), rows.distinct(key as never), rows.codes(key as never)]) {
      await expect(found).rejects.toThrow(new TypeError(`groupBy, distinct and codes take a key, such as "status", not a value of type ${type}`));
    }
  });

  test('rejects with a TypeError in where if the condition or the key is missing', async () => {
    const rows = await rowsOfOrders();
    for (const given of [['status'], [], [(order: Order) => order.status === 'open'], [undefined, 'open']]) {
      const found = (rows.where as (...given: unknown[]) => Promise<unknown>).apply(rows, given);
      await expect(found).rejects.toThrow(new TypeError('where takes a key and a condition, as in where("status", "open")'));
    }
    assertSame((await rows.where('status', undefined)).length, 0);
  });

  test.each([
    [{ key: 'total', desc: true }, 'desc'],
    [['id', { key: 'total', direction: 'desc' }], 'direction'],
  ])('rejects with a TypeError in sortBy if a key has an unknown property: %j', async (orders, name) => {
    const sorted = (await rowsOfOrders()).sortBy(orders as never);
    await expect(sorted).rejects.toThrow(new TypeError(`unknown property "${name}" of a sort key: use key, descending, compare`));
  });

  test('rejects invalid keys and locales in sortBy, and accepts no keys or conditions', async () => {
    const rows = await rowsOfOrders();
    await expect(rows.sortBy([{}] as never)).rejects.toThrow('sortBy takes keys');
    await expect(rows.sortBy('id', { locale: 'no locale' })).rejects.toThrow(RangeError);
    assertSame((await rows.sortBy([])).toArray(), orders);
    assertSame((await rows.filter({})).toArray(), orders);
  });
});

describe('columns of nested records', () => {
  const nested = Array.from({ length: 3_000 }, (_, id) => ({
    id,
    half: id / 2,
    at: { city: `City ${id % 300}`, text: `only ${id}`, open: id % 2 === 0, note: id % 3 === 0 ? null : 'note', mixed: id % 2 === 0 ? id : 'text' },
  }));

  test('take 1 to 8 bytes a row and the bytes of strings, and are made once', async () => {
    const rows = lazyRows(nested) as unknown as Rows<(typeof nested)[number]>;
    const group = rows[ROW_LIST].source.segments[0]!.group!;
    await rows.sortBy(['id', 'half', 'at.city', 'at.text', 'at.open', 'at.note', 'at.mixed']);
    const bytesOf = (path: string): number => {
      const { data, states, bytes, list } = group.made!.get(path)!;
      const strings = list?.chunks.reduce((sum, chunk) => sum + chunk.bytes.length + chunk.ends.byteLength, 0) ?? 0;
      return data.byteLength + (states?.byteLength ?? 0) + bytes.length + strings;
    };
    const { length } = nested;
    const textBytes = (texts: string[]): number => texts.join('').length;
    expect(bytesOf('id')).toBe(4 * length);
    expect(bytesOf('half')).toBe(8 * length);
    expect(bytesOf('at.open')).toBe(length);
    expect(bytesOf('at.text')).toBe(4 * length + textBytes(nested.map(({ at }) => at.text)));
    expect(bytesOf('at.city')).toBe(2 * length + textBytes(nested.slice(0, 300).map(({ at }) => at.city)) + 4 * 300);
    expect(bytesOf('at.note')).toBe(2 * length + 4 + 4);
    expect(group.made!.get('at.mixed')).toBe(undefined);
    const made = new Map(group.made);
    // From here on, no record is read.
    const { bytes } = group.raw!;
    bytes.fill(0);
    assertSame(
      (await rows.filter({ 'at.city': 'City 7', 'at.open': false })).column('id'),
      Int32Array.from(
        nested.filter(({ at }) => at.city === 'City 7' && !at.open),
        ({ id }) => id,
      ),
    );
    assertSame(
      [...(await rows.groupBy('at.note')).values()].map((found) => found.length),
      [1_000, 2_000],
    );
    assertSame(group.made, made);
  });

  test('are made once for all objects that a refetch puts among the rows', async () => {
    type One = (typeof nested)[number];
    const before = lazyRows(nested) as unknown as Rows<One>;
    const change = (id: number): One => ({ ...nested[id]!, at: { ...nested[id]!.at, city: `New ${id % 7}` } });
    const rows = rowsForm.join(
      before,
      nested.map((_, id) => (id % 10 === 4 ? new NewRow(change(id)) : id)),
    ) as Rows<One>;
    const expected = nested.map((one, id) => (id % 10 === 4 ? change(id) : one));
    const { segments } = rows[ROW_LIST].source;
    expect(segments.length).toBe(601);
    expect(new Set(segments.map(({ table }) => table)).size).toBe(2);
    for (let run = 0; run < 2; run += 1) {
      const byCity = (one: One, other: One): number => (one.at.city < other.at.city ? -1 : one.at.city > other.at.city ? 1 : 0);
      assertSame((await rows.sortBy('at.city')).toArray(), expected.toSorted(byCity));
      assertSame(
        (await rows.filter({ 'at.city': { in: ['New 3', 'City 7'] }, 'at.open': true })).toArray(),
        expected.filter(({ at }) => ['New 3', 'City 7'].includes(at.city) && at.open),
      );
      assertSame((await rows.sortBy('at.text')).slice(5, 50).length, 45);
    }
    // A second refetch puts the objects of the first one among its own.
    const again = rowsForm.join(rows, [...nested.keys()].slice(5)) as Rows<One>;
    assertSame(again.toArray(), expected.slice(5));
    assertSame((await again.filter({ 'at.city': 'New 3' })).length, expected.slice(5).filter(({ at }) => at.city === 'New 3').length);
  });

  test('are kept for the last 16 keys and paths', async () => {
    const wide = Array.from({ length: 20 }, (_, id) => ({ of: Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`k${at}`, id * at])) }));
    const rows = lazyRows(wide) as unknown as Rows<{ of: Record<string, number> }>;
    for (let at = 0; at < 20; at += 1) await rows.sortBy(`of.k${at}`);
    const [{ group }] = rows[ROW_LIST].source.segments as never as [{ group: { made: Map<string, unknown> } }];
    expect([...group.made.keys()]).toEqual(Array.from({ length: 16 }, (_, at) => `of.k${at + 4}`));
    const paths = Array.from({ length: 20 }, (_, at) => `of.k${at}` as const);
    assertSame((await rows.sortBy(paths)).toArray(), wide);
  });

  test('are not made for a view of few of the rows', async () => {
    const rows = lazyRows(nested) as unknown as Rows<(typeof nested)[number]>;
    const few = await rows.filter(({ id }) => id % 100 === 7);
    assertSame((await few.sortBy({ key: 'at.text', descending: true })).length, 30);
    expect(rows[ROW_LIST].source.segments[0]!.group!.made).toBe(undefined);
  });
});

describe('a key that no record has', () => {
  test('rejects with a TypeError that names a similar key or path', async () => {
    const lazy = lazyRows([{ id: 1, customer: { city: 'Ulm', orders: [1] } }]) as unknown as Rows<{ customer: { city: string; orders: number[] } }>;
    for (const rows of [lazy, rowsOf([{ id: 1, customer: { city: 'Ulm', orders: [1] } }]) as typeof lazy]) {
      await expect(rows.sortBy('custumer' as never)).rejects.toThrow(
        new TypeError('no record has the key custumer; did you mean customer? expected one of id, customer'),
      );
      await expect(rows.groupBy('customer.town' as never)).rejects.toThrow(/did you mean customer\.city\?/);
      await expect(rows.distinct('customer.orders.size' as never)).rejects.toThrow(/expected one of id, customer\.city, customer\.orders\.length$/);
      assertSame(await rows.distinct('customer.orders.length'), [1]);
      assertSame(rows.column('customer.orders.length', { as: 'float64' }), Float64Array.of(1));
    }
    await expect((await rowsOfOrders()).sortBy('totla' as never)).rejects.toThrow('did you mean total?');
  });

  test('is no error for an empty list, and in a condition that asks for undefined', async () => {
    const rows = await rowsOfOrders();
    assertSame((await rows.where('other' as never, undefined)).length, orders.length);
    const none = (rowsOf([]) as Rows<Order>).slice();
    assertSame((await none.sortBy('other' as never)).length, 0);
    assertSame(await none.distinct('other' as never), []);
  });
});

describe('sorting in slices', () => {
  test('yields the thread between steps, and returns the same order', async () => {
    const values = Array.from({ length: 50_000 }, (_, at) => Math.sin(at) * 1e6);
    const expected = [...values.keys()].toSorted((one, other) => values[one]! - values[other]!);
    const keys = new NumberKeys(values.length);
    values.forEach((value, row) => keys.set(row, value));
    const slicer = new EagerSlicer();
    const rows = await sortByNumbers(Uint32Array.from(values.keys()), keys, false, slicer);
    assertSame([...rows], expected);
    expect(slicer.pauses).toBeGreaterThan(10);
    const merging = new EagerSlicer();
    const some = Uint32Array.from(values.slice(0, 2_000).keys());
    assertSame(
      [...(await mergeSort(some, (one, other) => values[one]! - values[other]!, merging))],
      expected.filter((row) => row < 2_000),
    );
    expect(merging.pauses).toBeGreaterThan(10);
  });
});
