import { describe, expect, onTestFinished, test } from 'vitest';
import { changesOf } from '../../../../core/previous/changes.ts';
import { NewRow } from '../../../../core/previous/rows-form.ts';
import { createDecoder } from '../../../../main/index.ts';
import { rowsForm } from '../../../../main/previous/rows-form.ts';
import type { Rows, RowsView, ViewOptions } from '../../../../main/rows/rows.ts';
import type { Batches } from '../../../../main/streams/batches.ts';
import { GrowingRows } from '../../../../main/streams/growing-rows.ts';
import fc from '../../../setup/properties/property.ts';
import * as fast from '../../../setup/properties/fast-check.ts';
import { hurryClock, tasksDuring } from '../../../setup/stand-ins/clock.ts';
import { type Item, items, lazyRows, PATHS, WAYS } from './arbitrary.ts';
import { COMPARED, distinct, isKnown, same, sorted, sortedBy, valueOf } from './expected.ts';

const RUNS = { numRuns: 100 };

/** Options of a view, for the view and for arrays. */
interface Query {
  readonly options: ViewOptions<Item>;
  readonly names: readonly string[];
  show(list: readonly Item[]): Item[];
  groups(list: readonly Item[]): Map<unknown, Item[]>;
}

const byLength = (one: unknown, other: unknown): number => String(one).length - String(other).length;
const german = new Intl.Collator('de').compare;
const key = fc.constantFrom<string>(...PATHS);

/** Filters by conditions or by a function, which an array uses as well. */
const filters = fc.oneof(
  fc.constant({ names: [] as string[], filter: undefined, test: () => true }),
  fc
    .tuple(key, fc.constantFrom('eq', 'ne'), fc.constantFrom<unknown>(0, 1, 'open', 'a', true, null, undefined))
    .map(([name, comparison, operand]) => ({
      names: operand === undefined && comparison === 'eq' ? [] : [name],
      filter: { [name]: { [comparison]: operand } },
      test: (item: Item) => COMPARED[comparison]!(valueOf(item, name), operand),
    })),
  fc.tuple(key, fc.constantFrom(2, 3)).map(([name, divisor]) => {
    const test = (item: Item): boolean => String(valueOf(item, name)).length % divisor === 0;
    return { names: [] as string[], filter: test, test };
  }),
);

/** Orders by keys, by functions, or none. */
const orders = fc.oneof(
  fc.constant({ names: [] as string[], options: {}, sort: (list: Item[]) => list }),
  fc.tuple(key, key, fc.boolean(), fc.boolean()).map(([first, second, descending, isGerman]) => ({
    names: [first, second],
    options: { sortBy: [{ key: first, descending }, second], ...(isGerman && { locale: 'de' }) },
    sort: (list: Item[]) => sorted(sorted(list, second, false, isGerman ? german : undefined), first, descending, isGerman ? german : undefined),
  })),
  fc.tuple(key, fc.boolean()).map(([name, descending]) => ({
    names: [name],
    options: { sortBy: { key: name, descending, compare: byLength } },
    sort: (list: Item[]) => sortedBy(list, name, descending, byLength),
  })),
  key.map((name) => {
    const compare = (one: Item, other: Item): number => byLength(valueOf(one, name), valueOf(other, name));
    return { names: [], options: { sortBy: compare }, sort: (list: Item[]) => list.toSorted(compare) };
  }),
);

const isPlain = (value: unknown): boolean => typeof value !== 'object' || value === null || value instanceof Date;

const queries: fc.Arbitrary<Query> = fc.tuple(filters, orders, fc.option(key, { nil: undefined })).map(([filter, order, groupBy]) => ({
  names: [...filter.names, ...order.names, ...(groupBy === undefined ? [] : [groupBy])],
  options: { filter: filter.filter, sortBy: undefined, locale: undefined, ...order.options, groupBy } as ViewOptions<Item>,
  show: (list) => order.sort(list.filter((item) => filter.test(item))),
  groups: (list) =>
    new Map(
      (groupBy === undefined ? [] : distinct(list, groupBy).filter(isPlain)).map((value) => [
        value,
        list.filter((item) => same(valueOf(item, groupBy!), value)),
      ]),
    ),
}));

/** Changes of a list by a refetch: rows that are new, changed, gone or elsewhere. */
type Edit =
  | { readonly kind: 'add' | 'change' | 'remove'; readonly at: number; readonly item: number }
  | { readonly kind: 'move'; readonly at: number; readonly to: number }
  | { readonly kind: 'reverse' | 'replace' };

