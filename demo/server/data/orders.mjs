// Orders of a shop: nested records and lists, optional fields, strings of many lengths. Pure: runs in Node and in a browser
// bundle.
import { Random } from './random.mjs';

/** Incremented when the rows of a seed change. */
export const ORDERS_VERSION = 1;

const STATUSES = ['placed', 'paid', 'packed', 'shipped', 'delivered', 'returned'];
const CITIES = ['Basel', 'Jersey City', 'København', 'Lyon', 'Nagoya 名古屋', 'New York', 'Porto', 'Zürich'];
const STREETS = ['Church Street', 'Grove St', 'Hauptstrasse', 'Rue de la Paix', 'Washington Ave'];
const FIRST_NAMES = ['Ada', 'Björn', 'Chloé', 'Dmitri', 'Eun-ji', 'Fatima', 'Grace', 'Hugo'];
const LAST_NAMES = ['Hopper', 'Lindqvist', 'Moreau', 'Okafor', 'Sato', 'Tanaka', 'Weber', 'Young'];
const PRODUCTS = ['Desk lamp', 'Enamel mug', 'Field notebook', 'Linen apron', 'Steel bottle', 'Wool blanket'];
const COLOURS = ['black', 'blue', 'green', 'ochre', 'white'];
const TAGS = ['first-order', 'fragile', 'gift', 'priority', 'wholesale'];
const NOTES = ['Leave with the neighbour, please.', 'Ring twice: the bell on the left “does not work”.', 'Call before delivery'];

/**
 * The list of orders of one seed. An order depends only on the seed and its index.
 *
 * @param {number} count
 * @param {number} seed
 */
export function* orders(count, seed) {
  for (let index = 0; index < count; index += 1) yield orderAt(index, seed);
}

/**
 * @param {number} index
 * @param {number} seed
 */
export function orderAt(index, seed) {
  const random = new Random(seed, index);
  const lines = Array.from({ length: 1 + random.below(6) }, () => line(random));
  const subtotal = lines.reduce((sum, { quantity, price }) => sum + quantity * price, 0);
  const address = addressOf(random);
  return {
    id: 1_000_000 + index,
    number: `SO-${hexadecimal(random, 8)}`,
    status: random.pick(STATUSES),
    placedAt: new Date(1_704_067_200_000 + index * 7000 + random.below(7000)).toISOString(),
    customer: {
      id: random.below(200_000),
      name: `${random.pick(FIRST_NAMES)} ${random.pick(LAST_NAMES)}`,
      email: `${hexadecimal(random, 6).toLowerCase()}@example.com`,
      loyalty: random.chance(0.3) ? { tier: random.pick(['silver', 'gold']), points: random.below(50_000) } : null,
    },
    shipping: { method: random.pick(['post', 'courier', 'pick-up']), address, ...(random.chance(0.1) && { note: random.pick(NOTES) }) },
    billing: random.chance(0.8) ? null : addressOf(random),
    lines,
    payments: [{ method: random.pick(['card', 'invoice', 'wallet']), amount: cents(subtotal), captured: random.chance(0.9) }],
    tags: TAGS.filter(() => random.chance(0.15)),
    total: cents(subtotal),
    currency: random.pick(['CHF', 'EUR', 'USD']),
  };
}

/** @param {Random} random */
function line(random) {
  return {
    sku: `${random.pick(['HOME', 'KITCHEN', 'OUTDOOR'])}-${hexadecimal(random, 5)}`,
    name: random.pick(PRODUCTS),
    quantity: 1 + random.below(4),
    price: cents(1 + random.unit() * 200),
    discount: random.chance(0.15) ? cents(random.unit()) : null,
    options: random.chance(0.5) ? [{ name: 'colour', value: random.pick(COLOURS) }] : [],
  };
}

/** @param {Random} random */
function addressOf(random) {
  return {
    street: `${1 + random.below(400)} ${random.pick(STREETS)}`,
    city: random.pick(CITIES),
    postcode: String(10_000 + random.below(90_000)),
    location: { lat: random.unit() * 180 - 90, lng: random.unit() * 360 - 180 },
  };
}

/** @param {number} amount */
const cents = (amount) => Math.round(amount * 100) / 100;

/** @param {Random} random @param {number} digits */
const hexadecimal = (random, digits) => random.bits().toString(16).padStart(8, '0').slice(0, digits).toUpperCase();
