import { EmptyCells } from '../../core/empty-cells.ts';
import type { DecoderState } from '../call/decoder-state.ts';
import { decodeInSlices, type ResultConsumer } from '../run/in-slices.ts';
import type { Operation } from '../call/operation.ts';
import type { Prepared } from '../call/prepare.ts';
import type { Payload } from '../call/input/payload.ts';
import { PATIENCE_MS } from '../call/tuning.ts';
import { listKind, resultShape } from '../rows/form.ts';
import { MINOR_GC } from '../../core/slicing/minor-gc.ts';
import { Slicer } from '../../core/slicing/slicer.ts';
import { type BatchFeed, type BatchSupply, MAX_WAITING, noList } from './feed.ts';
import { HeldItems } from './held-items.ts';

/** Batches of a payload decoded on this thread, in slices, as they are taken. */
export class SlicedBatches implements BatchSupply, ResultConsumer {
  readonly path: readonly string[];
  found = false;
  readonly held = new HeldItems();
  readonly #operation: Operation;
  readonly #prepared: Prepared;
  readonly #payload: Payload;
  readonly #core: DecoderState;
  /** Items of each batch but the last; undefined to emit items as they come. */
  readonly #batchItems: number | undefined;
  #feed!: BatchFeed;
  /** Items of an incomplete batch. */
  #items: unknown[] = [];
  #emitted = 0;
  /** Number of upcoming items that were already taken before a restart. */
  #skipped = 0;
  #resume: (() => void) | undefined;
  #rest: unknown;
  /** Charged for the rows without a value in columns. */
  readonly #cells: EmptyCells;

  constructor(
    core: DecoderState,
    operation: Operation,
    prepared: Prepared,
    payload: Payload,
    { path, items }: { path: readonly string[]; items: number | undefined },
  ) {
    this.path = path;
    this.#batchItems = items;
    this.#operation = operation;
    this.#prepared = prepared;
    this.#payload = payload;
    this.#core = core;
    this.#cells = new EmptyCells(prepared.limits);
  }

  /** Decodes the payload for a feed. Never rejects: an error ends the feed. */
  async begin(feed: BatchFeed): Promise<void> {
    this.#feed = feed;
    const { signal } = this.#operation;
    signal.addEventListener('abort', () => this.#resume?.());
    const slicer = new Slicer(signal, { building: MINOR_GC });
    const decoding = decodeInSlices(this.#core, this.#operation, this.#prepared, this.#payload, slicer, this);
    // The report counts the items that were emitted, not those that were decoded.
    this.#operation.measure(() => ({ rows: this.#emitted }));
    try {
      this.#rest = await decoding;
      this.#push(this.#items);
      if (this.found) feed.end();
      else feed.fail(noList(this.#prepared.entry.id, this.path));
    } catch (error) {
      this.#payload.input?.cancel(error);
      this.#push(this.#items);
      feed.fail(error);
    }
  }

  restart(): void {
    this.#skipped = this.#emitted + this.#items.length - this.held.dropped;
  }

  async isLate(bytes: Promise<unknown>, rows: number): Promise<boolean> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(true), rows > 0 ? PATIENCE_MS : 0)));
    try {
      return await Promise.race([
        bytes.then(
          () => false,
          () => true,
        ),
        late,
      ]);
    } finally {
      clearTimeout(timer);
    }
  }

  async take(taken: unknown[]): Promise<void> {
    const items = this.#skipped > 0 ? taken.slice(this.#skipped) : taken;
    this.#skipped -= taken.length - items.length;
    const exact = this.#batchItems;
    if (exact === undefined) this.#push(items);
    else {
      let from = 0;
      while (this.#items.length + items.length - from >= exact) {
        const to = from + exact - this.#items.length;
        this.#push([...this.#items, ...items.slice(from, to)]);
        this.#items = [];
        from = to;
        await this.#wait();
      }
      for (; from < items.length; from += 1) this.#items.push(items[from]);
    }
    await this.#wait();
  }

  taken(): void {
    this.#resume?.();
  }

  async rest(): Promise<unknown> {
    return this.#rest;
  }

  #push(items: unknown[]): void {
    if (items.length === 0) return;
    this.#emitted += items.length;
    this.#feed.push({ items: items.length, build: async () => this.#shape(items), spent: () => 0 });
  }

  /**
   * Keeps items that do not become rows unchanged: the form of nested lists must not depend on the other items of a
   * batch.
   */
  #shape(items: unknown[]): unknown {
    return listKind(items) === 'rows' ? resultShape(items, this.#operation.report.as, this.#cells) : items;
  }

  async #wait(): Promise<void> {
    while (this.#feed.waiting >= MAX_WAITING && !this.#operation.settled) await new Promise<void>((resolve) => (this.#resume = resolve));
  }
}
