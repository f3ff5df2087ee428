/** Tests of the types of `Rows`, checked by the compiler. Nothing here runs. */
import { isRows, type RowCondition, type RowPredicate, type RowReader, type Rows } from 'unspool';
import { expectType } from './equal.ts';

interface Order {
  id: number;
  status: 'open' | 'paid';
  code: string & { readonly brand: 'code' };
  customer: { name: string } | null;
  note?: string | null;
  placed: Date;
  lines: { count: number }[];
}

declare const rows: Rows<Order>;
declare const unknown: unknown;
declare const code: Order['code'];
declare const untyped: Rows<Record<string, unknown>>;

export function reading(): void {
  expectType<Order | undefined>()(rows.find((order) => order.status === 'open'));
  expectType<Order | undefined>()(rows.findLast(({ lines }, index, all) => lines.length > index && all.length > 0));
  expectType<number>()(rows.findIndex(({ note }) => note === null));
  expectType<boolean>()(rows.some(({ placed }) => placed.getTime() > 0) && rows.every(({ id }) => id > 0));
  expectType<string[]>()(rows.map((order, index) => `${order.status} ${index}`));
  expectType<number>()(rows.reduce((sum, { id }) => sum + id, 0));
  for (const pair of rows.entries()) expectType<[number, Order]>()(pair);
  if (isRows(unknown)) expectType<Rows>()(unknown);
}

export async function tables(): Promise<void> {
  expectType<Rows<Order>>()(await rows.filter({ status: 'open', id: { gte: 100, lt: 200 }, note: null, placed: { gt: new Date() } }));
  expectType<Rows<Order>>()(await rows.filter({ status: { in: ['open', 'paid'] }, note: { includes: 'a' }, lines: (lines) => lines.length > 1 }));
  expectType<Rows<Order>>()(await rows.filter((order) => order.lines.length > 1));
  expectType<Rows<Order>>()(await rows.where('placed', { lt: new Date() }));
  expectType<Rows<Order>>()(await rows.sortBy(['status', { key: 'placed', descending: true }], { locale: ['de', 'en'] }));
  expectType<('open' | 'paid')[]>()(await rows.distinct('status'));
  expectType<('open' | 'paid')[]>()((await rows.codes('status')).values);
  expectType<Map<'open' | 'paid', Rows<Order>>>()(await rows.groupBy('status'));
  expectType<Rows<Order>>()(await rows.filter({ code, customer: null }));
  expectType<Rows<Order>>()(await rows.filter({ code: { in: [code] }, customer: (customer) => customer?.name === 'Ada' }));
  await untyped.filter((row) => row['active']);
  await rows.filter(({ customer }) => customer);
  const predicate: RowPredicate<Order, Rows<Order>> = ({ id }) => id > 5;
  await rows.filter(predicate);
  await untyped.filter({ status: 'open', total: { gt: 5 } });
  const condition: RowCondition<Order> = { status: 'paid' };
  await rows.filter(condition, { signal: AbortSignal.timeout(1) });
  expectType<Rows<Order>>()(await rows.sortBy(['customer.name', { key: 'lines.length', descending: true }]));
  expectType<Rows<Order>>()(await rows.sortBy((one, other) => one.lines.length - other.lines.length));
  await rows.sortBy({ key: 'status', compare: (one: Order['status'], other: Order['status']) => one.length - other.length });
  expectType<Rows<Order>>()(await rows.filter({ 'customer.name': { includes: 'A' }, 'lines.length': { gte: 2 } }));
  expectType<(string | undefined)[]>()(await rows.distinct('customer.name'));
  expectType<Map<number, Rows<Order>>>()(await rows.groupBy('lines.length'));
  expectType<Float64Array>()(rows.column('lines.length', { as: 'float64' }));
  expectType<Int32Array | Float64Array | undefined>()(rows.column('lines.length'));
  // @ts-expect-error -- no such path
  await rows.sortBy('customer.age');
  // @ts-expect-error -- no path leads into a date
  await rows.sortBy('placed.length');
  // @ts-expect-error -- a string is no number
  await rows.where('lines.length', 'one');
  // @ts-expect-error -- no such key
  await rows.filter({ state: 'open' });
  // @ts-expect-error -- no such status
  await rows.filter({ status: 'lost' });
  // @ts-expect-error -- no such comparison
  await rows.where('id', { above: 5 });
  // @ts-expect-error -- nested values need a function
  await rows.filter({ customer: { name: 'Ada' } });
  // @ts-expect-error -- nested values need a function
  await rows.where('lines', [{ count: 1 }]);
  // @ts-expect-error -- a promise accepts every row
  await rows.filter(async ({ id }) => id > 5);
  // @ts-expect-error -- a promise accepts every row
  rows.some(async ({ id }) => (await Promise.resolve(id)) > 5);
  // @ts-expect-error -- no such key
  await rows.sortBy('state');
  await rows.filter((order: RowReader<Order>) => {
    // @ts-expect-error -- a reader cannot be changed
    order.id = 5;
    return true;
  });
}
