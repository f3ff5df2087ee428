import { DecodeSession, type SessionSetting } from '../../core/reading/decode.ts';
import type { AnyFormat } from '../../core/formats/format.ts';
import type { Revive } from '../../core/reading/revive.ts';
import { ObjectSink, EmittedItems, type EmittedList } from '../../core/sinks/objects/objects.ts';
import { KeepAlive } from '../../core/keep-alive.ts';
import { formatRevive } from '../decoder/revive.ts';
import type { Slicer } from './slicer.ts';
import { BYTES_A_VALUE, HUGE_BYTES, type ItemConsumer, LARGE_BYTES, type ListConsumer, type SlicedDecode } from './sliced-decode.ts';

/** Time that one push should take, and after which the thread is given back, in milliseconds. */
const PUSH_MS = 1.9;
const SLICE_MS = 4;

/** Bytes of the first push, and of the smallest and largest. */
const FIRST_BYTES = 32 * 1024;
const LEAST_BYTES = 4 * 1024;
const MOST_BYTES = 1024 * 1024;

/** Of so many bytes each, items of long arrays may have room before they come. */
const ITEM_BYTES = 4;

/** What a short array takes, counted in values. */
const ARRAY_VALUES = 3;

/** The least time that a clock tells apart, where it is coarse. */
const TICK_MS = 0.1;

const keepAlive = new KeepAlive<AnyFormat>();

/**
 * Decodes a payload of any format by its reader into plain objects. How many bytes a push has follows the time that the
 * last one took.
 *
 * Of what is built, only the arrays of large payloads are counted for the collector (see `LARGE_BYTES`). Of other values, V8
 * left alone copied a fifth to a half less than when it was made to collect, and its pauses were shorter for nested ones (2
 * to 14 ms instead of 7 to 27).
 */
export class ReaderSlices implements SlicedDecode {
  readonly #setting: SessionSetting;
  readonly #slicer: Slicer;
  readonly #sink: ObjectSink;
  readonly #session: DecodeSession;
  readonly #consumer: ItemConsumer | ListConsumer | undefined;
  readonly #emitted: EmittedList | undefined;
  /** Bytes of the next push. */
  #size = FIRST_BYTES;
  /** Milliseconds of work since the thread was given back. */
  #worked = 0;
  #rows = 0;
  /** Bytes that have come, those included that wait. */
  #received = 0;
  /** The bytes so far of a payload that is read when it is whole. */
  readonly #kept: Uint8Array[] = [];

  /** `revive` makes the values of tags before the format's own way does. The signal of `slicer` ends the decode. */
  constructor(setting: SessionSetting, revive: Revive | undefined, slicer: Slicer, { items }: { items?: ItemConsumer | ListConsumer } = {}) {
    this.#setting = setting;
    this.#slicer = slicer;
    this.#sink = new ObjectSink(formatRevive(setting.format, revive));
    this.#session = new DecodeSession(setting, this.#sink);
    this.#consumer = items;
    if (items === undefined) return;
    this.#emitted = 'path' in items ? new EmittedItems(items.path) : items.lists;
    this.#sink.emit(this.#emitted);
  }

  /** Items so far of the longest list that has been read. */
  get rows(): number {
    return this.#rows;
  }

  /** Whether the list whose items are given out was there. */
  get found(): boolean {
    return this.#emitted?.found ?? false;
  }

  /** Whether a value that has been read may be in several places. */
  get shares(): boolean {
    return this.#sink.anchored !== undefined;
  }

  async push(chunk: Uint8Array): Promise<void> {
    if (chunk.length === 0) return;
    this.#received += chunk.length;
    this.#sink.room += chunk.length / ITEM_BYTES;
    if (this.#session.received === 0 && this.#kept.length === 0) await this.#session.prepare(chunk);
    if (this.#session.readsWhole) {
      this.#kept.push(chunk);
      return;
    }
    for (let at = 0; at < chunk.length;) {
      const piece = chunk.subarray(at, at + this.#size);
      at += piece.length;
      await this.#work(() => this.#session.push(piece), piece.length);
    }
  }

  async end(): Promise<unknown> {
    const whole = await this.#whole();
    await this.#work(() => this.#session.end(whole), whole?.length ?? 0, true);
    keepAlive.keep(this.#setting.format, () => new DecodeSession(this.#setting, new ObjectSink()));
    return this.#sink.result;
  }

  /** Does a piece of work in the present slice, gives its items out, and ends the slice where it is used up. */
  async #work(read: () => void, bytes: number, last = false): Promise<void> {
    const slicer = this.#slicer;
    slicer.begin();
    const start = performance.now();
    try {
      read();
    } catch (error) {
      slicer.end();
      // What is whole only because no more bytes come may be the beginning of a number.
      if (bytes > 0) await this.#emit();
      throw error;
    }
    const time = performance.now() - start;
    this.#rows = Math.max(this.#rows, this.#sink.longestList?.count ?? 0);
    if (bytes > 0) this.#follow(time, bytes);
    if (this.#received >= LARGE_BYTES) slicer.building?.count(this.#sink.arrays * ARRAY_VALUES);
    if (this.#received >= HUGE_BYTES) slicer.building?.count(bytes / BYTES_A_VALUE);
    this.#sink.arrays = 0;
    this.#worked += time;
    if (!last && (slicer.due() || this.#worked + PUSH_MS > SLICE_MS)) {
      await slicer.pause();
      this.#worked = 0;
    }
    slicer.end();
    await this.#emit();
  }

  async #emit(): Promise<void> {
    if (this.#consumer === undefined) return;
    const items = this.#sink.takeItems();
    if (items.length > 0) await this.#consumer.take(items as never);
  }

  /** The next push takes about as long as one should, if it is like the last. */
  #follow(time: number, bytes: number): void {
    // A short one says little about how many bytes would be too many.
    const most = bytes * 2 < this.#size ? this.#size : Math.min(this.#size * 2, MOST_BYTES);
    const least = Math.max(this.#size / 2, LEAST_BYTES);
    const wanted = (bytes * PUSH_MS) / Math.max(time, TICK_MS);
    this.#size = Math.floor(Math.max(least, Math.min(most, wanted)));
  }

  /** All bytes of a payload that is read when it is whole, copied together in slices. */
  async #whole(): Promise<Uint8Array | undefined> {
    const kept = this.#kept;
    if (kept.length < 2) return kept[0];
    const whole = new Uint8Array(kept.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const chunk of kept) {
      await this.#work(() => whole.set(chunk, at), 0);
      at += chunk.length;
    }
    return whole;
  }
}