const edit: fc.Arbitrary<Edit> = fc.oneof(
  { arbitrary: fc.record({ kind: fc.constantFrom('add', 'change', 'remove'), at: fc.nat(), item: fc.nat() }), weight: 12 },
  { arbitrary: fc.record({ kind: fc.constant('move'), at: fc.nat(), to: fc.nat() }), weight: 4 },
  fc.record({ kind: fc.constantFrom('reverse', 'replace') }),
);

/** The rows of a refetch, by what `edits` did: earlier rows by their index, and new ones. */
function edited(length: number, edits: readonly Edit[], pool: readonly Item[]): (number | NewRow)[] {
  let list: (number | NewRow)[] = Array.from({ length }, (_, at) => at);
  const fresh = (at: number): NewRow => new NewRow({ ...pool[at % pool.length] });
  for (const change of edits) {
    if (change.kind === 'reverse') list.reverse();
    else if (change.kind === 'replace') list = list.map((_, at) => fresh(at));
    else if (change.kind === 'add') list.splice(change.at % (list.length + 1), 0, fresh(change.item));
    else if (list.length > 0 && change.kind === 'change') list[change.at % list.length] = fresh(change.item);
    else if (list.length > 0 && change.kind === 'remove') list.splice(change.at % list.length, 1);
    else if (list.length > 0 && change.kind === 'move') list.splice(change.to % list.length, 0, ...list.splice(change.at % list.length, 1));
  }
  return list;
}

/** All records of rows, which stay the same objects while the list is held. */
function held(rows: Rows<Item>): Item[] {
  return Array.from({ length: rows.length }, (_, at) => rows.at(at)!);
}

function expectSame(rows: Rows<Item>, expected: readonly Item[]): void {
  expect(rows.length).toBe(expected.length);
  for (const [index, item] of expected.entries()) if (rows.at(index) !== item) expect(rows.at(index), `row ${index}`).toBe(item);
}

/** Compares a view with arrays, by the identity of records. */
function expectView(view: RowsView<Item>, list: readonly Item[], query: Query): void {
  const shown = query.show(list);
  expectSame(view.rows, shown);
  const groups = [...view.groups].filter(([value]) => isPlain(value));
  const expected = [...query.groups(shown)];
  expect(groups.map(([value]) => value)).toStrictEqual(expected.map(([value]) => value));
  for (const [at, [, group]] of groups.entries()) expectSame(group, expected[at]![1]);
  expect(view.getSnapshot().rows).toBe(view.rows);
  expect(view.getSnapshot().groups).toBe(view.groups);
}

const CASES: readonly (readonly [string, (list: Item[]) => Promise<Rows<Item>>])[] = [
  ...Object.entries(WAYS),
  ['records that stay JSON', async (list) => lazyRows(list.map((item) => JSON.parse(JSON.stringify(item, withoutBigInts)) as Item))],
];

function withoutBigInts(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value;
}

describe.each(CASES)('a view of rows from %s', (_, make) => {
  test('shows after refetches and other options the records that arrays of them would have, as the same objects', async () => {
    await fast.assert(
      fc.asyncProperty(
        items.filter((list) => list.length > 0),
        items.filter((list) => list.length > 0),
        fc.array(fc.oneof({ arbitrary: fc.array(edit, { maxLength: 12 }), weight: 3 }, queries), { minLength: 1, maxLength: 5 }),
        queries,
        async (start, pool, steps, first) => {
          let rows = await make(start);
          let list = held(rows);
          let query = first;
          // Keys must be known when they are first used.
          fc.pre(query.names.every((name) => isKnown(list, name)));
          const view = await rows.view(query.options);
          expectView(view, list, query);
          let told = 0;
          view.subscribe(() => (told += 1));
          for (const step of steps) {
            const before = {
              snapshot: view.getSnapshot(),
              shown: held(view.rows),
              groups: new Map([...view.groups].map(([value, group]) => [value, held(group)])),
            };
            told = 0;
            if (Array.isArray(step)) {
              const changed = edited(rows.length, step, pool);
              const next = changed.map((one) => (typeof one === 'number' ? list[one]! : (one.item as Item)));
              rows = (rowsForm.join(rows, changed) as Rows<Item> | undefined) ?? (await make(next));
              list = held(rows);
              await view.update(rows);
            } else {
              if (!step.names.every((name) => isKnown(list, name))) continue;
              query = step;
              await view.update(query.options);
            }
            expectView(view, list, query);
            const isSame = (one: readonly Item[] | undefined, other: readonly Item[]): boolean =>
              one?.length === other.length && one.every((item, at) => item === other[at]);
            expect(view.rows === before.snapshot.rows).toBe(isSame(before.shown, held(view.rows)));
            for (const [value, group] of view.groups) {
              expect(group === before.snapshot.groups.get(value)).toBe(isSame(before.groups.get(value), held(group)));
            }
            expect(told).toBe(view.getSnapshot() === before.snapshot ? 0 : 1);
          }
        },
      ),
      RUNS,
    );
  });
});

