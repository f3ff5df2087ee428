import { Gunzip, Unzlib } from 'fflate';
import { ZstdFrames } from '../../../core/bytes/zstd/frames.ts';

/** Compressions recognized by their bytes. */
export type Compression = 'gzip' | 'zlib' | 'zstd';

/** Result of decompression. */
export interface Inflated {
  bytes: Uint8Array;
  /** True if the output was cut off at the limit. */
  isCut: boolean;
}

/** Compressed bytes passed to the decompressor at once. DEFLATE expands them at most 1,032 times. */
const PIECE_BYTES = 8 * 1024;
/** Maximum growth of a body as a factor, the size that is always allowed, and the absolute limit. */
const MAX_GROWTH = 30;
const MIN_ALLOWED = 32 * 1024 * 1024;
const MAX_SIZE = 128 * 1024 * 1024;

/** Factor of the allowed output that the windows of Zstandard frames may cost, as reported by `ZstdFrames`. */
const WINDOW_COST = 4;
/** Compressed bytes without output after which gzip is refused: the library re-reads an endless header with each piece. */
const MAX_GZIP_HEADER = 1024 * 1024;

/** Size of a header, an empty block and a trailer. */
const MIN_GZIP_LENGTH = 20;

/** Maximum decompressed size of a body. Larger output is likely an attack and needs the user's consent. */
export function maxInflatedSize(length: number): number {
  return Math.min(MAX_SIZE, Math.max(MIN_ALLOWED, length * MAX_GROWTH));
}

/** Detects compression by its signature: RFC 1952, section 2.3.1; RFC 1950, section 2.2; RFC 8878, section 3.1.1. */
export function compressionOf(bytes: Uint8Array): Compression | undefined {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 8) return 'gzip';
  if (bytes[0] === 0x78 && (0x7800 | bytes[1]!) % 31 === 0 && bytes.length > 6 && bytes[1] !== 0x20) return 'zlib';
  return bytes[0] === 0x28 && bytes[1] === 0xb5 && bytes[2] === 0x2f && bytes[3] === 0xfd ? 'zstd' : undefined;
}

/** Decompresses a body, up to `limit` bytes. Throws if it is damaged. */
export async function inflate(bytes: Uint8Array, compression: Compression, limit: number): Promise<Inflated> {
  if (compression === 'gzip' && bytes.length < MIN_GZIP_LENGTH) throw new Error('The gzip header is incomplete');
  const parts: Uint8Array[] = [];
  let size = 0;
  /** Compressed bytes since the last output. */
  let idle = 0;
  const stream = await streamOf(compression, maxInflatedSize(bytes.length) * WINDOW_COST, (part) => {
    if (part.length === 0) return;
    idle = 0;
    parts.push(part);
    size += part.length;
    if (size > limit) throw FULL;
  });
  try {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      idle += PIECE_BYTES;
      if (compression === 'gzip' && idle > MAX_GZIP_HEADER) throw new Error('The gzip header does not end');
      // Copies the piece, because the libraries retain the remainder and write to it.
      stream.push(bytes.slice(at, at + PIECE_BYTES), at + PIECE_BYTES >= bytes.length);
    }
  } catch (error) {
    if (error !== FULL) throw error;
  }
  return { bytes: joined(parts, Math.min(size, limit)), isCut: size > limit };
}

/** Thrown out of a library once the output limit is reached. */
const FULL = new Error('full');

interface Stream {
  push(chunk: Uint8Array, final?: boolean): void;
}

/** @param windows budget for the windows of frames */
async function streamOf(compression: Compression, windows: number, onData: (part: Uint8Array) => void): Promise<Stream> {
  if (compression === 'gzip') return new Gunzip(onData);
  if (compression === 'zlib') return new Unzlib(onData);
  const { Decompress } = await import('fzstd');
  let left = windows;
  const frames = new ZstdFrames(
    (onBlock) => new Decompress(onBlock),
    onData,
    (bytes) => {
      left -= bytes;
      if (left < 0) throw new Error('The windows of the Zstandard frames are too large');
    },
  );
  return {
    push(chunk, final) {
      frames.push(chunk);
      if (final && !frames.isBetweenFrames) throw new Error('The Zstandard frame is incomplete');
    },
  };
}

function joined(parts: readonly Uint8Array[], size: number): Uint8Array {
  const output = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    output.set(at + part.length > size ? part.subarray(0, size - at) : part, at);
    at += part.length;
    if (at >= size) break;
  }
  return output;
}
