import { DecodeSession, type SessionSetting } from '../format/decode-session.ts';
import type { ReviveTag } from '../reading/revive.ts';
import { ObjectSink, EmittedItems, type EmittedList, shapeOf } from '../sinks/objects/objects.ts';
import { keepAlive } from '../engine/keep-alive.ts';
import { formatRevive } from '../reading/format-revive.ts';
import type { Slicer } from './slicer.ts';
import type { ItemConsumer, ListConsumer, SkippedItems, SlicedDecode } from './sliced-decode.ts';
import {
  ARRAY_VALUES,
  BYTES_PER_VALUE,
  COUNT_ARRAYS_FROM,
  COUNT_VALUES_FROM,
  FIRST_PUSH_BYTES,
  ITEM_BYTES,
  MIN_PUSH_BYTES,
  MAX_PUSH_BYTES,
  PUSH_MS,
  SLICE_MS,
  STEP_VALUES,
  TICK_MS,
} from './tuning.ts';

/**
 * Decodes a payload of any format into plain objects with the format's reader. The size of each push follows the time
 * of the last one.
 *
 * Counts only the arrays of large payloads for the collector (see `COUNT_ARRAYS_FROM`): for other values, V8 pauses less if
 * left alone.
 */
export class ReaderSlices implements SlicedDecode {
  readonly #setting: SessionSetting;
  readonly #slicer: Slicer;
  readonly #sink: ObjectSink;
  readonly #session: DecodeSession;
  readonly #consumer: ItemConsumer | ListConsumer | undefined;
  readonly #emitted: EmittedList | undefined;
  /** Bytes of the next push. */
  #size = FIRST_PUSH_BYTES;
  /** Milliseconds of work since the thread last yielded. */
  #worked = 0;
  #rows = 0;
  /** Bytes received, including those not yet read. */
  #received = 0;
  /** Bytes received for a reader that needs the complete payload. */
  readonly #chunks: Uint8Array[] = [];

  /**
   * `revive` converts tagged values before the format's own conversion. The signal of `slicer` aborts the decode. With
   * `namesKeys`, empty lists name the keys of their records.
   */
  constructor(
    setting: SessionSetting,
    revive: ReviveTag | undefined,
    slicer: Slicer,
    { items, namesKeys = false }: { items?: ItemConsumer | ListConsumer | undefined; namesKeys?: boolean } = {},
  ) {
    this.#setting = setting;
    this.#slicer = slicer;
    this.#sink = new ObjectSink(formatRevive(setting.format, revive));
    if (namesKeys) this.#sink.nameKeys();
    this.#session = new DecodeSession(setting, this.#sink);
    this.#consumer = items;
    if (items === undefined) return;
    this.#emitted = 'path' in items ? new EmittedItems(items.path) : items.lists;
    this.#sink.emit(this.#emitted);
  }

  /** Number of items of the longest list read so far. */
  get rows(): number {
    return this.#rows;
  }

  /** True if the list to emit was found. */
  get found(): boolean {
    return this.#emitted?.found ?? false;
  }

  /** True if the value may contain the same object more than once. */
  get shares(): boolean {
    return this.#sink.anchored !== undefined;
  }

  async push(chunk: Uint8Array): Promise<void> {
    if (chunk.length === 0) return;
    if (this.#received === 0) await this.#session.prepare(chunk);
    this.#received += chunk.length;
    this.#sink.room += chunk.length / ITEM_BYTES;
    if (this.#session.readsWhole) {
      this.#chunks.push(chunk);
      return;
    }
    for (let at = 0; at < chunk.length;) {
      const piece = chunk.subarray(at, at + this.#size);
      at += piece.length;
      await this.#work(() => this.#session.push(piece), piece.length);
    }
  }

  /** Goes on after items that were emitted before. The bytes so far must end before an item. */
  skip({ length, items }: SkippedItems): void {
    this.#session.skip(length);
    this.#sink.skip(items);
  }

  async end(): Promise<unknown> {
    const payload = await this.#joined();
    if (this.#session.readsWhole) this.#session.stepValues = STEP_VALUES;
    const bytes = Math.min(payload?.length ?? 0, STEP_VALUES * BYTES_PER_VALUE);
    await this.#work(() => this.#session.end(payload), bytes, true);
    while (this.#session.isPaused) await this.#work(() => this.#session.resume(), bytes, true);
    keepAlive(this.#setting.format, () => new DecodeSession(this.#setting, new ObjectSink()));
    return this.#sink.result;
  }

  /** Does a piece of work in the current slice, emits the items read, and ends the slice once its time is used up. */
  async #work(read: () => void, bytes: number, last = false): Promise<void> {
    const slicer = this.#slicer;
    slicer.begin();
    const start = performance.now();
    try {
      read();
    } catch (error) {
      slicer.end();
      // The last item may be the beginning of a longer number if it only ended because the input did.
      if (bytes > 0) await this.#emit();
      throw error;
    }
    const time = performance.now() - start;
    this.#rows = Math.max(this.#rows, this.#sink.longestList?.count ?? 0);
    if (bytes > 0) this.#follow(time, bytes);
    if (this.#received >= COUNT_ARRAYS_FROM) slicer.building?.count(this.#sink.arrays * ARRAY_VALUES);
    if (this.#received >= COUNT_VALUES_FROM) slicer.building?.count(bytes / BYTES_PER_VALUE);
    this.#sink.arrays = 0;
    this.#worked += time;
    const isOver = last && !this.#session.isPaused;
    if (!isOver && (slicer.due() || this.#worked + PUSH_MS > SLICE_MS)) {
      await slicer.pause();
      this.#worked = 0;
    }
    slicer.end();
    await this.#emit();
  }

  async #emit(): Promise<void> {
    const items = this.#sink.takeItems();
    if (items.length > 0) await this.#consumer!.take(items as never);
  }

  /** Adapts the next push to take the target time. */
  #follow(time: number, bytes: number): void {
    // A short push says little about larger ones.
    const max = bytes * 2 < this.#size ? this.#size : Math.min(this.#size * 2, MAX_PUSH_BYTES);
    const min = Math.max(this.#size / 2, MIN_PUSH_BYTES);
    const wanted = (bytes * PUSH_MS) / Math.max(time, TICK_MS);
    this.#size = Math.floor(Math.max(min, Math.min(max, wanted)));
  }

  /** Joins the bytes for a reader that needs the complete payload, in slices. */
  async #joined(): Promise<Uint8Array | undefined> {
    const chunks = this.#chunks;
    if (chunks.length < 2) return chunks[0];
    const payload = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const chunk of chunks) {
      await this.#work(() => payload.set(chunk, at), 0);
      at += chunk.length;
    }
    return payload;
  }
}

/**
 * Decodes a small payload into plain objects in one go, with the format's reader. With `namesKeys`, empty lists name the keys of
 * their records.
 */
export function readAtOnce(setting: SessionSetting, bytes: Uint8Array, revive: ReviveTag | undefined, namesKeys = false): unknown {
  const { format, options, limits, schema } = setting;
  const value = format.decodeAtOnce?.(bytes, options, limits, schema, shapeOf, namesKeys);
  if (value !== undefined) return value;
  const sink = new ObjectSink(formatRevive(format, revive));
  if (namesKeys) sink.nameKeys();
  const session = new DecodeSession(setting, sink);
  session.end(bytes);
  keepAlive(setting.format, () => new DecodeSession(setting, new ObjectSink()));
  return sink.result;
}
