/**
 * Keys of eight letters with the same `hashRange` (`core/bytes/hash.ts`): the last four letters compensate for the first four.
 */
export function collidingKeys(count: number): string[] {
  const keys: string[] = [];
  const view = new DataView(new ArrayBuffer(8));
  for (let first = 0; keys.length < count; first++) {
    for (let at = 0, rest = first; at < 4; at++, rest = Math.floor(rest / 64)) view.setUint8(at, 0x3f + (rest % 64));
    let hash = Math.imul(8 ^ view.getInt32(0, true), 0x9e3779b1);
    hash ^= hash >>> 15;
    view.setInt32(4, hash ^ 0x12345678, true);
    const bytes = new Uint8Array(view.buffer);
    if (bytes.every((byte) => byte > 0x22 && byte < 0x7f && byte !== 0x5c)) keys.push(String.fromCodePoint(...bytes));
  }
  return keys;
}
