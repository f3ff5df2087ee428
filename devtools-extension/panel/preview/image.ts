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
const MOST_BYTES = 8_000_000;

/** Media type of an image that browsers render; undefined for other bytes and for images that are too large. */
export function imageTypeOf(bytes: Uint8Array): string | undefined {
  if (bytes.length > MOST_BYTES) return undefined;
  const begins = (hex: string, at: number): boolean =>
    bytes.length >= at + hex.length / 2 && (hex.match(/../g) ?? []).every((pair, index) => bytes[at + index] === Number.parseInt(pair, 16));
  return IMAGES.find(([, hex, at = 0]) => begins(hex, at))?.[0];
}
