import { joined } from '../byte-input.ts';

const encoder = new TextEncoder();

/**
 * Longest string, in UTF-16 units, that is encoded by hand: a call of the encoder and the regular expression cost more.
 */
const SHORT = 64;

const scratch = new Uint8Array(SHORT * 3);

/** The string that `encodeScratch` encoded last. */
export const SCRATCH = new DataView(scratch.buffer);

/**
 * Encodes a short string into `SCRATCH`, without allocating. Returns the number of bytes, or −1 if the string is too
 * long.
 */
export function encodeScratch(text: string): number {
  return text.length <= SHORT ? encodeShort(text) : -1;
}

/** Encodes a string as WTF-8: UTF-8 in which a lone surrogate takes the three bytes of its code point. */
export function encodeWtf8(text: string): Uint8Array {
  if (text.length <= SHORT) return scratch.slice(0, encodeShort(text));
  const pieces = text.split(/([\uD800-\uDFFF])/u);
  return joined(pieces.map((piece, index) => (index % 2 === 0 ? encoder.encode(piece) : surrogate(piece))));
}

/** Encodes a short string into `scratch`. Returns the number of bytes. */
function encodeShort(text: string): number {
  let at = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.codePointAt(index)!;
    if (code < 0x80) scratch[at++] = code;
    else {
      if (code < 0x800) scratch[at++] = 0xc0 | (code >> 6);
      else {
        if (code < 0x10000) scratch[at++] = 0xe0 | (code >> 12);
        else {
          scratch[at++] = 0xf0 | (code >> 18);
          scratch[at++] = 0x80 | ((code >> 12) & 0x3f);
          index++;
        }
        scratch[at++] = 0x80 | ((code >> 6) & 0x3f);
      }
      scratch[at++] = 0x80 | (code & 0x3f);
    }
  }
  return at;
}

function surrogate(unit: string): Uint8Array<ArrayBuffer> {
  const code = unit.charCodeAt(0);
  return Uint8Array.of(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f));
}
