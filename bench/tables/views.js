// Runs in the page: a view of nested orders follows a refetch in which one in a hundred has changed, next to filtering and sorting an
// array of the same objects again, and to other libraries.
import { LIBRARY } from '../contenders/unspool/unspool.js';
import { samplesOf, timed } from './nested.js';
import { ORDERS_LIBRARIES } from './orders-libraries.js';

/** @typedef {{ name: string, groupBy?: string }} ViewCase */
/** @typedef {import('./nested.js').NestedSample} ViewSample */

const CITY = 'shipping.address.city';
/** Share of orders that a refetch changes. */
const CHANGED = 0.01;
const LEAST = 200;

/** @type {readonly ViewCase[]} */
export const VIEW_CASES = [
  { name: 'view of nested orders: 1 % changed' },
  { name: 'view of nested orders in groups: 1 % changed', groupBy: 'customer.loyalty.tier' },
];

/** @param {any[]} orders */
function byArray(orders) {
  const compare = (/** @type {any} */ one, /** @type {any} */ other) => {
    const [a, b] = [one.shipping.address.city, other.shipping.address.city];
    return a < b ? -1 : a > b ? 1 : other.total - one.total;
  };
  return orders.filter(({ total }) => total >= LEAST).sort(compare);
}

/** @param {readonly any[]} orders */
function changed(orders) {
  const next = [...orders];
  const step = Math.round(1 / CHANGED);
  // The changes are spread, and each order gets another total.
  for (let at = 7; at < next.length; at += step) next[at] = { ...next[at], total: Math.round(next[at].total * 137) / 100 };
  return next;
}

/**
 * Decodes orders and a refetch of them, and has a view follow from one to the other and back. `firstMs` is the time in which the
 * view is created, which makes columns of its keys.
 *
 * @param {ViewCase} given @param {string} url of orders as JSON @param {number} runs
 * @returns {Promise<ViewSample[]>}
 */
export async function measureViews({ groupBy }, url, runs) {
  const { createDecoder } = await import(LIBRARY);
  const decoder = createDecoder({ workers: 1 });
  const options = /** @type {const} */ ({ format: 'json', as: 'rows', route: 'worker' });
  const decode = async (/** @type {any[]} */ list, /** @type {any} */ previous) =>
    decoder.decode(new TextEncoder().encode(JSON.stringify({ orders: list })), { ...options, transfer: true, previous });
  const { orders } = await (await fetch(url)).json();
  const lists = [orders, changed(orders)];
  const first = await decode(lists[0] ?? [], undefined);
  const second = await decode(lists[1] ?? [], first);
  const rows = [first.orders, second.orders];
  const query = { filter: { total: { gte: LEAST } }, sortBy: [{ key: CITY }, { key: 'total', descending: true }], ...(groupBy && { groupBy }) };
  const begun = performance.now();
  const view = await rows[0].view(query);
  const firstMs = performance.now() - begun;
  const text = (/** @type {any} */ list) => `${list.length} ${list.at(0).id} ${list.at(list.length >> 1).id} ${list.at(-1).id}`;
  // The same refetches for each: from the first list to the second, and back.
  const times = Array.from({ length: runs + 1 }, (_, run) => (run + 1) % 2);
  const found = [];
  for (const to of times) found.push(await timed(() => view.update(rows[to])));
  const result = text(view.rows);
  decoder.close();
  const arrays = [];
  for (const to of times) arrays.push(await timed(() => byArray(lists[to] ?? [])));
  const expected = text(arrays.at(-1)?.result);
  /** @type {Record<string, number[]>} */
  const others = {};
  // The free edition of AG Grid has no groups, and arquero would need a further pass.
  for (const open of groupBy ? [] : ORDERS_LIBRARIES) {
    const library = open();
    library.load(lists[0] ?? []);
    library.show(query.sortBy, query.filter);
    for (const to of times) {
      const { ms } = await timed(() => {
        library.load(lists[to] ?? []);
        if (library.label === 'arquero') library.show(query.sortBy, query.filter);
      });
      (others[library.label] ??= []).push(ms);
    }
    if (text(library.shown()) !== expected) throw new Error(`${library.label} shows other orders`);
    library.close();
  }
  return samplesOf({ found, arrays, others, firstMs, result, expected });
}
