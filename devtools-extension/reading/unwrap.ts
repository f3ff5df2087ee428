import { gunzipSync, unzlibSync } from 'fflate';
import { decodeFrames } from './frames.ts';
import type { Wrapping } from './protocol.ts';

/** What unpacked bodies may take. */
const LARGEST = 256 * 1024 * 1024;

/** Takes off what a body is wrapped in, as often as it is. Leaves alone what cannot be taken off. */
export async function unwrap(body: Uint8Array, contentType: string): Promise<{ bytes: Uint8Array; wrappings: Wrapping[] }> {
  const wrappings: Wrapping[] = [];
  let bytes = body;
  while (wrappings.length < 4) {
    const found = await unwrapOnce(bytes, contentType);
    if (!found) break;
    bytes = found.bytes;
    wrappings.push(...found.wrappings);
    // Messages are what is in frames, and no frames again.
    if (found.isLast) break;
  }
  return { bytes, wrappings };
}

async function unwrapOnce(bytes: Uint8Array, contentType: string): Promise<{ bytes: Uint8Array; wrappings: Wrapping[]; isLast: boolean } | undefined> {
  try {
    if (bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 8) {
      const size = bytes.length >= 4 ? new DataView(bytes.buffer, bytes.byteOffset + bytes.length - 4).getUint32(0, true) : 0;
      return size > LARGEST ? undefined : { bytes: gunzipSync(bytes), wrappings: ['gzip'], isLast: false };
    }
    if (bytes[0] === 0x78 && (0x7800 | bytes[1]!) % 31 === 0 && bytes.length > 6 && bytes[1] !== 0x20) {
      return { bytes: unzlibSync(bytes), wrappings: ['zlib'], isLast: false };
    }
    if (bytes[0] === 0x28 && bytes[1] === 0xb5 && bytes[2] === 0x2f && bytes[3] === 0xfd) {
      const { decompress } = await import('fzstd');
      return { bytes: decompress(bytes), wrappings: ['zstd'], isLast: false };
    }
    const frames = decodeFrames(bytes, contentType);
    return frames && { ...frames, isLast: true };
  } catch {
    return undefined;
  }
}
