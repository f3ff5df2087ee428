import { joined } from '../../../bytes/byte-input.ts';
import { bytesIn } from '../../../bytes/bytes-in.ts';
import { DecodeError, LimitError, WorkerCrashError } from '../../../errors.ts';
import type { Budget } from '../../../budget.ts';
import { ZstdFrames } from '../../../bytes/zstd/frames.ts';
import { type Decompress, registeredCodecs } from './registered.ts';
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
  const registered = registeredCodecs();
  const names = (name === undefined ? [...loaders.keys(), ...(registered?.keys() ?? [])] : [name]).filter((one) => {
    const codec = registered?.get(one);
    return codec === undefined ? loaders.has(one) && !ready.has(one) : typeof codec !== 'function';
  });
  return names.length > 0 ? load(names) : undefined;
}

async function load(names: readonly string[]): Promise<void> {
  for (const name of names) {
    try {
      const codec = registeredCodecs()?.get(name);
      if (codec === undefined) ready.set(name, await loaders.get(name)!());
      else if (typeof (await codec) !== 'function') throw new TypeError('the promise gave no function');
    } catch (error) {
      throw new WorkerCrashError(`the code of the codec ${name} could not be loaded: ${(error as Error).message}`, { cause: error });
    }
  }
}

/** Checks that a codec is loaded. Throws a DecodeError if the codec is unknown. */
export function checkCodec(name: string, offset: number): void {
  if (codecOf(name)) return;
  const reason =
    loaders.has(name) || registeredCodecs()?.has(name)
      ? `the codec ${name} is not loaded: call \`await prepare(avro, bytes)\` first`
      : `the codec ${name} is not built in: add a package for it by registerCodec of unspool/formats/avro, in each thread that decodes`;
  throw new DecodeError('unsupported', reason, { offset });
}

/** Decompresses a block whose stored bytes are at input offset `offset`. The output counts against `budget`. */
export function decompress(name: string, data: Uint8Array, budget: Budget, offset: number): Uint8Array {
  try {
    return codecOf(name)!(
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

/** A codec that is loaded; one of the application replaces a built-in one. */
function codecOf(name: string): Codec | undefined {
  const registered = registeredCodecs()?.get(name);
  if (typeof registered === 'function') return ofApplication(name, registered);
  return registered === undefined ? ready.get(name) : undefined;
}

/** The size of the output is known once it has been made. */
function ofApplication(name: string, decompress: Decompress): Codec {
  return (data, allow) => {
    const output = decompress(data);
    if ((output as Partial<Promise<unknown>> | undefined)?.then) throw new CodecError(`the codec ${name} returned a promise: it must return bytes`);
    const bytes = bytesIn(output);
    if (!bytes) throw new CodecError(`the codec ${name} returned no bytes`);
    allow(bytes.length);
    return bytes;
  };
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
