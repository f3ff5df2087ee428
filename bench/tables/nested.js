// Runs in the page: sorts and filters nested orders by paths, as `Rows`, as an array of the same objects, and by other libraries.
import { LIBRARY } from '../contenders/unspool/unspool.js';
import { longestBlock } from '../page/busy.js';
import { Ticker } from '../page/ticker.js';
import { ORDERS_LIBRARIES, VALUES } from './orders-libraries.js';

/** @typedef {{ name: string, sort?: string, filter?: Record<string, any> }} NestedCase */
/**
 * `others`: times of other libraries, by name.
 *
 * @typedef {{ arraysMs: number, ms: number, blockMs: number, firstMs: number, result: string, expected: string, others: Record<string, number> }} NestedSample
 */

const CITY = 'shipping.address.city';

/** @type {readonly NestedCase[]} */
export const NESTED_CASES = [
  { name: 'sort nested orders by a number', sort: 'total' },
  { name: 'sort nested orders by a nested text', sort: CITY },
  { name: 'sort nested orders by unique text', sort: 'number' },
  { name: 'filter nested orders by a nested text and a number', filter: { [CITY]: 'Porto', total: { gte: 200 } } },
  { name: 'filter nested orders by the length of a list', filter: { 'lines.length': { gte: 4 } } },
];

/** @param {any[]} orders @param {NestedCase} given */
function byArray(orders, { sort, filter }) {
  const value = VALUES[sort ?? ''];
  if (value) return orders.toSorted((one, other) => (value(one) < value(other) ? -1 : value(one) > value(other) ? 1 : 0));
  if (filter?.[CITY]) return orders.filter((order) => order.shipping.address.city === filter[CITY] && order.total >= filter['total'].gte);
  return orders.filter((order) => order.lines.length >= filter?.['lines.length'].gte);
}

/**
 * Runs a case in turn on both. `firstMs` is the first call by the key, which makes a column of its values.
 *
 * @param {NestedCase} given @param {string} url of orders as JSON @param {number} runs
 * @returns {Promise<NestedSample[]>}
 */
export async function measureNested(given, url, runs) {
  const { createDecoder } = await import(LIBRARY);
  const bytes = await (await fetch(url)).arrayBuffer();
  /** @type {{ orders: any[] }} */
  const { orders } = JSON.parse(new TextDecoder().decode(bytes));
  const decoder = createDecoder({ workers: 1 });
  const { orders: rows } = await decoder.decode(bytes, { format: 'json', as: 'rows', route: 'worker' });
  const ticker = new Ticker();
  const ours = async () => {
    ticker.start();
    await new Promise((resolve) => setTimeout(resolve, 20));
    const start = performance.now();
    const result = await (given.sort ? rows.sortBy(given.sort) : rows.filter(given.filter));
    const end = performance.now();
    await new Promise((resolve) => setTimeout(resolve, 20));
    return { ms: end - start, blockMs: longestBlock(ticker.stop(), start, end), result };
  };
  const first = await ours();
  const libraries = ORDERS_LIBRARIES.map((open) => open());
  for (const library of libraries) library.load(orders);
  /** @type {NestedSample[]} */
  const samples = [];
  for (let run = 0; run <= runs; run += 1) {
    /** @type {{ gc?: () => void }} */ (globalThis).gc?.();
    const start = performance.now();
    const expected = byArray(orders, given);
    const arraysMs = performance.now() - start;
    const { ms, blockMs, result } = await ours();
    const text = (/** @type {any} */ list) => `${list.length} ${list.at(0).id} ${VALUES[given.sort ?? 'id']?.(list.at(-1))}`;
    /** @type {Record<string, number>} */
    const others = {};
    for (const library of libraries) {
      const begun = performance.now();
      library.show(given.sort ? [{ key: given.sort }] : [], given.filter ?? {});
      others[library.label] = performance.now() - begun;
      if (text(library.shown()) !== text(expected)) throw new Error(`${library.label} shows other orders`);
      library.show([], {});
    }
    samples.push({
      arraysMs,
      ms,
      blockMs: Math.max(blockMs, first.blockMs),
      firstMs: first.ms,
      result: text(result),
      expected: text(expected),
      others,
    });
  }
  for (const library of libraries) library.close();
  decoder.close();
  return samples.slice(1);
}
