/** Signatures of the images that browsers show: the bytes in hexadecimal, and where they begin. */
const IMAGES: readonly (readonly [type: string, hex: string, at?: number])[] = [
  ['image/png', '89504e470d0a1a0a'],
  ['image/jpeg', 'ffd8ff'],
  ['image/gif', '47494638'],
  ['image/webp', '57454250', 8],
  ['image/avif', '6674797061766966', 4],
  ['image/x-icon', '00000100'],
];
/** Bytes of an image that is shown. */
const MOST_BYTES = 8_000_000;

/** The media type of an image that browsers show; undefined for what is none, or too large. */
export function imageTypeOf(bytes: Uint8Array): string | undefined {
  if (bytes.length > MOST_BYTES) return undefined;
  const begins = (hex: string, at: number): boolean =>
    bytes.length >= at + hex.length / 2 && (hex.match(/../g) ?? []).every((pair, index) => bytes[at + index] === Number.parseInt(pair, 16));
  return IMAGES.find(([, hex, at = 0]) => begins(hex, at))?.[0];
}
