import { hasSignature } from '../../reading/file-types/signatures.ts';
import type { OpenBody } from '../body/open-body.ts';

/** How a body can be previewed. */
export interface Preview {
  kind: 'html' | 'image';
  /** Media type. */
  type: string;
}

/** Maximum size of a document or an SVG image. A larger one would block the panel. */
const MAX_MARKUP = 2_000_000;

/** Preview of a body; undefined without one. */
export function previewOf({ bytes, language }: Pick<OpenBody, 'bytes' | 'language'>): Preview | undefined {
  const image = imageTypeOf(bytes);
  if (image) return { kind: 'image', type: image };
  if (bytes.length > MAX_MARKUP) return undefined;
  if (language === 'html') return { kind: 'html', type: 'text/html' };
  return language === 'xml' && isSvg(bytes) ? { kind: 'image', type: 'image/svg+xml' } : undefined;
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
  return IMAGES.find(([, hex, at]) => hasSignature(bytes, hex, at))?.[0];
}
