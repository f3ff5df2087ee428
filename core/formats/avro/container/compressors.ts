import { EncodeError, WorkerCrashError } from '../../../errors.ts';
import type { AvroWriteOptions } from '../options.ts';
import { crc32 } from './snappy.ts';
import { compressSnappy } from './snappy-writer.ts';

/** Compresses the data of a block; undefined if they are stored uncompressed. */
export type Compressor = ((data: Uint8Array) => Uint8Array) | undefined;

/** Codecs that are loaded (https://avro.apache.org/docs/1.12.0/specification/#required-codecs). */
const ready = new Map<string, Compressor>([
  ['null', undefined],
  ['snappy', snappy],
]);

/** Loads DEFLATE if the options ask for it. Undefined if there is nothing to load. */
export function loadCompressor({ framing, codec, compress }: AvroWriteOptions): Promise<void> | undefined {
  return framing === 'container' && codec === 'deflate' && compress === undefined && !ready.has('deflate') ? loadDeflate() : undefined;
}

/** The compressor of a container's blocks. Throws an EncodeError if the codec is neither built in nor given. */
export function compressorFor({ codec = 'null', compress }: AvroWriteOptions): Compressor {
  if (compress !== undefined) return compress;
  if (ready.has(codec)) return ready.get(codec);
  const reason =
    codec === 'deflate'
      ? 'the codec deflate is not loaded: use an encoder, or give the option "compress"'
      : `the codec ${codec} is not built in: give the option "compress" too`;
  throw new EncodeError('unsupported', reason);
}

async function loadDeflate(): Promise<void> {
  try {
    const { deflateSync } = await import('./deflating.ts');
    ready.set('deflate', (data) => deflateSync(data));
  } catch (error) {
    throw new WorkerCrashError(`the code of the codec deflate could not be loaded: ${(error as Error).message}`, { cause: error });
  }
}

/** Snappy's raw format, followed by the CRC-32 of the data, big-endian. */
function snappy(data: Uint8Array): Uint8Array {
  const compressed = compressSnappy(data);
  const block = new Uint8Array(compressed.length + 4);
  block.set(compressed);
  new DataView(block.buffer).setUint32(compressed.length, crc32(data));
  return block;
}
