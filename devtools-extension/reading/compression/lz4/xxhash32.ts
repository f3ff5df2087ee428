const PRIMES = [0x9e3779b1, 0x85ebca77, 0xc2b2ae3d, 0x27d4eb2f, 0x165667b1] as const;

/** XXH32 with the seed 0: https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md#xxh32-algorithm-description */
export function xxHash32(bytes: Uint8Array): number {
  const [p1, p2, p3, p4, p5] = PRIMES;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { length } = bytes;
  let at = 0;
  let hash: number = p5;
  if (length >= 16) {
    let a = (p1 + p2) | 0;
    let b: number = p2;
    let c = 0;
    let d = -p1 | 0;
    for (; at + 16 <= length; at += 16) {
      a = round(a, view.getUint32(at, true));
      b = round(b, view.getUint32(at + 4, true));
      c = round(c, view.getUint32(at + 8, true));
      d = round(d, view.getUint32(at + 12, true));
    }
    hash = (rotate(a, 1) + rotate(b, 7) + rotate(c, 12) + rotate(d, 18)) | 0;
  }
  hash = (hash + length) | 0;
  for (; at + 4 <= length; at += 4) hash = Math.imul(rotate((hash + Math.imul(view.getUint32(at, true), p3)) | 0, 17), p4);
  for (; at < length; at += 1) hash = Math.imul(rotate((hash + Math.imul(bytes[at]!, p5)) | 0, 11), p1);
  hash = Math.imul(hash ^ (hash >>> 15), p2);
  hash = Math.imul(hash ^ (hash >>> 13), p3);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function round(lane: number, word: number): number {
  return Math.imul(rotate((lane + Math.imul(word, PRIMES[1])) | 0, 13), PRIMES[0]);
}

function rotate(value: number, by: number): number {
  return (value << by) | (value >>> (32 - by));
}
