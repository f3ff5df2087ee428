import type { OpenBody } from '../body/open-body.ts';

/** How a body can be previewed. */
export interface Preview {
  kind: 'html' | 'image' | 'font' | 'audio' | 'video';
  /** Media type. */
  type: string;
}

/** Signatures of fonts, audio and video, in hexadecimal. */
const SIGNATURES: readonly (readonly [kind: 'font' | 'audio' | 'video', type: string, hex: string, at?: number])[] = [
  ['font', 'font/woff', '774f4646'],
  ['font', 'font/woff2', '774f4632'],
  ['font', 'font/otf', '4f54544f'],
  ['audio', 'audio/mp4', '667479704d344120', 4],
  ['audio', 'audio/mp4', '667479704d344220', 4],
  ['video', 'video/mp4', '66747970', 4],
  ['video', 'video/webm', '1a45dfa3'],
  ['audio', 'audio/ogg', '4f676753'],
  ['audio', 'audio/mpeg', '494433'],
  ['audio', 'audio/wav', '57415645', 8],
  ['audio', 'audio/flac', '664c6143'],
];
/** MP3 and AAC frames without a header begin with eleven or twelve set bits, too little to trust without a Content-Type. */
const BARE_AUDIO = /^audio\/(?:mpeg|mp3|aac)\b/i;
/** Maximum size of an HTML preview. A larger document would block the panel. */
const MAX_HTML = 2_000_000;
/** Maximum size of an SVG preview. */
const MAX_SVG = 2_000_000;

/** Preview of a body; undefined without one. */
export function previewOf({ bytes, contentType, language }: Pick<OpenBody, 'bytes' | 'contentType' | 'language'>): Preview | undefined {
  const image = imageTypeOf(bytes);
  if (image) return { kind: 'image', type: image };
  if (language === 'html') return bytes.length <= MAX_HTML ? { kind: 'html', type: 'text/html' } : undefined;
  if (language === 'xml') return bytes.length <= MAX_SVG && isSvg(bytes) ? { kind: 'image', type: 'image/svg+xml' } : undefined;
  const found = SIGNATURES.find(([, , hex, at = 0]) => beginsWith(bytes, hex, at));
  if (found) {
    const [kind, type] = found;
    // The Content-Type decides between audio and video, because their containers are the same.
    if (kind === 'font') return { kind, type };
    const declared = /^(audio|video)\//i.exec(contentType)?.[1]?.toLowerCase() as 'audio' | 'video' | undefined;
    return { kind: declared ?? kind, type: declared ? type.replace(/^\w+/, declared) : type };
  }
  if (isTrueType(bytes)) return { kind: 'font', type: 'font/ttf' };
  if (BARE_AUDIO.test(contentType) && bytes[0] === 0xff && bytes[1]! >= 0xe0) return { kind: 'audio', type: contentType.replace(/;.*$/s, '') };
  return undefined;
}

function beginsWith(bytes: Uint8Array, hex: string, at: number): boolean {
  for (let i = 0; i < hex.length / 2; i += 1) if (bytes[at + i] !== Number.parseInt(hex.slice(i * 2, i * 2 + 2), 16)) return false;
  return true;
}

/** `uint32 0x00010000, uint16 tables, …`; the first table's name, of four characters, follows six bytes later. */
function isTrueType(bytes: Uint8Array): boolean {
  if (!beginsWith(bytes, '00010000', 0) || bytes[4] !== 0 || bytes[5] === 0) return false;
  return /^[A-Za-z\d/ ]{4}$/.test(String.fromCharCode(...bytes.subarray(12, 16)));
}

/** Prolog of an SVG document. A comment ends at its first `-->`, so every text matches in one way only. */
const PROLOG = /^\uFEFF?\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->)[^])*-->\s*|<!DOCTYPE[^>]*>\s*)*<svg[\s>]/i;

function isSvg(bytes: Uint8Array): boolean {
  return PROLOG.test(new TextDecoder().decode(bytes.subarray(0, 2_000)));
}

/** Signatures of the image types that browsers render: bytes in hexadecimal, and their offset. */
const IMAGES: readonly (readonly [type: string, hex: string, at?: number])[] = [
  ['image/png', '89504e470d0a1a0a'],
  ['image/jpeg', 'ffd8ff'],
  ['image/gif', '47494638'],
  ['image/webp', '57454250', 8],
  ['image/avif', '6674797061766966', 4],
  ['image/x-icon', '00000100'],
];
/** Maximum size of a rendered image. */
const MAX_BYTES = 8_000_000;

/** Media type of an image that browsers render; undefined for other bytes and for images that are too large. */
export function imageTypeOf(bytes: Uint8Array): string | undefined {
  if (bytes.length > MAX_BYTES) return undefined;
  const begins = (hex: string, at: number): boolean =>
    bytes.length >= at + hex.length / 2 && (hex.match(/../g) ?? []).every((pair, index) => bytes[at + index] === Number.parseInt(pair, 16));
  return IMAGES.find(([, hex, at = 0]) => begins(hex, at))?.[0];
}
