// Ticks of made-up shares, each a small step from the one before.
import { Random } from './random.mjs';

const SYMBOLS = [
  'ALDER', 'ASPEN', 'BEECH', 'BIRCH', 'CEDAR', 'EBONY', 'ELDER', 'HAZEL',
  'HOLLY', 'LARCH', 'LINDEN', 'MAPLE', 'OLIVE', 'POPLAR', 'ROWAN', 'WILLOW',
]; // prettier-ignore

/**
 * @typedef {object} Tick
 * @property {string} symbol
 * @property {number} price in the currency's hundredths
 * @property {number} change since the first tick, in hundredths
 * @property {number} volume shares traded so far
 */

/**
 * Endless ticks.
 *
 * @param {number} seed
 * @returns {Generator<Tick, never>}
 */
export function* ticks(seed) {
  const random = new Random(seed, 0);
  const shares = SYMBOLS.map((symbol) => {
    const first = 1_000 + random.below(30_000);
    return { symbol, first, price: first, volume: 0 };
  });
  for (;;) {
    const share = random.pick(shares);
    share.price = Math.max(100, share.price + random.below(41) - 20);
    share.volume += 1 + random.below(90);
    yield { symbol: share.symbol, price: share.price, change: share.price - share.first, volume: share.volume };
  }
}
