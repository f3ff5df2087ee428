// Canonical form of rows, since formats represent times, enums and absent values differently.

const ENUMS = /** @type {Record<string, readonly string[]>} */ ({
  rideable_type: ['electric_bike', 'classic_bike'],
  member_casual: ['member', 'casual'],
});
const TIMES = ['started_at', 'ended_at'];
/** Optional fields of both datasets. */
const OPTIONAL = ['end_station_name', 'end_station_id', 'end_lat', 'end_lng'];

/**
 * A trip or a point with sorted field names, times in milliseconds, enums as strings, and null for absent fields.
 *
 * @param {any} row
 */
export function canonicalRow(row) {
  /** @type {Record<string, unknown>} */
  const found = {};
  for (const key of Object.keys(row)) {
    const name = snakeCase(key);
    const value = row[key];
    if (name in ENUMS) found[name] = typeof value === 'string' ? snakeCase(value) : ENUMS[name][Number(value)];
    else if (TIMES.includes(name)) found[name] = milliseconds(value);
    else found[name] = value ?? null;
  }
  // Cap'n Proto has no null.
  if ('ride_id' in found) for (const name of OPTIONAL) if (found[name] === '' || Number.isNaN(found[name])) found[name] = null;
  if ('ride_id' in found) for (const name of OPTIONAL) found[name] ??= null;
  return Object.fromEntries(
    Object.keys(found)
      .sort()
      .map((name) => [name, found[name]]),
  );
}

/** @param {string} name */
const snakeCase = (name) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** @param {any} value a Date, a number, a bigint or a string */
function milliseconds(value) {
  return typeof value === 'string' ? Date.parse(`${value.replace(' ', 'T')}Z`) : Number(value);
}

/**
 * A value without null, empty lists and empty objects, which some schemas cannot distinguish from absent fields.
 *
 * @param {any} value
 * @returns {any}
 */
export function bare(value) {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((item) => bare(item) ?? null);
  if (typeof value.toArray === 'function') return bare(value.toArray());
  const kept = Object.keys(value)
    .sort()
    .map((key) => [key, bare(value[key])]);
  return Object.fromEntries(kept.filter(([, child]) => child != null && !(typeof child === 'object' && Object.keys(child).length === 0)));
}
