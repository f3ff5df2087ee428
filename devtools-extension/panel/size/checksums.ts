/** Checksums of bytes, in hexadecimal, by their names. */
export type Checksums = readonly (readonly [name: string, hex: string])[];

const DIGESTS = ['SHA-1', 'SHA-256', 'SHA-512'] as const;
/** Bytes between two looks at the time. */
const SLICE = 256 * 1024;

/** The CRC-32 of bytes, as gzip, ZIP and PNG have it (ISO 3309, ITU-T V.42). */
export function* crc32(bytes: Uint8Array): Generator<undefined, number> {
  const table = Uint32Array.from({ length: 256 }, (_, value) => {
    let rest = value;
    for (let bit = 0; bit < 8; bit += 1) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
    return rest;
  });
  let crc = 0xffffffff;
  for (let from = 0; from < bytes.length; from += SLICE) {
    const end = Math.min(bytes.length, from + SLICE);
    for (let at = from; at < end; at += 1) crc = (crc >>> 8) ^ table[(crc ^ bytes[at]!) & 0xff]!;
    yield;
  }
  return ~crc >>> 0;
}

/** The digests that the browser makes; none where the page is not secure. */
export async function digestsOf(bytes: Uint8Array): Promise<Checksums> {
  const { subtle } = globalThis.crypto as Partial<Crypto>;
  if (!subtle) return [];
  return Promise.all(DIGESTS.map(async (name) => [name, hexOf(await subtle.digest(name, bytes as Uint8Array<ArrayBuffer>))] as const));
}

function hexOf(buffer: ArrayBuffer): string {
  return Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
