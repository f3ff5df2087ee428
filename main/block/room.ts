/** Bytes for which room is made at first, whatever length is declared; then, twice as many as have come. */
const FIRST_ROOM = 1024 * 1024;

/** Room for bytes of a declared length, with those that have come so far: allocates as they come, not what is declared. */
export function roomFor(length: number, come: Uint8Array = new Uint8Array(0)): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(Math.min(length, Math.max(FIRST_ROOM, 2 * come.length)));
  bytes.set(come);
  return bytes;
}
