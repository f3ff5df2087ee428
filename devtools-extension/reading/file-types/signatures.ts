import { textKind, NO_TEXT } from '../../../core/formats/protobuf/schemaless/guess.ts';

/** Signatures of non-data files: bytes in hexadecimal, and their offset. */
const SIGNATURES: readonly (readonly [name: string, hex: string, at?: number])[] = [
  ['a PNG image', '89504e470d0a1a0a'],
  ['a JPEG image', 'ffd8ff'],
  ['a GIF image', '47494638'],
  ['a WebP image', '57454250', 8],
  ['a Windows icon', '00000100'],
  ['a bitmap', '424d'],
  ['an ISO media file', '66747970', 4],
  ['a Matroska or WebM file', '1a45dfa3'],
  ['an Ogg file', '4f676753'],
  ['an MP3 file', '494433'],
  ['a WAVE file', '57415645', 8],
  ['a WOFF font', '774f4646'],
  ['a WOFF 2 font', '774f4632'],
  ['an OpenType font', '4f54544f'],
  ['a PDF document', '25504446'],
  ['a ZIP archive', '504b0304'],
  ['a WebAssembly module', '0061736d01000000'],
  ['an SQLite database', '53514c69746520666f726d6174203300'],
  ['a Parquet file', '50415231'],
];

/** Shorter signatures look like text and count only for binary content. */
const SHORT = 4;

/** Name of the file type that a signature identifies; undefined without one. */
export function signatureOf(bytes: Uint8Array): string | undefined {
  return SIGNATURES.find(([, hex, at]) => hasSignature(bytes, hex, at) && (hex.length / 2 >= SHORT || !isText(bytes)))?.[0];
}

/** True if the bytes at an offset are those of a signature in hexadecimal. */
export function hasSignature(bytes: Uint8Array, hex: string, at = 0): boolean {
  return hex.match(/../g)!.every((pair, index) => bytes[at + index] === Number.parseInt(pair, 16));
}

/** Number of bytes examined in a long body. */
const MAX_EXAMINED = 64 * 1024;

/** True for UTF-8 without control characters other than tabs and line ends. A long body is cut between characters. */
export function isText(bytes: Uint8Array): boolean {
  let end = Math.min(bytes.length, MAX_EXAMINED);
  // Moves the cut to the start of a character.
  for (let back = 0; end < bytes.length && back < 3 && (bytes[end]! & 0xc0) === 0x80; back += 1) end -= 1;
  return textKind(bytes, 0, end) !== NO_TEXT;
}
