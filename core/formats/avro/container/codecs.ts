import { joined } from '../../../bytes/byte-input.ts';
import { DecodeError, LimitError, WorkerCrashError } from '../../../errors.ts';
import type { Budget } from '../../../budget.ts';
import { ZstdFrames } from '../../../bytes/zstd/frames.ts';
import { CodecError, crc32, decompressSnappy } from './snappy.ts';

/**
 * Decompresses the data of a block. Calls `allow` with the size of the output before most of it is allocated, and
 * `charge` with the bytes allocated in addition.
 */
type Codec = (data: Uint8Array, allow: (size: number) => void, charge: (size: number) => void) => Uint8Array;

/** Bytes of a block inflated per step. The output, at most 1,032 times as many bytes, is checked after each step. */
const SLICE = 16_384;

/** Codecs that are loaded (https://avro.apache.org/docs/1.12.0/specification/#required-codecs). */
const ready = new Map<string, Codec>([
  ['null', (data) => data],
  ['snappy', snappy],
]);

/** Codecs whose decompressor is loaded on demand. */
const loaders = new Map<string, () => Promise<Codec>>([
  ['deflate', loadDeflate],
  ['zstandard', loadZstandard],
]);

/** Loads the code of a codec, or of all codecs if no name is given. Undefined if there is nothing to load. */
export function loadCodecs(name?: string): Promise<void> | undefined {
  const names = (name === undefined ? [...loaders.keys()] : [name]).filter((one) => loaders.has(one) && !ready.has(one));
  return names.length > 0 ? load(names) : undefined;
}

async function load(names: readonly string[]): Promise<void> {
  for (const name of names) {
    try {
      ready.set(name, await loaders.get(name)!());
    } catch (error) {
      throw new WorkerCrashError(`the code of the codec ${name} could not be loaded: ${(error as Error).message}`, { cause: error });
    }
  }
}

/** Checks that a codec is loaded. Throws a DecodeError if the codec is unknown. */
export function checkCodec(name: string, offset: number): void {
  if (ready.has(name)) return;
  const reason = loaders.has(name) ? `the codec ${name} is not loaded: call \`await prepare(avro, bytes)\` first` : `the codec ${name} is unknown`;
  throw new DecodeError('unsupported', reason, { offset });
}

/** Decompresses a block whose stored bytes are at input offset `offset`. The output counts against `budget`. */
export function decompress(name: string, data: Uint8Array, budget: Budget, offset: number): Uint8Array {
  try {
    return ready.get(name)!(
      data,
      (size) => budget.spendInput(size, offset),
      (size) => budget.spendBytes(size, offset),
    );
  } catch (error) {
    if (error instanceof LimitError) throw error;
    const reason = error instanceof CodecError ? error.message : `the codec ${name} cannot read it: ${(error as Error).message}`;
    throw new DecodeError('malformed', `invalid compressed block: ${reason}`, { offset });
  }
}

/** Snappy's raw format, followed by the CRC-32 of the decompressed data, big-endian. */
function snappy(data: Uint8Array, allow: (size: number) => void): Uint8Array {
  const end = data.length - 4;
  if (end < 0) throw new CodecError('the Snappy data has no checksum');
  const output = decompressSnappy(data.subarray(0, end), allow);
  const checksum = new DataView(data.buffer, data.byteOffset + end, 4).getUint32(0);
  if (checksum !== crc32(output)) throw new CodecError('the checksum is wrong');
  return output;
}

/** DEFLATE (RFC 1951), without a header or a checksum. */
async function loadDeflate(): Promise<Codec> {
  const { Inflate } = await import('./deflate.ts');
  return (data, allow) => {
    const parts: Uint8Array[] = [];
    const inflate = new Inflate((chunk) => {
      allow(chunk.length);
      parts.push(chunk);
    });
    let at = 0;
    for (; at + SLICE < data.length; at += SLICE) inflate.push(data.subarray(at, at + SLICE));
    inflate.push(data.subarray(at), true);
    return joined(parts as Uint8Array<ArrayBuffer>[]);
  };
}

async function loadZstandard(): Promise<Codec> {
  const { Decompress } = await import('fzstd');
  return (data, allow, charge) => {
    const parts: Uint8Array[] = [];
    const frames = new ZstdFrames(
      (onData) => new Decompress(onData),
      (part) => {
        allow(part.length);
        parts.push(part);
      },
      charge,
    );
    frames.push(data);
    if (!frames.isBetweenFrames) throw new CodecError('incomplete Zstandard data');
    return joined(parts as Uint8Array<ArrayBuffer>[]);
  };
}
