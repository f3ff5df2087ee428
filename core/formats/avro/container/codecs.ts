import { joined } from '../../../bytes/byte-input.ts';
import { DecodeError, LimitError, WorkerCrashError } from '../../../errors.ts';
import type { Budget } from '../../../budget.ts';
import { ZstdFrames } from '../../../bytes/zstd/frames.ts';
import { CodecError, crc32, decompressSnappy } from './snappy.ts';

/**
 * Decompresses the data of a block. `allow` is told the bytes that come out before much is made of them, `charge` those that
 * are allocated besides.
 */
type Codec = (data: Uint8Array, allow: (size: number) => void, charge: (size: number) => void) => Uint8Array;

/** Bytes of a block that are inflated at once: what comes out of them, at most 1,032 times as many, is then checked. */
const SLICE = 16_384;

/** The codecs that can be used now (https://avro.apache.org/docs/1.12.0/specification/#required-codecs). */
const ready = new Map<string, Codec>([
  ['null', (data) => data],
  ['snappy', snappy],
]);

/** Those whose decompressor is code of its own. */
const loaders = new Map<string, () => Promise<Codec>>([
  ['deflate', loadDeflate],
  ['zstandard', loadZstandard],
]);

/** Loads the code of a codec, or of all where none is named. Undefined where there is nothing to load. */
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

/** Whether blocks of a codec can be read. Throws a DecodeError where the codec is not known. */
export function checkCodec(name: string, offset: number): void {
  if (ready.has(name)) return;
  const reason = loaders.has(name) ? `the codec ${name} has not been loaded` : `the codec ${name} is not known`;
  throw new DecodeError('unsupported', reason, { offset });
}

/** The data of a block whose stored bytes are at `offset` of the input. What comes out is counted against `budget`. */
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

/** Snappy's raw format, then the CRC-32 of what it decompresses to, big-endian. */
function snappy(data: Uint8Array, allow: (size: number) => void): Uint8Array {
  const end = data.length - 4;
  if (end < 0) throw new CodecError('Snappy data without a checksum');
  const output = decompressSnappy(data.subarray(0, end), allow);
  const checksum = new DataView(data.buffer, data.byteOffset + end, 4).getUint32(0);
  if (checksum !== crc32(output)) throw new CodecError('the checksum is wrong');
  return output;
}

/** DEFLATE (RFC 1951), without a head or a checksum. */
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
    if (!frames.whole) throw new CodecError('incomplete Zstandard data');
    return joined(parts as Uint8Array<ArrayBuffer>[]);
  };
}
