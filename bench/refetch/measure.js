import { contenders } from './contenders.js';

/**
 * Figures of one contender: medians of rounds that each begin with the value of the round before.
 *
 * @typedef {{ ms: number, blockMs: number | null, kept: number }} Figures `kept` is the share of records that are the same objects
 */

/** Rounds that are not counted: the engine optimises the code. */
const WARM_UPS = 3;

/**
 * Decodes the versions of a document one after another.
 *
 * @param {object} given
 * @param {import('./contenders.js').CreateDecoder} given.createDecoder
 * @param {import('./contenders.js').Kind} given.kind
 * @param {'library' | 'shared' | 'decode' | 'previous' | 'rows'} given.contender
 * @param {readonly Uint8Array<ArrayBuffer>[]} given.versions
 * @param {string} given.key of the list of records
 * @returns {Promise<Figures>}
 */
export async function measureRefetches({ createDecoder, kind, contender, versions, key }) {
  const refetch = contenders(createDecoder, kind)[contender];
  const rounds = [];
  let value = await refetch(versions[0]?.slice() ?? new Uint8Array(0), undefined);
  for (const bytes of versions.slice(1)) {
    const copy = bytes.slice();
    await rest();
    const block = watchBlocks();
    const start = performance.now();
    const next = await refetch(copy, value);
    const ms = performance.now() - start;
    rounds.push({ ms, blockMs: await block(), kept: keptShare(value, next, key) });
    value = next;
  }
  const counted = rounds.slice(WARM_UPS);
  return {
    ms: median(counted.map(({ ms }) => ms)),
    blockMs: counted.some(({ blockMs }) => blockMs === null) ? null : median(counted.map(({ blockMs }) => blockMs ?? 0)),
    kept: median(counted.map(({ kept }) => kept)),
  };
}

/** Rows that are looked at, one of so many: each becomes an object. */
const ROW_STEP = 50;

/**
 * Records are added on top of the list alone.
 *
 * @param {unknown} before @param {unknown} after @param {string} key
 */
function keptShare(before, after, key) {
  const list = (/** @type {unknown} */ value) => /** @type {unknown[]} */ (/** @type {Record<string, unknown>} */ (value)[key]);
  const earlier = list(before);
  const later = list(after);
  const added = later.length - earlier.length;
  const step = Array.isArray(earlier) ? 1 : ROW_STEP;
  let kept = 0;
  let count = 0;
  for (let index = 0; index < earlier.length; index += step) {
    if (later.at(index + added) === earlier.at(index)) kept += 1;
    count += 1;
  }
  return kept / count;
}

/** @param {readonly number[]} values */
export function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;
}

/** Lets the collector run, so that one round does not pay for another. */
async function rest() {
  /** @type {{ gc?: () => void }} */ (globalThis).gc?.();
  await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Watches for the longest time in which no task of input's priority runs, in engines that have such tasks. */
export function watchBlocks() {
  const { scheduler } = /** @type {{ scheduler?: any }} */ (/** @type {unknown} */ (globalThis));
  if (!scheduler?.postTask) return async () => null;
  let last = performance.now();
  let longest = 0;
  let runs = true;
  const tick = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (runs) void scheduler.postTask(tick, { priority: 'user-blocking', delay: 1 });
  };
  tick();
  return async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    runs = false;
    return longest;
  };
}
