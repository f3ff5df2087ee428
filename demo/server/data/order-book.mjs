// A list of orders that changes with each version, as JSON. Newest orders come first.
import { Random } from './random.mjs';

/**
 * @typedef {object} OrderListRequest
 * @property {number} rows
 * @property {number} version
 * @property {number} changed per cent of the orders that differ from one version to the next
 * @property {number} added orders that each version adds on top; as many of the oldest are dropped
 */

const STATUSES = ['placed', 'paid', 'packed', 'shipped', 'delivered', 'returned'];
const NAMES = ['Ada Weber', 'Björn Lindqvist', 'Chloé Moreau', 'Dmitri Okafor', 'Eun-ji Sato', 'Fatima Young', 'Grace Hopper', 'Hugo Tanaka'];
const CITIES = ['Basel', 'Jersey City', 'København', 'Lyon', 'Nagoya', 'New York', 'Porto', 'Zürich'];
const FIRST_DAY = 1_704_067_200_000;
const MINUTE = 60_000;

/**
 * An order of a version, which depends only on these numbers.
 *
 * @param {number} index
 * @param {number} changes how often it has changed
 */
function orderAt(index, changes) {
  const random = new Random(1, index);
  const items = 1 + random.below(9);
  const placed = FIRST_DAY + index * MINUTE;
  return {
    id: 1_000_000 + index,
    number: `SO-${random.bits().toString(16).padStart(8, '0').toUpperCase()}`,
    status: STATUSES[(random.below(STATUSES.length) + changes) % STATUSES.length],
    customer: { id: random.below(200_000), name: random.pick(NAMES), city: random.pick(CITIES) },
    items,
    total: Math.round(random.unit() * items * 10_000) / 100,
    currency: random.pick(['CHF', 'EUR', 'USD']),
    placedAt: new Date(placed).toISOString(),
    changedAt: new Date(placed + changes * MINUTE).toISOString(),
  };
}

/**
 * Creates a function that writes versions of the list. It keeps the texts of the last one: the next one differs in few.
 *
 * @returns {(request: OrderListRequest) => Buffer}
 */
export function createOrderBook() {
  /** @type {string[]} */
  let texts = [];
  /** @type {string[]} */
  let names = [];
  return ({ rows, version, changed, added }) => {
    if (texts.length !== rows) [texts, names] = [Array.from({ length: rows }, () => ''), []];
    const newest = rows - 1 + version * added;
    const list = Array.from({ length: rows }, (_, place) => {
      const index = newest - place;
      const changes = Math.floor((version * changed + new Random(2, index).below(100)) / 100);
      const slot = index % rows;
      const name = `${index}.${changes}`;
      if (names[slot] !== name) {
        names[slot] = name;
        texts[slot] = JSON.stringify(orderAt(index, changes));
      }
      return texts[slot];
    });
    return Buffer.from(`{"orders":[${list.join(',')}]}`);
  };
}
