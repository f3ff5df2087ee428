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
const PAUSE_MS = 20;

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
 * Runs a case as `Rows`, then as an array, then by other libraries: none of them shares the page with the objects of a later one.
 * `firstMs` is the first call by the key, which makes a column of its values.
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
  const text = (/** @type {any} */ list) => `${list.length} ${list.at(0).id} ${VALUES[given.sort ?? 'id']?.(list.at(-1))}`;
  const ours = () => timed(async () => await (given.sort ? rows.sortBy(given.sort) : rows.filter(given.filter)));
  const first = await ours();
  const found = [];
  for (let run = 0; run <= runs; run += 1) {
    const { ms, blockMs, result } = await ours();
    found.push({ ms, blockMs: Math.max(blockMs, first.blockMs), result });
  }
  const result = text(found.at(-1)?.result);
  decoder.close();
  const arrays = [];
  for (let run = 0; run <= runs; run += 1) arrays.push(await timed(() => byArray(orders, given)));
  const expected = text(arrays[0]?.result);
  /** @type {Record<string, number[]>} */
  const others = {};
  for (const open of ORDERS_LIBRARIES) {
    const library = open();
    library.load(orders);
    for (let run = 0; run <= runs; run += 1) {
      const { ms } = await timed(() => library.show(given.sort ? [{ key: given.sort }] : [], given.filter ?? {}));
      if (text(library.shown()) !== expected) throw new Error(`${library.label} shows other orders`);
      library.show([], {});
      (others[library.label] ??= []).push(ms);
    }
    library.close();
  }
  return samplesOf({ found, arrays, others, firstMs: first.ms, result, expected });
}

/** Runs something between two pauses, in which the ticker sees blocks at its ends. @template T @param {() => T | Promise<T>} run */
export async function timed(run) {
  const ticker = new Ticker();
  ticker.start();
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  const start = performance.now();
  const result = await run();
  const end = performance.now();
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  return { ms: end - start, blockMs: longestBlock(ticker.stop(), start, end), result };
}

/**
 * Joins the runs to samples, without the first one, which warms up.
 *
 * @param {{ found: readonly { ms: number, blockMs: number }[], arrays: readonly { ms: number }[], others: Record<string, number[]>, firstMs: number,
 *   result: string, expected: string }} runs
 * @returns {NestedSample[]}
 */
export function samplesOf({ found, arrays, others, firstMs, result, expected }) {
  const samples = found.map(({ ms, blockMs }, run) => ({
    arraysMs: arrays[run]?.ms ?? NaN,
    ms,
    blockMs,
    firstMs,
    result,
    expected,
    others: Object.fromEntries(Object.entries(others).map(([label, times]) => [label, times[run] ?? NaN])),
  }));
  return samples.slice(1);
}
