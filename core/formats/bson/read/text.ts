import { decodeUtf8 } from '../../../bytes/text/text.ts';

const HEX = ascii('0123456789abcdef');
const BASE64 = ascii('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/');
const EQUALS = 0x3d;
const DASH = 0x2d;
/** Bytes encoded as base64 in one call: a multiple of three. */
const STEP = 24_576;

const scratch = new Uint8Array(36);

function ascii(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

/** Formats `count` bytes, up to 18, as lower-case hexadecimal digits. */
export function toHex(bytes: Uint8Array, from: number, count: number): string {
  for (let i = 0; i < count; i += 1) {
    const byte = bytes[from + i]!;
    scratch[i * 2] = HEX[byte >> 4]!;
    scratch[i * 2 + 1] = HEX[byte & 15]!;
  }
  return decodeUtf8(scratch, 0, count * 2, -1);
}

/** Formats 16 bytes as a UUID: 8, 4, 4, 4 and 12 digits. */
export function toUuid(bytes: Uint8Array, from: number): string {
  let to = 0;
  for (let i = 0; i < 16; i += 1) {
    if (i === 4 || i === 6 || i === 8 || i === 10) scratch[to++] = DASH;
    const byte = bytes[from + i]!;
    scratch[to++] = HEX[byte >> 4]!;
    scratch[to++] = HEX[byte & 15]!;
  }
  return decodeUtf8(scratch, 0, 36, -1);
}

/** Encodes `from..end` as base64 (RFC 4648 section 4). */
export function toBase64(bytes: Uint8Array, from: number, end: number): string {
  let text = '';
  for (let at = from; at < end; at += STEP) text += part(bytes, at, Math.min(at + STEP, end));
  return text;
}

function part(bytes: Uint8Array, from: number, end: number): string {
  const encoded = new Uint8Array(Math.ceil((end - from) / 3) * 4);
  let to = 0;
  for (let at = from; at < end; at += 3) {
    const triple = (bytes[at]! << 16) | ((at + 1 < end ? bytes[at + 1]! : 0) << 8) | (at + 2 < end ? bytes[at + 2]! : 0);
    encoded[to] = BASE64[triple >> 18]!;
    encoded[to + 1] = BASE64[(triple >> 12) & 63]!;
    encoded[to + 2] = at + 1 < end ? BASE64[(triple >> 6) & 63]! : EQUALS;
    encoded[to + 3] = at + 2 < end ? BASE64[triple & 63]! : EQUALS;
    to += 4;
  }
  return decodeUtf8(encoded, 0, encoded.length, -1);
}
