/** Sets an own property under any key; `__proto__` too, which an assignment would take for the prototype. */
export function setProperty(target: object, key: string, value: unknown): void {
  if (key === '__proto__') Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
  else (target as Record<string, unknown>)[key] = value;
}

/** Whether a value is a plain object, as the formats' objects and maps become. */
export function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
