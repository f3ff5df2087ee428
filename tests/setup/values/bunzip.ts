import exported from 'bz2';

interface Bz2 {
  decompress(bytes: Uint8Array): Uint8Array;
}

/** Decompresses bzip2 by the package bz2, which sets a global on pages and exports elsewhere. */
export function bunzip(bytes: Uint8Array): Uint8Array {
  const { bz2 = exported } = globalThis as { bz2?: Bz2 };
  return bz2.decompress(bytes);
}
