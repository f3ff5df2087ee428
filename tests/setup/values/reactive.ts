/** Wraps a value, and all that is read from it, in proxies: as `ref` and `reactive` of Vue, and stores of Valtio, MobX and Solid do. */
export function reactive<T>(value: T): T {
  if (typeof value !== 'object' || value === null || !(Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype)) return value;
  return new Proxy(value, { get: (target, key, receiver) => reactive(Reflect.get(target, key, receiver) as unknown) });
}
