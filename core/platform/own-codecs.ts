/** The library's files are self-contained: they share what a thread has by its global object. Written out, it takes fewer bytes of the entry. */

/** True if this thread decodes a format itself, since its workers lack a codec that was registered here. */
export function isDecodedHere(format: string): boolean {
  return format === (globalThis as Record<symbol, unknown>)[Symbol.for('unspool.page')];
}

/** Has this thread decode a format itself from now on. */
export function decodeHere(format: string): void {
  (globalThis as Record<symbol, unknown>)[Symbol.for('unspool.page')] = format;
}
