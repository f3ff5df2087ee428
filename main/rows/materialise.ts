import { KIND_VARIANT, LIST_KEYS, LIST_TAGS, STATE_NULL, STATE_VALUE } from '../../core/block/block.ts';
import type { EmptyCells } from '../../core/empty-cells.ts';
import type { ReviveTag } from '../../core/reading/revive.ts';
import { keepAlive } from '../../core/engine/keep-alive.ts';
import { Block, type Group } from '../../core/rows/read-block.ts';
import type { ResultForm } from './form.ts';
import { listSource } from './lists.ts';
import { type RowSource, TapeReader } from '../../core/rows/tape.ts';
import { Slicer } from '../../core/slicing/slicer.ts';
import { countBuilt, MINOR_GC } from '../../core/slicing/minor-gc.ts';
import { type ReadItems, RowBuilder } from '../../core/rows/table.ts';

export interface MaterialiseOptions {
  as: ResultForm;
  revive: ReviveTag;
  /** Reads rows stored as bytes of the payload's format (see `Materialiser.foreign`). Not needed for JSON. */
  readItems?: ReadItems | undefined;
  /** Loads the code behind `revive` and `readItems`. Called before either, possibly more than once. */
  prepare?: (() => Promise<void>) | undefined;
  /** Charged for the rows without a value in columns. Default: those of the default limits, for each list. */
  emptyCells?: EmptyCells | undefined;
  signal?: AbortSignal | undefined;
  /** Block to continue, and values of its anchors. Default: new ones. */
  block?: Block | undefined;
  /** The tape is a list emitted in batches. Only that list gets the form, and only if it becomes rows. */
  isBatch?: boolean | undefined;
  anchors?: Map<number, unknown> | undefined;
}

/** Reading a row longer than this many bytes, in one go, would take the page several slices. */
const LONG_ROW = 64 * 1024;

/** Tape steps between two checks of the clock. */
const STEPS = 1024;

/**
 * Turns the parts of a block into its result. Objects are built in slices while parts arrive; for rows and columns, the
 * parts are only opened.
 */
export class Materialiser {
  readonly #block: Block;
  readonly #options: MaterialiseOptions;
  readonly #slicer: Slicer;
  readonly #anchors: Map<number, unknown>;
  readonly #queue: Group[] = [];
  readonly #builder: RowBuilder;
  /** Building in progress. */
  #work: Promise<void> | undefined;
  #failure: { reason: unknown } | undefined;
  #prepared = false;
  /** Number of records of the longest list returned as `Rows` or columns, including those outside of tables. */
  #longestList = 0;

  constructor(options: MaterialiseOptions) {
    this.#options = options;
    this.#block = options.block ?? new Block();
    this.#anchors = options.anchors ?? new Map<number, unknown>();
    this.#slicer = new Slicer(options.signal, { building: options.as === 'objects' ? MINOR_GC : undefined });
    this.#builder = new RowBuilder(this.#block, options.revive, this.#anchors, options.readItems);
  }

