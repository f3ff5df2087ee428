import { desc, escape, fromArrow, op } from 'arquero';
import { WANTED } from '../operations.js';

/** @param {{ ipc: Uint8Array }} data */
export async function open({ ipc }) {
  const table = fromArrow(ipc);
  return {
    /** @param {string} key */
    sort: async (key) => {
      const sorted = table.orderby(key);
      const indices = sorted.indices();
      return { length: indices.length, first: table.get(key, indices[0]), last: table.get(key, indices.at(-1)) };
    },
    condition: async () =>
      table
        .params({ member: WANTED.member, north: WANTED.north })
        .filter((/** @type {any} */ trip, /** @type {any} */ $) => trip.member_casual === $.member && trip.start_lat >= $.north)
        .numRows(),
    predicate: async () =>
      table.filter(escape((/** @type {any} */ trip) => trip.member_casual === WANTED.member && trip.start_lat >= WANTED.north)).numRows(),
    /** @param {string} key */
    group: async (key) => table.groupby(key).rollup({ count: op.count() }).orderby(desc('count')).get('count', 0),
  };
}
