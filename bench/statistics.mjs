/**
 * One timed run. For small calls `readyMs` is the time of one call among many, and the rest is not measured.
 *
 * @typedef {object} Sample
 * @property {number} readyMs
 * @property {number | null} [plainMs] to plain objects, where those take a further step
 * @property {number | null} longestBlockMs
 * @property {number | null} mainMs
 * @property {number} [takenMs] time up to ticks that came late, in all
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
 * @property {number | null} readyMs from bytes in memory to usable rows
 * @property {number | null} totalMs to all plain objects; null where they are made only when they are read
 * @property {number | null} longestBlockMs longest time that the main thread did not come to an urgent task
 * @property {number | null} mainMs sum of the time that the main thread was busy
 * @property {number | null} longestWaitMs longest time that an ordinary task, as a message is, had to wait
 * @property {number | null} longTaskMs the longest task that the browser itself reported, 0 below 50 ms
 * @property {number | null} peakBytes most memory of the process during a run, beyond what it had before
 * @property {number | null} retainedBytes JavaScript heap of the result
 * @property {number} runs
 * @property {Sample[]} samples
 * @property {string} [error] why there are no figures
 */

/**
 * @param {readonly number[]} values
 * @returns {number | null} null for none
 */
export function median(values) {
  if (values.length === 0) return null;
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * The figures of a result from its runs. The peak is the largest: memory that an earlier run left to the process makes a
 * later one look smaller.
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
