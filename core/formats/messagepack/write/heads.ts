import { out, view } from '../../../bytes/output.ts';

/** Writes the head of a string of `bytes` bytes (fixstr, str 8, 16, 32). Returns the position after it. */
export function stringHead(bytes: number, at: number): number {
  if (bytes < 32) {
    out[at] = 0xa0 | bytes;
    return at + 1;
  }
  if (bytes < 0x100) {
    view.setUint16(at, 0xd900 | bytes);
    return at + 2;
  }
  return longHead(bytes < 0x1_0000 ? 0xda : 0xdb, bytes, at);
}

/** Writes the head of an array of `count` items (fixarray, array 16, 32). */
export function arrayHead(count: number, at: number): number {
  if (count < 16) {
    out[at] = 0x90 | count;
    return at + 1;
  }
  return longHead(count < 0x1_0000 ? 0xdc : 0xdd, count, at);
}

/** Writes the head of a map of `count` entries (fixmap, map 16, 32). */
export function mapHead(count: number, at: number): number {
  if (count < 16) {
    out[at] = 0x80 | count;
    return at + 1;
  }
  return longHead(count < 0x1_0000 ? 0xde : 0xdf, count, at);
}

/** Writes the head of a map as map 16 or 32 even if a fixmap would do, as msgpackr does. */
export function wideMapHead(count: number, at: number): number {
  return longHead(count < 0x1_0000 ? 0xde : 0xdf, count, at);
}

/** Bytes that `mapHead` writes. */
export function mapHeadSize(count: number): number {
  return count < 16 ? 1 : count < 0x1_0000 ? 3 : 5;
}

/** The bytes that `mapHead` writes. */
export function mapHeadBytes(count: number): Uint8Array {
  if (count < 16) return Uint8Array.of(0x80 | count);
  if (count < 0x1_0000) return Uint8Array.of(0xde, count >>> 8, count);
  return Uint8Array.of(0xdf, count >>> 24, count >>> 16, count >>> 8, count);
}

/** Writes the head of a binary of `bytes` bytes (bin 8, 16, 32). */
export function binaryHead(bytes: number, at: number): number {
  if (bytes >= 0x100) return longHead(bytes < 0x1_0000 ? 0xc5 : 0xc6, bytes, at);
  view.setUint16(at, 0xc400 | bytes);
  return at + 2;
}

/** Writes the head and type of an extension of `bytes` bytes (fixext 1 to 16, ext 8, 16, 32). */
export function extensionHead(bytes: number, type: number, at: number): number {
  let next = at + 1;
  if (bytes > 0 && bytes <= 16 && (bytes & (bytes - 1)) === 0) out[at] = 0xd4 + (31 - Math.clz32(bytes));
  else if (bytes < 0x100) return shortHead(bytes, type, at);
  else next = longHead(bytes < 0x1_0000 ? 0xc8 : 0xc9, bytes, at);
  out[next] = type;
  return next + 1;
}

/** Writes the head and type of an extension of less than 256 bytes as ext 8. */
export function shortHead(bytes: number, type: number, at: number): number {
  view.setUint16(at, 0xc700 | bytes);
  out[at + 2] = type;
  return at + 3;
}

/** Writes a token followed by a count of two or four bytes. */
function longHead(token: number, count: number, at: number): number {
  out[at] = token;
  if (count < 0x1_0000) {
    view.setUint16(at + 1, count);
    return at + 3;
  }
  view.setUint32(at + 1, count);
  return at + 5;
}
