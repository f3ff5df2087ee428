import { WANTED } from '../operations.js';

/** @param {{ trips: any[] }} data */
export async function open({ trips }) {
  return {
    /** @param {string} key */
    sort: async (key) => {
      const sorted = trips.toSorted((one, other) => (one[key] < other[key] ? -1 : one[key] > other[key] ? 1 : 0));
      return { length: sorted.length, first: sorted[0][key], last: sorted.at(-1)[key] };
    },
    condition: async () => trips.filter((trip) => trip.member_casual === WANTED.member && trip.start_lat >= WANTED.north).length,
    predicate: async () => trips.filter((trip) => trip.member_casual === WANTED.member && trip.start_lat >= WANTED.north).length,
    /** @param {string} key */
    group: async (key) => {
      const counts = new Map();
      for (const trip of trips) counts.set(trip[key], (counts.get(trip[key]) ?? 0) + 1);
      return Math.max(...counts.values());
    },
  };
}
