/** Options have two or three levels. */
const MAX_DEPTH = 100;

/** Copies arrays and plain objects at any depth: proxies, such as those of Vue's `ref`, cannot be posted to a worker as they are. */
export function plainCopy<Data>(value: Data, depth = 0): Data {
  if (depth > MAX_DEPTH) {
    throw new TypeError('an option contains itself, or has too many levels, and cannot be sent to a worker');
  }
  const copy = (item: unknown): unknown => plainCopy(item, depth + 1);
  if (Array.isArray(value)) return value.map(copy) as Data;
  if (Object.prototype.toString.call(value) !== '[object Object]') return value;
  return Object.fromEntries(Object.entries(value as object).map(([key, item]) => [key, copy(item)])) as Data;
}
