import { Budget } from '../../../budget.ts';
import { KEPT, type KeepsRecords, type KeptKeys } from '../../../kept-records.ts';
import type { Limits } from '../../../limits.ts';
import type { Sink } from '../../../reading/sink.ts';
import type { CborOptions } from '../options.ts';
import { BundledStrings } from './bundles.ts';
import { Chunks } from '../read/chunks.ts';
import { Content } from './content.ts';
import { CUT, type Input } from '../read/input.ts';
import { ItemReader } from '../read/items.ts';
import type { Int64Mode } from '../../../reading/int64.ts';
import { PackedTables } from './packed.ts';
import { Records } from '../read/records.ts';
import { Sharing } from './sharing.ts';
import type { Stack } from '../read/stack.ts';

/**
 * State shared by the readers of tags, records and references. Created for the first of these, since many payloads have
 * none.
 */
export class TagContext {
  readonly input: Input;
  readonly stack: Stack;
  readonly sink: Sink;
  readonly options: CborOptions;
  readonly int64: Int64Mode;
  readonly budget: Budget;
  readonly bundle: BundledStrings;
  readonly packed: PackedTables;
  readonly items: ItemReader;
  readonly records: Records;
  readonly sharing: Sharing;
  readonly content: Content;
  readonly chunks: Chunks;
  /** The offset at which each open embedded value must end. */
  readonly ends: number[] = [];

  constructor(input: Input, stack: Stack, sink: Sink, options: CborOptions, limits: Limits) {
    this.input = input;
    input.repairedText = sink.repairedText;
    this.stack = stack;
    this.sink = sink;
    this.options = options;
    this.int64 = options.int64 ?? 'auto';
    this.budget = new Budget(limits);
    this.bundle = new BundledStrings(input);
    this.packed = new PackedTables(input, this.budget, options.packedValues);
    this.items = new ItemReader(input, this.bundle, this.packed, options.float32 === 'decimal');
    this.records = new Records(options.structures, (options as KeepsRecords<KeptKeys>)[KEPT]);
    this.sharing = new Sharing(input, sink, this.budget);
    this.content = new Content(input, stack, this.items, sink, this.int64, this.budget);
    this.chunks = new Chunks(input, this.content, sink);
  }

  /** Returns 1 if a pointer to bundled strings (tag 0xdff9) is at `at`; −1 if more bytes are needed to tell. */
  isBundle(at: number): number {
    const { bytes, to } = this.input;
    if (bytes[at] !== 0xd9 || this.options.cborx === false) return 0;
    this.input.reach = at + 3;
    return at + 3 > to ? -1 : bytes[at + 1] === 0xdf && bytes[at + 2] === 0xf9 ? 1 : 0;
  }

  /** Reads the pointer to bundled strings at `at`. Returns the position after it, or CUT. */
  readBundle(at: number): number {
    const { input } = this;
    return input.head(at) && this.bundle.begin(input.next) ? input.next : CUT;
  }
}
