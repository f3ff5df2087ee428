/** Copies arrays and plain objects at any depth: proxies, such as those of Vue's `ref`, cannot be posted to a worker as they are. */
export function plainCopy<Data>(value: Data): Data {
  if (Array.isArray(value)) return value.map(plainCopy) as Data;
  if (Object.prototype.toString.call(value) !== '[object Object]') return value;
  return Object.fromEntries(Object.entries(value as object).map(([key, item]) => [key, plainCopy(item as unknown)])) as Data;
}
