const encoder = new TextEncoder();
/**
 * Longest string, in UTF-16 units, that is encoded by hand: a call of the encoder and the regular expression cost more.
 */
const SHORT = 64;
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const scratch = new Uint8Array(SHORT * 3);

/** The string that `encodeScratch` encoded last. */
export const SCRATCH = new DataView(scratch.buffer);

/**
 * Encodes a short string into `SCRATCH`, without allocating. Returns the number of bytes, or −1 if the string is too
 * long.
 */
export function encodeScratch(text: string): number {
  return text.length <= SHORT ? encodeShort(text, scratch) : -1;
}

/** Encodes a string as WTF-8: UTF-8 in which a lone surrogate takes the three bytes of its code point. */
export function encodeWtf8(text: string): Uint8Array {
  if (text.length <= SHORT) return scratch.slice(0, encodeShort(text, scratch));
  const pieces = text.split(/([\uD800-\uDFFF])/u);
  if (pieces.length === 1) return encoder.encode(text);
  const encoded = pieces.map((piece, index) => (index % 2 === 0 ? encoder.encode(piece) : surrogate(piece)));
  const bytes = new Uint8Array(encoded.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of encoded) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

function encodeShort(text: string, bytes: Uint8Array): number {
  let at = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.codePointAt(index)!;
    if (code < 0x80) bytes[at++] = code;
    else {
      if (code < 0x800) bytes[at++] = 0xc0 | (code >> 6);
      else {
        if (code < 0x10000) bytes[at++] = 0xe0 | (code >> 12);
        else {
          bytes[at++] = 0xf0 | (code >> 18);
          bytes[at++] = 0x80 | ((code >> 12) & 0x3f);
          index++;
        }
        bytes[at++] = 0x80 | ((code >> 6) & 0x3f);
      }
      bytes[at++] = 0x80 | (code & 0x3f);
    }
  }
  return at;
}

/** Decodes WTF-8. Text with lone surrogates is decoded by hand. */
export function decodeWtf8(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    const pieces: string[] = [];
    let from = 0;
    for (let at = 0; at < bytes.length; at++) {
      if (bytes[at] !== 0xed || bytes[at + 1]! < 0xa0) continue;
      pieces.push(decoder.decode(bytes.subarray(from, at)), String.fromCharCode(0xd000 | ((bytes[at + 1]! & 0x3f) << 6) | (bytes[at + 2]! & 0x3f)));
      from = at + 3;
    }
    pieces.push(decoder.decode(bytes.subarray(from)));
    return pieces.join('');
  }
}

function surrogate(unit: string): Uint8Array {
  const code = unit.charCodeAt(0);
  return Uint8Array.of(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f));
}
