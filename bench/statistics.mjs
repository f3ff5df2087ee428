/**
 * One timed run. For small calls `readyMs` is the time of one call among many, and the rest is not measured.
 *
 * @typedef {object} Sample
 * @property {number} readyMs
 * @property {number | null} [plainMs] time until plain objects, if they take a further step
 * @property {number | null} longestBlockMs
 * @property {number | null} mainMs
 * @property {number} [takenMs] total time before late ticks
 * @property {number | null} longestWaitMs
 * @property {number | null} longTaskMs
 * @property {number | null} peakBytes
 */

/**
 * One contender on one case. Times are medians over the runs.
 *
 * @typedef {object} Result
 * @property {string} case
 * @property {string} contender
 * @property {number} bytes the payload
 * @property {number | null} rows
 * @property {number | null} readyMs from bytes in memory until usable rows
 * @property {number | null} totalMs until all plain objects; null if objects are created when read
 * @property {number | null} longestBlockMs longest time in which no task of input priority ran
 * @property {number | null} mainMs total time in which the main thread was busy
 * @property {number | null} longestWaitMs longest wait of an ordinary task, such as a message
 * @property {number | null} longTaskMs longest task reported by the browser, 0 below 50 ms
 * @property {number | null} peakBytes peak growth of the process during a run
 * @property {number} runs
 * @property {Sample[]} samples
 * @property {string} [error] reason for missing figures
 */

/**
 * @param {readonly number[]} values
 * @returns {number | null} null without values
 */
export function median(values) {
  if (values.length === 0) return null;
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * Summarizes runs. The peak is the largest one, since memory that the process keeps from an earlier run makes later peaks
 * smaller.
 *
 * @param {readonly Sample[]} samples
 * @param {'objects' | 'rows'} result
 * @returns {Pick<Result, 'readyMs' | 'totalMs' | 'longestBlockMs' | 'mainMs' | 'longestWaitMs' | 'longTaskMs' | 'peakBytes' | 'runs' | 'samples'>}
 */
export function summarise(samples, result) {
  const values = (/** @type {keyof Sample} */ key) => samples.flatMap((sample) => sample[key] ?? []);
  const readyMs = median(values('readyMs'));
  const peaks = values('peakBytes');
  return {
    readyMs,
    totalMs: median(values('plainMs')) ?? (result === 'objects' ? readyMs : null),
    longestBlockMs: median(values('longestBlockMs')),
    mainMs: median(values('mainMs')),
    longestWaitMs: median(values('longestWaitMs')),
    longTaskMs: median(values('longTaskMs')),
    peakBytes: peaks.length === 0 ? null : Math.max(...peaks),
    runs: samples.length,
    samples: [...samples],
  };
}

/**
 * `Map.groupBy`, which Node has since version 21.
 *
 * @template Item, Key
 * @param {readonly Item[]} items
 * @param {(item: Item) => Key} keyOf
 * @returns {Map<Key, Item[]>}
 */
export function groupBy(items, keyOf) {
  /** @type {Map<Key, Item[]>} */
  const groups = new Map();
  for (const item of items) {
    const key = keyOf(item);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return groups;
}
