/** The quality that servers take for what they compress at each request. */
const QUALITY = 4;
/** More would take the encoder, which is no compiled code, over a second. */
const MOST_BYTES = 1024 * 1024;

/** Bytes that gzip makes of some. */
export async function gzipSize(bytes: Uint8Array): Promise<number> {
  const reader = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new CompressionStream('gzip')).getReader();
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) size += part.value.length;
  return size;
}

/** Bytes that Brotli makes of some; undefined where they are too many to try. */
export async function brotliSize(bytes: Uint8Array): Promise<number | undefined> {
  if (bytes.length > MOST_BYTES) return undefined;
  const { compress } = await import('brotli/compress.js');
  // Where nothing is saved, it gives null.
  return (await compress(bytes, { quality: QUALITY }))?.length ?? bytes.length;
}
