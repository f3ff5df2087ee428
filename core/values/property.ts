/** Sets an own property under any key, including `__proto__`, which an assignment would treat as the prototype. */
export function setProperty(target: object, key: string, value: unknown): void {
  if (key === '__proto__') Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
  else (target as Record<string, unknown>)[key] = value;
}

/** True for a plain object, which objects and maps of all formats decode to. */
export function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
