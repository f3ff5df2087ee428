/** Hashes a range 4 bytes at a time; the last word overlaps the one before if the length is no multiple of 4. */
export function hashRange(source: DataView, from: number, to: number): number {
  let hash = to - from;
  if (hash >= 4) {
    const last = to - 4;
    for (let at = from; at < last; at += 4) {
      hash = Math.imul(hash ^ source.getInt32(at, true), 0x9e3779b1);
      hash ^= hash >>> 15;
    }
    hash = Math.imul(hash ^ source.getInt32(last, true), 0x85ebca6b);
  } else {
    for (let at = from; at < to; at++) hash = Math.imul(hash ^ source.getUint8(at), 0x9e3779b1);
  }
  return hash ^ (hash >>> 13);
}
