import { ByteInput } from '../../core/bytes/byte-input.ts';
import { checkLimits } from '../../core/check-names.ts';
import { READ_OPTIONS } from '../../core/formats/json/options.ts';
import { type Limits, resolveLimits } from '../../core/limits.ts';
import { checkOptions } from '../../core/option-table.ts';
import { JsonSlices } from '../../core/slicing/json/json-slices.ts';
import { NOT_PLAIN } from '../../core/slicing/json/values.ts';
import { MINOR_GC } from '../../core/slicing/minor-gc.ts';
import type { SlicedDecode } from '../../core/slicing/sliced-decode.ts';
import { Slicer } from '../../core/slicing/slicer.ts';
import { addCaller } from '../call/tell-call.ts';
import type { BodySetting } from './body-reader.ts';

type Chunk = Uint8Array<ArrayBuffer>;

/**
 * Decodes a body into objects on the calling thread, in slices. A decoder does the same with a plan, workers and reports, which
 * servers at the edge do without. Rejects with the errors of `Decoder.decode`; the body is then cancelled.
 */
export async function decodeBody(body: ReadableStream<Chunk>, setting: BodySetting): Promise<unknown> {
  const { signal } = setting;
  const caller = new Error();
  const input = new ByteInput(body.getReader(), { size: 0, own: false });
  let abort = (): void => {};
  const aborted = new Promise<never>((_, reject) => (abort = () => reject(signal!.reason as Error)));
  signal?.addEventListener('abort', abort);
  try {
    signal?.throwIfAborted();
    return await Promise.race([decode(input, setting), aborted]);
  } catch (error) {
    input.cancel(error);
    if (error !== signal?.reason) addCaller(error, caller);
    throw error;
  } finally {
    signal?.removeEventListener('abort', abort);
  }
}

async function decode(input: ByteInput, setting: BodySetting): Promise<unknown> {
  const { format, options, zstd, signal } = setting;
  checkLimits(setting.limits);
  const limits = resolveLimits(setting.limits);
  const slicer = new Slicer(signal, { building: MINOR_GC });
  const chunks = zstd ? unpacked(input, limits) : chunksOf(input);

  async function feed(slices: SlicedDecode & { readonly failed?: boolean }): Promise<unknown> {
    while (!slices.failed) {
      const { done, value } = await chunks.next();
      signal?.throwIfAborted();
      if (done) break;
      await slices.push(value);
    }
    return await slices.end();
  }

  const held: Uint8Array[] = [];
  const { bigints, ranges, sequence } = options as { bigints?: string; ranges?: boolean; sequence?: boolean };
  if (format === 'json') {
    checkOptions(options, READ_OPTIONS);
    // The engine makes no exact integers of JSON.
    if (bigints !== 'bigint' && !ranges) {
      const Sequence = sequence ? (await import('../../core/slicing/json/sequence.ts')).SequenceReader : undefined;
      const value = await feed(new JsonSlices(limits, slicer, { Sequence, held }));
      if (value !== NOT_PLAIN) return value;
    }
  }
  const { readerOf } = await import('./body-reader.ts');
  const reader = await readerOf(setting, limits, slicer);
  // The reader says what the engine's parser refused, and where.
  for (const chunk of held) await reader.push(chunk);
  return await feed(reader);
}

async function* chunksOf(input: ByteInput): AsyncGenerator<Uint8Array, void> {
  for (let chunk = await input.next(); chunk; chunk = await input.next()) yield chunk;
}

/** The decompressed chunks of a body in Zstandard. */
async function* unpacked(input: ByteInput, limits: Limits): AsyncGenerator<Uint8Array, void> {
  const { ZstdUnpacker } = await import('../../core/bytes/zstd/zstd.ts');
  const unpacker = await ZstdUnpacker.load(limits);
  for await (const chunk of chunksOf(input)) {
    unpacker.feed(chunk);
    for (let piece = unpacker.next(); piece; piece = unpacker.next()) yield piece;
  }
  unpacker.end();
}
