// The library's files are self-contained: they share what a thread has by its global object. The name is written out, which takes fewer
// bytes of the entry.

/** True if workers lack a codec of a format that this thread has. */
export function onlyHere(format: string): boolean {
  return format === (globalThis as Record<symbol, unknown>)[Symbol.for('unspool.page')];
}

/** Notes that workers lack a codec of a format. */
export function keepHere(format: string): void {
  (globalThis as Record<symbol, unknown>)[Symbol.for('unspool.page')] = format;
}
