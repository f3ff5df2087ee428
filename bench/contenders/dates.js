// The times of trips as Dates, for formats that keep them as numbers.

/** How long one slice of the sliced pass takes at most, in ms, and after how many rows the clock is read. */
const SLICE_MS = 4;
const ROWS_BETWEEN = 256;

/**
 * Puts a Date in the place of each time, in one go as a library's users do. Rows without times stay as they are.
 *
 * @template {{ [list: string]: any }} Value
 * @param {Value} value
 * @param {string | null} list
 * @returns {Value}
 */
export function withDates(value, list) {
  for (const row of list === null ? [] : value[list]) setDates(row);
  return value;
}

/**
 * The same in slices, so that the page stays responsive.
 *
 * @template {{ [list: string]: any }} Value
 * @param {Value} value
 * @param {string | null} list
 * @returns {Promise<Value>}
 */
export async function withDatesInSlices(value, list) {
  const rows = list === null ? [] : value[list];
  if (rows.length === 0 || !timesOf(rows[0])) return value;
  let begun = performance.now();
  for (let index = 0; index < rows.length; index += 1) {
    setDates(rows[index]);
    if (index % ROWS_BETWEEN !== 0 || performance.now() - begun < SLICE_MS) continue;
    await /** @type {{ scheduler: { yield(): Promise<void> } }} */ (/** @type {unknown} */ (globalThis)).scheduler.yield();
    begun = performance.now();
  }
  return value;
}

/** @param {any} row */
function setDates(row) {
  if (row.started_at !== undefined) {
    row.started_at = new Date(Number(row.started_at));
    row.ended_at = new Date(Number(row.ended_at));
  } else if (row.startedAt !== undefined) {
    row.startedAt = new Date(Number(row.startedAt));
    row.endedAt = new Date(Number(row.endedAt));
  }
}

/** @param {any} row */
function timesOf(row) {
  return row.started_at ?? row.startedAt;
}
