import { DEFAULT_LIMITS } from '../../core/limits.ts';
import { assertWhole, type Payload } from '../call/input/payload.ts';
import { NOT_PLAIN } from '../../core/slicing/json/values.ts';
import type { HeldInput, ItemConsumer, SkippedItems, SlicedDecode } from '../../core/slicing/sliced-decode.ts';
import type { Slicer } from '../../core/slicing/slicer.ts';
import type { DecoderState } from '../call/decoder-state.ts';
import { readyFormat } from '../call/formats.ts';
import { timesOf } from '../call/observe.ts';
import type { Operation } from '../call/operation.ts';
import { loadJsonSlices } from '../call/json-slices.ts';
import { isSequence, type Prepared, readByEngine, settingOf } from '../call/prepare.ts';

/** Takes the items of a list from a decode that may have to start over. */
export interface ResultConsumer extends ItemConsumer {
  /** Set at the end: true if the payload has the list. */
  found: boolean;
  /** The input in case the decode starts over. */
  readonly held: HeldInput;
  /** The decode starts over: those of the items taken that are held come again first. */
  restart(): void;
  /** True if bytes are so late that complete items should not wait for them, or end in an error. `rows` is the number of items so far. */
  isLate(bytes: Promise<unknown>, rows: number): Promise<boolean>;
}

/** Code for formats whose columns can be taken over. */
const loadTables = () => import('../slices/table-slices.ts');

type Chunks = AsyncIterator<Uint8Array, void> | Iterator<Uint8Array, void>;

/** A decode in slices that reports its progress. One that has failed leaves the payload to a reader. */
type Slices = SlicedDecode & { readonly rows: number; readonly found: boolean; readonly failed?: boolean; idle?(): Promise<void> };

/**
 * Decodes a payload on this thread in slices, as its bytes arrive. `slicer` measures the work, and ends it with the operation;
 * `items` takes the items of a list, which are then not in the result.
 */
export async function decodeInSlices(
  core: DecoderState,
  operation: Operation,
  prepared: Prepared,
  payload: Payload,
  slicer: Slicer,
  items?: ResultConsumer,
): Promise<unknown> {
  const { limits, revive, entry } = prepared;
  const { input } = payload;
  let slices: Slices | undefined;
  let read = 0;
  /** A chunk that was asked for and not read. */
  let coming: ReturnType<Chunks['next']> | undefined;
  operation.measure(() => ({ ...timesOf(slicer), rows: slices?.rows ?? 0, ...(input && { bytes: read }) }));

  async function feed(decode: Slices, chunks: Chunks): Promise<unknown> {
    slices = decode;
    while (!decode.failed) {
      coming ??= chunks.next();
      if (coming instanceof Promise && (await items?.isLate(coming, decode.rows))) {
        await decode.idle?.();
        if (decode.failed) break;
      }
      const { done, value: chunk } = await coming;
      coming = undefined;
      operation.check();
      if (done) break;
      read += chunk.length;
      await decode.push(chunk);
    }
    const value = await decode.end();
    if (items) items.found = decode.found;
    return value;
  }

  async function feedReader(chunks: Chunks, held: Iterable<Uint8Array | SkippedItems> = []): Promise<unknown> {
    const { format, readers } = await readyFormat(core, operation, prepared);
    assertWhole(payload, entry.id);
    const reader = await readers.slicesFor(settingOf(prepared, format), revive, slicer, operation.report.as, items, loadTables);
    for (const part of held) {
      if (part instanceof Uint8Array) await reader.push(part);
      else reader.skip!(part);
    }
    return await feed(reader, chunks);
  }

  try {
    const chunks = await chunksOf(payload, prepared);
    // The engine's parser does not count values.
    if (!readByEngine(prepared) || (items && limits.values < DEFAULT_LIMITS.values)) return await feedReader(chunks);
    // Few payloads are sequences, so their code is loaded on demand.
    const Sequence = isSequence(prepared) ? (await import('../../core/slicing/json/sequence.ts')).SequenceReader : undefined;
    const held: HeldInput = items?.held ?? [];
    const { JsonSlices } = await loadJsonSlices();
    operation.check();
    const json = new JsonSlices(limits, slicer, { items, Sequence, held });
    const value = await feed(json, chunks);
    if (value !== NOT_PLAIN) return value;
    // The reader says what is wrong, and where.
    items?.restart();
    return await feedReader(chunks, held);
  } catch (error) {
    // A detached buffer reads as empty, which is no error of the payload.
    assertWhole(payload, entry.id);
    throw error;
  }
}

/** The uncompressed bytes of a payload. */
async function chunksOf({ input, bytes, compression }: Payload, { limits }: Prepared): Promise<Chunks> {
  if (!input) return [bytes].values();
  if (!compression) return each(input);
  const { unpacked } = await import('../call/input/unpack.ts');
  return each(await unpacked(input, limits));
}

async function* each(input: { next(): Promise<Uint8Array | undefined> }): AsyncGenerator<Uint8Array, void> {
  for (let chunk = await input.next(); chunk; chunk = await input.next()) yield chunk;
}
