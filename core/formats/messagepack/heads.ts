import { out, view } from '../../bytes/output.ts';

/** The head of a string of so many bytes (fixstr, str 8, 16, 32). Returns the position after it. */
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

/** The head of an array of so many items (fixarray, array 16, 32). */
export function arrayHead(count: number, at: number): number {
  if (count < 16) {
    out[at] = 0x90 | count;
    return at + 1;
  }
  return longHead(count < 0x1_0000 ? 0xdc : 0xdd, count, at);
}

/** The head of a map of so many entries (fixmap, map 16, 32). */
export function mapHead(count: number, at: number): number {
  if (count < 16) {
    out[at] = 0x80 | count;
    return at + 1;
  }
  return longHead(count < 0x1_0000 ? 0xde : 0xdf, count, at);
}

/** The head of a map that takes two bytes for the count wherever these do, as msgpackr writes it. */
export function wideMapHead(count: number, at: number): number {
  return longHead(count < 0x1_0000 ? 0xde : 0xdf, count, at);
}

/** How many bytes `mapHead` writes. */
export function mapHeadSize(count: number): number {
  return count < 16 ? 1 : count < 0x1_0000 ? 3 : 5;
}

/** What `mapHead` writes. */
export function mapHeadBytes(count: number): Uint8Array {
  if (count < 16) return Uint8Array.of(0x80 | count);
  if (count < 0x1_0000) return Uint8Array.of(0xde, count >>> 8, count);
  return Uint8Array.of(0xdf, count >>> 24, count >>> 16, count >>> 8, count);
}

/** The head of a binary of so many bytes (bin 8, 16, 32). */
export function binaryHead(bytes: number, at: number): number {
  if (bytes >= 0x100) return longHead(bytes < 0x1_0000 ? 0xc5 : 0xc6, bytes, at);
  view.setUint16(at, 0xc400 | bytes);
  return at + 2;
}

/** The head of an extension of so many bytes, and its type (fixext 1 to 16, ext 8, 16, 32). */
export function extensionHead(bytes: number, type: number, at: number): number {
  let next = at + 1;
  if (bytes > 0 && bytes <= 16 && (bytes & (bytes - 1)) === 0) out[at] = 0xd4 + (31 - Math.clz32(bytes));
  else if (bytes < 0x100) return shortHead(bytes, type, at);
  else next = longHead(bytes < 0x1_0000 ? 0xc8 : 0xc9, bytes, at);
  out[next] = type;
  return next + 1;
}

/** Writes the head and the type of an extension of less than 256 bytes as ext 8. */
export function shortHead(bytes: number, type: number, at: number): number {
  view.setUint16(at, 0xc700 | bytes);
  out[at + 2] = type;
  return at + 3;
}

/** A token, and the count behind it in two bytes or in four. */
function longHead(token: number, count: number, at: number): number {
  out[at] = token;
  if (count < 0x1_0000) {
    view.setUint16(at + 1, count);
    return at + 3;
  }
  view.setUint32(at + 1, count);
  return at + 5;
}