interface Order {
  id: number;
  customer: { city: string };
  total: number;
  note?: string;
}

const CITIES = ['Basel', 'Lyon', 'Porto', 'Ulm'];
const orderList: Order[] = Array.from({ length: 4000 }, (__, id) => ({ id, customer: { city: CITIES[id % 4]! }, total: (id * 7919) % 1000 }));

function lazyOrders(list: readonly Order[] = orderList): Rows<Order> {
  return lazyRows(list as unknown as Item[]) as unknown as Rows<Order>;
}

/** Rows of a refetch in which some orders have changed. */
function refetched(rows: Rows<Order>, changes: Readonly<Record<number, Partial<Order>>>): Rows<Order> {
  const next = Array.from({ length: rows.length }, (__, at) => (changes[at] ? new NewRow({ ...rows.at(at)!, ...changes[at] }) : at));
  return rowsForm.join(rows, next) as Rows<Order>;
}

const idsOf = (rows: Rows<Order>): number[] => rows.map(({ id }) => id);

describe('a view', () => {
  test('calls a predicate and a comparison for changed rows alone', async () => {
    const rows = lazyOrders();
    const tested: number[] = [];
    let compared = 0;
    const view = await rows.view({
      filter: (row) => tested.push(row.id) > 0 && row.total >= 500,
      sortBy: { key: 'total', compare: (one, other) => (compared += 1) && (one as number) - (other as number) },
    });
    expect(tested).toHaveLength(4000);
    tested.length = 0;
    compared = 0;
    await view.update(refetched(rows, { 7: { total: 999 }, 90: { total: 1 }, 3000: { total: 501 } }));
    expect(tested).toEqual([7, 90, 3000]);
    expect(compared).toBeLessThan(3 * 20);
    expect(idsOf(view.rows).includes(90)).toBe(false);
  });

  test('keeps its snapshot, and tells no listener, if a refetch changes nothing of what it shows', async () => {
    const rows = lazyOrders();
    const view = await rows.view({ filter: { 'customer.city': 'Ulm' }, sortBy: 'total', groupBy: 'customer.city' });
    let told = 0;
    const stop = view.subscribe(() => (told += 1));
    const { subscribe, getSnapshot } = view;
    const before = getSnapshot();
    const [first] = before.rows;
    const next = refetched(rows, { 0: { total: 7 } });
    await view.update(next);
    expect(getSnapshot()).toBe(before);
    expect(before.rows.at(0)).toEqual(first);
    expect(told).toBe(0);
    await view.update(refetched(next, { 3: { total: -1 } }));
    expect(told).toBe(1);
    expect(getSnapshot()).not.toBe(before);
    expect(view.rows.at(0)).toEqual({ id: 3, customer: { city: 'Ulm' }, total: -1 });
    stop();
    subscribe(() => (told += 10))();
    await view.update({ sortBy: 'id' });
    expect(told).toBe(1);
  });

  test('keeps groups whose records have not changed, and their Map if none has', async () => {
    const rows = lazyOrders();
    const view = await rows.view({ sortBy: 'total', groupBy: 'customer.city' });
    const { groups } = view;
    expect([...groups.values()].map(({ length }) => length)).toEqual([1000, 1000, 1000, 1000]);
    await view.update(refetched(rows, { 1: { total: 5000 } }));
    expect(view.groups).not.toBe(groups);
    for (const city of CITIES) expect(view.groups.get(city) === groups.get(city)).toBe(city !== 'Lyon');
    expect(view.groups.get('Lyon')!.at(-1)!.id).toBe(1);
    const again = view.groups;
    await view.update({ sortBy: ['total'] });
    expect(view.groups).toBe(again);
  });

  test('does nothing for equal options, also in new objects', async () => {
    const rows = lazyOrders();
    let tested = 0;
    const filter = { id: (id: number) => (tested += 1) > 0 && id < 100, 'customer.city': { in: ['Ulm'] } };
    const view = await rows.view({ filter, sortBy: [{ key: 'total', descending: true }] });
    const before = view.getSnapshot();
    const once = tested;
    await view.update({ filter: { ...filter, 'customer.city': { in: ['Ulm'] } }, sortBy: [{ key: 'total', descending: true }] });
    await view.update(rows);
    expect(tested).toBe(once);
    expect(view.getSnapshot()).toBe(before);
    // The application may change its own object.
    filter['customer.city'].in.push('Basel');
    await view.update({ filter });
    expect(view.rows.length).toBe(50);
    await view.update({ filter: undefined });
    expect(view.rows.length).toBe(4000);
  });

  test('shows the last of several updates in one task, and resolves all of them', async () => {
    const rows = lazyOrders();
    const view = await rows.view();
    let told = 0;
    view.subscribe(() => (told += 1));
    const next = refetched(rows, { 5: { total: 12_345 } });
    await Promise.all([view.update({ sortBy: 'id' }), view.update(next), view.update({ sortBy: { key: 'total', descending: true } })]);
    expect(view.rows.at(0)!.id).toBe(5);
    expect(told).toBe(1);
  });

  test('keeps rows and options if an update rejects, and has the error until the next one', async () => {
    const rows = lazyOrders();
    const view = await rows.view({ sortBy: 'total' });
    const before = view.getSnapshot();
    await expect(view.update({ sortBy: 'totl' as 'total' })).rejects.toThrow('no record has the key totl; did you mean total?');
    expect(view.error).toBeInstanceOf(TypeError);
    expect(view.rows).toBe(before.rows);
    await view.update(refetched(rows, { 5: { total: -1 } }));
    expect(view.error).toBe(undefined);
    expect(view.rows.at(0)!.id).toBe(5);
    // Nobody has to catch the promise.
    void view.update({
      filter: () => {
        throw new Error('broken');
      },
    });
    await expect.poll(() => view.error).toEqual(new Error('broken'));
    expect(view.rows.length).toBe(4000);
    await expect(view.update([] as never)).rejects.toThrow('update of a view takes Rows, or options');
    await expect(view.update({ sortby: 'id' } as never)).rejects.toThrow('unknown option sortby; did you mean sortBy?');
    await expect(rows.view({ groupBy: 'citty' as 'id' })).rejects.toThrow('no record has the key citty');
  });

  test('reports the error of a listener as uncaught, and calls the others', async () => {
    const rows = lazyOrders();
    const view = await rows.view();
    const uncaught: unknown[] = [];
    const queue = globalThis.queueMicrotask;
    globalThis.queueMicrotask = (call) => {
      try {
        call();
      } catch (error) {
        uncaught.push(error);
      }
    };
    try {
      let told = 0;
      view.subscribe(() => {
        throw new Error('listener');
      });
      view.subscribe(() => (told += 1));
      await view.update({ sortBy: 'total' });
      expect(told).toBe(1);
      expect(uncaught).toEqual([new Error('listener')]);
    } finally {
      globalThis.queueMicrotask = queue;
    }
  });

  test('goes on when a key vanishes from all records', async () => {
    const noted = orderList.slice(0, 100).map((order) => (order.id === 50 ? { ...order, note: 'late' } : order));
    const rows = lazyOrders(noted);
    const view = await rows.view({ filter: { note: { ne: 'x' } }, sortBy: ['note', 'id'], groupBy: 'note' });
    expect(view.rows.at(0)!.id).toBe(50);
    // All rows are other ones, as when a payload is decoded anew.
    await view.update(lazyOrders(orderList.slice(0, 100)));
    expect(idsOf(view.rows)).toEqual(Array.from({ length: 100 }, (__, id) => id));
    await view.update({ sortBy: ['note', { key: 'id', descending: true }] });
    expect(view.rows.at(0)!.id).toBe(99);
    await view.update(lazyOrders([]));
    expect(view.rows.length).toBe(0);
    await view.update(lazyOrders(orderList.slice(0, 9)));
    expect(view.rows.length).toBe(9);
    expect([...view.groups.keys()]).toEqual([undefined]);
  });

  test('takes optional keys that no record has', async () => {
    const rows = lazyOrders();
    await expect(rows.view({ sortBy: 'note' })).rejects.toThrow('no record has the key note');
    const view = await rows.view({ sortBy: 'note', optional: ['note'] });
    expect(view.rows.at(0)!.id).toBe(0);
    await view.update(refetched(rows, { 70: { note: 'a' } }));
    expect(view.rows.at(0)!.id).toBe(70);
    expect((await rows.filter({ note: 'b' }, { optional: ['note'] })).length).toBe(0);
    expect((await rows.sortBy('note', { optional: ['note'] })).length).toBe(4000);
    expect((await rows.groupBy('note', { optional: ['note'] })).size).toBe(1);
  });

  test('works in slices', async () => {
    const rows = lazyOrders();
    hurryClock();
    const view = await rows.view({ filter: { total: { gte: 10 } }, sortBy: 'total', groupBy: 'customer.city' });
    const next = refetched(rows, Object.fromEntries(Array.from({ length: 200 }, (__, at) => [at * 20, { total: at }])));
    expect(await tasksDuring(() => view.update(next))).toBeGreaterThan(5);
    const expected = next.toArray().filter(({ total }) => total >= 10);
    expect(idsOf(view.rows)).toEqual(expected.toSorted((one, other) => one.total - other.total).map(({ id }) => id));
  });
});