  /** Number of rows so far, and the time that the page spent. */
  get stats(): { rows: number; materialiseMs: number; longestSliceMs: number } {
    const stats = { rows: 0, materialiseMs: this.#slicer.total, longestSliceMs: this.#slicer.longest };
    // Entries may be missing before a table's first rows are opened.
    this.#block.tables.forEach(({ rows }) => (stats.rows += rows));
    stats.rows = Math.max(stats.rows, this.#longestList);
    return stats;
  }

  /** True if most values are on tapes because they fit no columns and no lazy rows, or in rows too long for a slice. */
  get notTabular(): boolean {
    const { tables, tape } = this.#block;
    let taped = tape?.length ?? 0;
    let others = 0;
    for (const { groups } of tables.filter(Boolean)) {
      for (const { tape: groupTape, raw, rows, columns } of groups) {
        taped += groupTape.length;
        const values = raw ? raw.bytes.length / Int32Array.BYTES_PER_ELEMENT : rows * columns.length;
        if (raw && raw.bytes.length > rows * LONG_ROW) taped += values;
        else others += values;
      }
    }
    return taped > others;
  }

  /** True if the parts so far contain tags, whose values `revive` converts. */
  get tagged(): boolean {
    return this.#block.list(LIST_TAGS).length > 0;
  }

  /** True if rows of the parts so far are bytes of a format other than JSON, which `readItems` reads. */
  get foreign(): boolean {
    return this.#block.foreign;
  }

  /** Adds the next part, which begins at `base` of a buffer. */
  push(buffer: ArrayBuffer, base = 0): void {
    const groups = this.#block.add(buffer, base);
    if (this.#options.as !== 'objects') return;
    for (const group of groups) this.#queue.push(group);
    this.#start();
  }

  /** Ends the input. Resolves to the result. */
  async done(): Promise<unknown> {
    await this.#built();
    if (this.#block.references && this.#options.as !== 'objects') {
      // References preserve identity: each record is built once, and lists share it.
      this.#block.tables.forEach(({ groups }) => {
        for (const group of groups) this.#queue.push(group);
      });
      this.#start();
      await this.#built();
    }
    await this.#prepare();
    const { tape } = this.#block;
    if (tape === undefined) throw new TypeError('the block has no last part');
    const source = this.#source();
    const reader = new TapeReader(this.#block, this.#options.revive, source, this.#anchors);
    this.#slicer.begin();
    reader.start(tape, 0);
    while (!reader.run(STEPS)) if (this.#due(STEPS)) await this.#pause();
    this.#slicer.end();
    keepAlive('objects', () => [new Materialiser({ as: 'objects', revive: () => {} }), keepAliveTools()]);
    return reader.result;
  }

  /** Loads the code that tags and lazy rows need, once there are any. */
  async #prepare(): Promise<void> {
    if (this.#prepared || !(this.tagged || this.foreign)) return;
    await this.#options.prepare?.();
    this.#prepared = true;
    this.#check();
  }

  /** Stops building; `done` rejects with the reason. */
  cancel(reason: unknown): void {
    this.#failure ??= { reason };
    this.#queue.length = 0;
  }

  #start(): void {
    this.#work ??= this.#build()
      .catch((reason: unknown) => this.cancel(reason))
      .finally(() => {
        this.#work = undefined;
        this.#slicer.end();
      });
  }

  async #built(): Promise<void> {
    await this.#work;
    this.#check();
  }

  async #pause(): Promise<void> {
    await this.#slicer.pause();
    this.#check();
  }

  #check(): void {
    if (this.#failure) throw this.#failure.reason;
  }

  /** Builds the objects of all queued groups. */
  async #build(): Promise<void> {
    const builder = this.#builder;
    // Collects parts pushed in the same task.
    await this.#prepare();
    this.#slicer.begin();
    for (let group = this.#queue.shift(); group; group = this.#queue.shift()) {
      if (!this.#prepared && (this.tagged || this.foreign)) await this.#prepare();
      const { objects } = group.table;
      for (let from = 0; from < group.rows;) {
        const to = from + builder.chunk(group, from);
        const variants = group.columns.some(({ kind }) => kind === KIND_VARIANT) ? await this.#variants(builder, group, from, to) : undefined;
        for (const object of builder.build(group, from, to, variants)) objects.push(object);
        from = to;
        if (this.#slicer.due()) await this.#pause();
      }
      Block.release(group);
    }
  }

  /** Counts values of a tape. Returns true once the slice has used its time budget. */
  #due(values: number): boolean {
    countBuilt(values);
    return this.#slicer.due();
  }

  /** Builds the values of a group's VARIANT columns, which may be large. */
  async #variants(builder: RowBuilder, group: Group, from: number, to: number): Promise<(unknown[] | undefined)[]> {
    const variants: (unknown[] | undefined)[] = [];
    const reader = builder.acquire();
    for (const { kind, data, states } of group.columns) {
      const values = kind === KIND_VARIANT ? new Array<unknown>(to - from) : undefined;
      for (let row = from; values && row < to; row++) {
        const state = states?.[row] ?? STATE_VALUE;
        if (state !== STATE_VALUE) {
          values[row - from] = state === STATE_NULL ? null : undefined;
          continue;
        }
        reader.start(group.tape, data[row] as number);
        while (!reader.run(STEPS)) if (this.#due(STEPS)) await this.#pause();
        values[row - from] = reader.result;
        if (this.#slicer.due()) await this.#pause();
      }
      variants.push(values);
    }
    builder.release(reader);
    return variants;
  }

  #source(): RowSource {
    const builder = this.#builder;
    const { append } = builder;
    if (this.#options.as !== 'objects') {
      return listSource(builder, this.#options, (length) => (this.#longestList = Math.max(this.#longestList, length)));
    }
    const { tables } = this.#block;
    return {
      append,
      fromRun: (table, first, count) => {
        const { objects } = tables[table]!;
        return first === 0 && count === objects.length ? objects : undefined;
      },
    };
  }
}

/** Creates one instance of each class that opens a block and builds its values, for `keepAlive`. */
export function keepAliveTools(): object[] {
  const block = new Block();
  const revive = (): undefined => undefined;
  const builder = new RowBuilder(block, revive, new Map());
  return [Block.shape(block.shapes[0]!, block.list(LIST_KEYS), 0), builder, new TapeReader(block, revive, builder, new Map())];
}
