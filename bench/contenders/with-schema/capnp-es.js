import { plainPoint, plainTrip } from '../plain.js';

/** @type {import('../contender.js').Contender} */
export const contender = {
  id: 'capnp-es',
  label: 'capnp-es, generated',
  kind: 'main',
  result: 'rows',
  formats: ['capnproto'],
  async setup({ dataset }) {
    const [{ Message }, generated] = await Promise.all([
      import('capnp-es'),
      dataset === 'trips' ? import('../../generated/capnp-es/trips.js') : import('../../generated/capnp-es/numbers.js'),
    ]);
    /** @type {any} */
    const { Trips, Numbers } = generated;
    return {
      decode(buffer) {
        /** @type {any} */
        const message = new Message(buffer, false);
        // The default traversal limit is 64 MB.
        message._capnp.traversalLimit = Infinity;
        if (Trips) return rows('trips', message.getRoot(Trips).trips, plainTrip);
        return rows('items', message.getRoot(Numbers).items, plainPoint);
      },
      plain: ({ trips, items }) => (trips ? { trips: trips.toArray() } : { items: items.toArray() }),
      own: ({ trips, items }) => (trips ?? items).first(),
      close() {},
    };
  },
};

/**
 * Wraps a list of structs, whose values are behind getters.
 *
 * @param {string} list
 * @param {any} structs
 * @param {(struct: any) => object} plain
 */
function rows(list, structs, plain) {
  const { length } = structs;
  const at = (/** @type {number} */ index) => plain(structs.get(index));
  return { [list]: { length, at, first: () => structs.get(0), toArray: () => Array.from({ length }, (_, index) => at(index)) } };
}
