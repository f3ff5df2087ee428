import { Gunzip, Inflate, Unzlib } from 'fflate';
import { ZstdFrames } from '../../../core/bytes/zstd/frames.ts';
import { inflateBlock, inflateBlocks, sizedBlocks } from './lz4-sized-blocks.ts';

/** Compressions that a body may lie in without a word of its headers. */
export type Compression = 'gzip' | 'zlib' | 'zstd' | 'lz4 block';

/** Compressions that nothing tells: DEFLATE without a header (RFC 1951), and a block of LZ4 without its size. */
export type BareCompression = 'deflate' | 'lz4 block';

/** What came out of a compressed body. */
export interface Inflated {
  bytes: Uint8Array;
  /** There is more: it was left out. */
  isCut: boolean;
}

/** Compressed bytes that are worked off in one go: DEFLATE makes at most 1,032 times as many of them. */
const PIECE_BYTES = 8 * 1024;
/** A body may grow so many times, or to so many bytes if that is more, and to so many at most. */
const MAX_GROWTH = 30;
const MIN_ALLOWED = 32 * 1024 * 1024;
const LARGEST = 128 * 1024 * 1024;

/** Windows of Zstandard may cost so many times the bytes that a body may grow to: `ZstdFrames` tells the cost. */
const WINDOW_COST = 4;
/** Bytes of gzip that may give nothing one after the other: its library reads a header that does not end anew with each piece. */
const MAX_GZIP_HEADER = 1024 * 1024;

/** The header, an empty block, and the trailer. */
const SHORTEST_GZIP = 20;

/** Bytes to which a compressed body may grow. What would be more is likely an attack, and is not unpacked unasked. */
export function mostInflated(length: number): number {
  return Math.min(LARGEST, Math.max(MIN_ALLOWED, length * MAX_GROWTH));
}

/**
 * The compression that bytes begin with: RFC 1952, section 2.3.1; RFC 1950, section 2.2; RFC 8878, section 3.1.1; an LZ4
 * block is recognised by the size before it.
 */
export function compressionOf(bytes: Uint8Array): Compression | undefined {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 8) return 'gzip';
  if (bytes[0] === 0x78 && (0x7800 | bytes[1]!) % 31 === 0 && bytes.length > 6 && bytes[1] !== 0x20) return 'zlib';
  if (bytes[0] === 0x28 && bytes[1] === 0xb5 && bytes[2] === 0x2f && bytes[3] === 0xfd) return 'zstd';
  return sizedBlocks(bytes) ? 'lz4 block' : undefined;
}

/** Inflates bytes that are said to be compressed so, up to `most` bytes. Throws where they are not. */
export async function inflateBare(bytes: Uint8Array, compression: BareCompression, most: number): Promise<Inflated> {
  return compression === 'deflate' ? inflateStream(bytes, compression, most) : inflateBlock(bytes, most);
}

/** Inflates a body, up to `most` bytes. Throws where it is damaged. */
export async function inflate(bytes: Uint8Array, compression: Compression, most: number): Promise<Inflated> {
  if (compression === 'lz4 block') return inflateBlocks(bytes, sizedBlocks(bytes) ?? [], most);
  if (compression === 'gzip' && bytes.length < SHORTEST_GZIP) throw new Error('The gzip header is not whole');
  return inflateStream(bytes, compression, most);
}

async function inflateStream(bytes: Uint8Array, compression: StreamCompression, most: number): Promise<Inflated> {
  const parts: Uint8Array[] = [];
  let size = 0;
  /** Compressed bytes since there was output. */
  let idle = 0;
  const stream = await streamOf(compression, mostInflated(bytes.length) * WINDOW_COST, (part) => {
    if (part.length === 0) return;
    idle = 0;
    parts.push(part);
    size += part.length;
    if (size > most) throw FULL;
  });
  try {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      idle += PIECE_BYTES;
      if (compression === 'gzip' && idle > MAX_GZIP_HEADER) throw new Error('The gzip header does not end');
      // Libraries keep what they have not used up, and write to it.
      stream.push(bytes.slice(at, at + PIECE_BYTES), at + PIECE_BYTES >= bytes.length);
    }
  } catch (error) {
    if (error !== FULL) throw error;
  }
  return { bytes: joined(parts, Math.min(size, most)), isCut: size > most };
}

/** Thrown out of a library when there is enough of its output. */
const FULL = new Error('full');

interface Stream {
  push(chunk: Uint8Array, final?: boolean): void;
}

type StreamCompression = 'gzip' | 'zlib' | 'zstd' | 'deflate';

/** @param windows what the windows of frames may cost */
async function streamOf(compression: StreamCompression, windows: number, onData: (part: Uint8Array) => void): Promise<Stream> {
  if (compression === 'gzip') return new Gunzip(onData);
  if (compression === 'zlib') return new Unzlib(onData);
  if (compression === 'deflate') return new Inflate(onData);
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
      if (final && !frames.isBetweenFrames) throw new Error('The Zstandard frame is not whole');
    },
  };
}

function joined(parts: readonly Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(at + part.length > size ? part.subarray(0, size - at) : part, at);
    at += part.length;
    if (at >= size) break;
  }
  return whole;
}
