import { align } from '../../../block/block-file.ts';
import type { Budget } from '../../../budget.ts';
import { DecodeError, LimitError, WorkerCrashError } from '../../../errors.ts';
import { type MakeDecompress, ZstdFrames } from '../../../bytes/zstd/frames.ts';
import { decompressLz4 } from './lz4.ts';

/** Bytes before a compressed buffer: the length of its content. */
const LENGTH_BYTES = 8;
const LZ4 = 0;
const ZSTD = 1;

let makeZstd: MakeDecompress | undefined;

/** Loads the decompressor of Zstandard. Undefined if it is loaded. */
export function loadZstd(): Promise<void> | undefined {
  return makeZstd ? undefined : load();
}

async function load(): Promise<void> {
  try {
    const { Decompress } = await import('fzstd');
    makeZstd = (onData) => new Decompress(onData);
  } catch (error) {
    throw new WorkerCrashError(`the decompressor of Zstandard could not be loaded: ${(error as Error).message}`, { cause: error });
  }
}

/**
 * Decompresses the buffers of a body, each at a multiple of 8 bytes of the result, and replaces their ranges. A buffer
 * begins with the length of its content as an int64; −1 means that the rest is the content. `ranges` are pairs of
 * positions: start and end. `base` is the offset of `bytes` in the input.
 */
export function decompressBody(bytes: Uint8Array, view: DataView, ranges: Float64Array, codec: number, budget: Budget, base: number): Uint8Array {
  if (codec !== LZ4 && codec !== ZSTD) throw new DecodeError('unsupported', `the codec ${codec} is not known`, { offset: base + (ranges[0] ?? 0) });
  const lengths = new Float64Array(ranges.length / 2);
  let total = 0;
  for (let index = 0; index < lengths.length; index++) {
    const from = ranges[index * 2]!;
    const stored = ranges[index * 2 + 1]! - from;
    if (stored === 0) continue;
    if (stored < LENGTH_BYTES) throw new DecodeError('malformed', `a compressed buffer has ${stored} bytes`, { offset: base + from });
    const length = view.getInt32(from + 4, true) * 2 ** 32 + view.getUint32(from, true);
    if (length < -1) throw new DecodeError('malformed', `a compressed buffer declares a length of ${length}`, { offset: base + from });
    lengths[index] = length < 0 ? -1 : length;
    const content = length < 0 ? stored - LENGTH_BYTES : length;
    budget.spendInput(content, base + from);
    total += align(content);
  }
  const body = new Uint8Array(total);
  let at = 0;
  for (let index = 0; index < lengths.length; index++) {
    const from = ranges[index * 2]!;
    const to = ranges[index * 2 + 1]!;
    const start = Math.min(from + LENGTH_BYTES, to);
    const length = lengths[index]! < 0 ? to - start : lengths[index]!;
    if (lengths[index]! < 0) body.set(bytes.subarray(start, to), at);
    else if (length > 0) decompress(codec, bytes.subarray(start, to), body.subarray(at, at + length), budget, base + from);
    ranges[index * 2] = at;
    ranges[index * 2 + 1] = at + length;
    at += align(length);
  }
  return body;
}

function decompress(codec: number, source: Uint8Array, target: Uint8Array, budget: Budget, offset: number): void {
  try {
    if (codec === LZ4) decompressLz4(source, target);
    else decompressZstd(source, target, budget, offset);
  } catch (error) {
    if (error instanceof LimitError || error instanceof DecodeError) throw error;
    throw new DecodeError('malformed', `invalid compressed buffer: ${(error as Error).message}`, { offset });
  }
}

function decompressZstd(source: Uint8Array, target: Uint8Array, budget: Budget, offset: number): void {
  if (!makeZstd) throw new DecodeError('unsupported', 'only some record batches are compressed with Zstandard', { offset });
  let filled = 0;
  const frames = new ZstdFrames(
    makeZstd,
    (part) => {
      if (part.length > target.length - filled) throw new Error('there are more bytes than declared');
      target.set(part, filled);
      filled += part.length;
    },
    (size) => budget.spendBytes(size, offset),
  );
  frames.push(source);
  if (!frames.isBetweenFrames || filled !== target.length) throw new Error('there are fewer bytes than declared');
}
