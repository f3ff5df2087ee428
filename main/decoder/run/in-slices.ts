import { assertWhole, type Payload } from '../../input/payload.ts';
import { JsonSlices } from '../../json/slices.ts';
import { NOT_PLAIN } from '../../json/values.ts';
import type { ItemConsumer, SlicedDecode } from '../../slicing/sliced-decode.ts';
import type { Slicer } from '../../slicing/slicer.ts';
import type { DecoderState } from '../decoder-state.ts';
import { readyFormat } from '../formats.ts';
import { timesOf } from '../observe.ts';
import type { Operation } from '../operation.ts';
import { isSequence, type Prepared, readByEngine, settingOf } from '../prepare.ts';
import { PATIENCE_MS } from '../tuning.ts';

/** Takes the items of a list from a decode that may have to start over. */
export interface ResultConsumer extends ItemConsumer {
  /** Set at the end: true if the payload has the list. */
  found: boolean;
  /** The decode starts over: all items that were taken come again first. */
  restart(): void;
}

/** Code for formats whose columns can be taken over. */
const loadTables = () => import('../../arrow/table-slices.ts');

type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** A decode in slices that reports its progress. */
type Slices = SlicedDecode & { readonly rows: number; readonly found: boolean; idle?(): Promise<void> };

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
  operation.measure(() => ({ ...timesOf(slicer), rows: slices?.rows ?? 0, ...(input && { bytes: read }) }));

  async function feed(decode: Slices, chunks: Chunks): Promise<unknown> {
    slices = decode;
    read = 0;
    const source = Symbol.asyncIterator in chunks ? chunks[Symbol.asyncIterator]() : chunks[Symbol.iterator]();
    for (;;) {
      const coming = source.next();
      // Complete items do not wait for bytes that are late, or for an error.
      if (items && coming instanceof Promise && (await isLate(coming, decode.rows > 0 ? PATIENCE_MS : 0))) await decode.idle?.();
      const { done, value: chunk } = await coming;
      operation.check();
      if (done) break;
      read += chunk.length;
      await decode.push(chunk);
    }
    const value = await decode.end();
    if (items) items.found = decode.found;
    return value;
  }

  async function feedReader(chunks: Chunks): Promise<unknown> {
    const { format, readers } = await readyFormat(core, operation, prepared);
    assertWhole(payload, entry.id);
    return await feed(await readers.slicesFor(settingOf(prepared, format), revive, slicer, operation.report.as, items, loadTables), chunks);
  }

  try {
    const chunks = await chunksOf(payload, prepared);
    if (!readByEngine(prepared)) return await feedReader(chunks);
    // Few payloads are sequences, so their code is loaded on demand.
    const Sequence = isSequence(prepared) ? (await import('../../json/sequence.ts')).SequenceReader : undefined;
    const json = new JsonSlices(limits, slicer, { items, Sequence });
    const value = await feed(json, chunks);
    if (value !== NOT_PLAIN) return value;
    // The reader says what is wrong, and where.
    items?.restart();
    return await feedReader(json.chunks);
  } catch (error) {
    // A detached buffer reads as empty, which is no error of the payload.
    assertWhole(payload, entry.id);
    throw error;
  }
}

/** True if a promise does not resolve within some milliseconds. */
async function isLate(promise: Promise<unknown>, patience: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(true), patience)));
  try {
    return await Promise.race([
      promise.then(
        () => false,
        () => true,
      ),
      late,
    ]);
  } finally {
    clearTimeout(timer);
  }
}

/** The uncompressed bytes of a payload. */
async function chunksOf({ input, bytes, compression }: Payload, { limits }: Prepared): Promise<Chunks> {
  if (!input) return [bytes];
  if (!compression) return each(input);
  const { unpacked } = await import('../../input/unpack.ts');
  return each(await unpacked(input, limits));
}

async function* each(input: { next(): Promise<Uint8Array | undefined> }): AsyncGenerator<Uint8Array, void> {
  for (let chunk = await input.next(); chunk; chunk = await input.next()) yield chunk;
}
