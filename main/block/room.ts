/** Bytes allocated at first, whatever length is declared. Later, twice the bytes received. */
const FIRST_ROOM = 1024 * 1024;

/**
 * Buffer for bytes of a declared length, starting with those received so far. Grows with the bytes received, since the
 * declared length may be wrong.
 */
export function roomFor(length: number, received: Uint8Array = new Uint8Array(0)): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(Math.min(length, Math.max(FIRST_ROOM, 2 * received.length)));
  bytes.set(received);
  return bytes;
}