describe('a key that was known', () => {
  test('stays known in the rows of later decodes with `previous`, also if all of them are new', async () => {
    const decoder = createDecoder();
    onTestFinished(() => decoder.close());
    const decode = (orders: readonly Order[], previous?: { orders: Rows<Order> }): Promise<{ orders: Rows<Order> }> =>
      decoder.decode<{ orders: Order[] }>(new TextEncoder().encode(JSON.stringify({ orders })), { as: 'rows', previous });
    const noted = orderList.map((order) => (order.id === 50 ? { ...order, note: 'late' } : order));
    const first = await decode(noted);
    expect((await first.orders.sortBy('note')).at(0)!.id).toBe(50);
    const second = await decode(orderList, first);
    expect((await second.orders.sortBy('note')).at(0)!.id).toBe(0);
    const third = await decode(
      orderList.map((order) => ({ ...order, id: -order.id, total: -1 })),
      second,
    );
    expect(changesOf(third)).toBe(undefined);
    expect((await third.orders.filter({ note: 'late' })).length).toBe(0);
    await expect(third.orders.sortBy('nota' as 'note')).rejects.toThrow('no record has the key nota');
  });
});

describe('a view of growing rows', () => {
  test('shows rows that arrive, without those that were dropped, until it is closed', async () => {
    let push!: (rows: Rows<Order> | undefined) => void;
    const next = (): Promise<Rows<Order> | undefined> => new Promise((resolve) => (push = resolve));
    const batches = (async function* () {
      for (let batch = await next(); batch; batch = await next()) yield batch;
    })() as unknown as Batches<Rows<Order>>;
    const growing = new GrowingRows<Order>(batches, lazyOrders(orderList.slice(0, 1000)), undefined, 1500);
    const view = await growing.view({ filter: { 'customer.city': 'Ulm' }, sortBy: { key: 'total', descending: true } });
    const expected = (from: number, to: number): number[] =>
      orderList
        .slice(from, to)
        .filter(({ customer }) => customer.city === 'Ulm')
        .toSorted((one, other) => other.total - one.total)
        .map(({ id }) => id);
    expect(idsOf(view.rows)).toEqual(expected(0, 1000));
    const [record] = view.rows;
    push(lazyOrders(orderList.slice(1000, 1300)));
    await expect.poll(() => idsOf(view.rows)).toEqual(expected(0, 1300));
    expect(view.rows.find(({ id }) => id === record!.id)).toEqual(record);
    push(lazyOrders(orderList.slice(1300, 2000)));
    await expect.poll(() => idsOf(view.rows)).toEqual(expected(500, 2000));
    view.close();
    const before = view.getSnapshot();
    push(lazyOrders(orderList.slice(2000, 2100)));
    await expect.poll(() => growing.at(-1)!.id).toBe(2099);
    push(undefined);
    await growing.done;
    expect(view.getSnapshot()).toBe(before);
    await view.update(growing);
    expect(idsOf(view.rows)).toEqual(expected(600, 2100));
  });
});
