import { LIBRARY } from '../../contenders/unspool/unspool.js';
import { WANTED } from '../operations.js';

/** The built encoder, which the bundler must not resolve. */
const ENCODER = '/dist/encode.js';

/** @param {{ trips: object[] }} data */
export async function open({ trips }) {
  const { createDecoder } = await import(LIBRARY);
  const { createEncoder } = await import(ENCODER);
  const bytes = await createEncoder().encode({ trips }, { format: 'messagepack' });
  const { trips: rows } = await createDecoder().decode(bytes, { format: 'messagepack', as: 'rows', route: 'worker' });
  return {
    /** @param {string} key */
    sort: async (key) => {
      const sorted = await rows.sortBy(key);
      return { length: sorted.length, first: sorted.at(0)[key], last: sorted.at(-1)[key] };
    },
    condition: async () => (await rows.filter({ member_casual: WANTED.member, start_lat: { gte: WANTED.north } })).length,
    predicate: async () =>
      (await rows.filter((/** @type {any} */ trip) => trip.member_casual === WANTED.member && trip.start_lat >= WANTED.north)).length,
    /** @param {string} key */
    group: async (key) => Math.max(...[...(await rows.groupBy(key)).values()].map(({ length }) => length)),
  };
}
