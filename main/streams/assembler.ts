import { PART_BATCH, PART_LIST, PART_LIST_END } from '../../core/block/block.ts';
import { Block } from '../../core/rows/read-block.ts';
import { Materialiser, type MaterialiseOptions } from '../rows/materialise.ts';
import type { RawBatch } from './feed.ts';

/**
 * Assembles the parts of a block whose list is emitted in batches (see PART_LIST in core/block/block.ts) into those
 * batches, and the value around the list. Each batch is a block of its own, released once it is no longer referenced.
 */
export class Assembler {
  /** Total number of items so far. */
  items = 0;
  /** True once a list has begun. */
  found = false;
  /** Total milliseconds of building, and of the longest slice. */
  #materialiseMs = 0;
  #longestSliceMs = 0;
  readonly #options: MaterialiseOptions;
  readonly #block = new Block();
  readonly #rest: Materialiser;
  readonly #building = new Set<Materialiser>();
  /** Batch that receives the current parts. */
  #branch: { block: Block; materialiser: Materialiser } | undefined;

  constructor(options: MaterialiseOptions) {
    const anchors = new Map<number, unknown>();
    this.#options = { ...options, anchors };
    this.#rest = new Materialiser({ ...this.#options, block: this.#block });
  }

  /** Total number of items so far, and the time that this thread spent on them. */
  get stats(): { rows: number; materialiseMs: number; mainMs: number; longestSliceMs: number } {
    return { rows: this.items, materialiseMs: this.#materialiseMs, mainMs: this.#materialiseMs, longestSliceMs: this.#longestSliceMs };
  }

  /** Adds the next part. Returns the batch if it is complete. */
  push(part: ArrayBuffer): RawBatch | undefined {
    const flags = new Int32Array(part, 8, 1)[0]!;
    const branch = this.#branch;
    if (branch === undefined) {
      this.#rest.push(part);
      if (flags & PART_LIST) {
        this.found = true;
        this.#branch = this.#grow(this.#block);
      }
      return undefined;
    }
    branch.materialiser.push(part);
    if (!(flags & PART_BATCH)) return undefined;
    if (flags & PART_LIST_END) {
      this.#block.adopt(branch.block);
      this.#branch = undefined;
    } else this.#branch = this.#grow(branch.block);
    const items = branch.block.tape![1]!;
    return items > 0 ? this.#batch(branch, items) : undefined;
  }

  /** Resolves to the document around the list, with the list left empty. Call it after the last part. */
  rest(): Promise<unknown> {
    return this.#rest.done();
  }

  /** Stops all building. */
  cancel(reason: unknown): void {
    this.#rest.cancel(reason);
    for (const materialiser of this.#building) materialiser.cancel(reason);
  }

  #grow(from: Block): { block: Block; materialiser: Materialiser } {
    const block = new Block(from);
    const materialiser = new Materialiser({ ...this.#options, block, isBatch: true });
    this.#building.add(materialiser);
    return { block, materialiser };
  }

  #batch({ materialiser, block }: { materialiser: Materialiser; block: Block }, items: number): RawBatch {
    this.items += items;
    return {
      items,
      build: async () => {
        const value = await materialiser.done();
        if (this.#options.as === 'objects') block.releaseTape();
        this.#building.delete(materialiser);
        this.#materialiseMs += materialiser.stats.materialiseMs;
        this.#longestSliceMs = Math.max(this.#longestSliceMs, materialiser.stats.longestSliceMs);
        return value;
      },
      spent: () => materialiser.stats.materialiseMs,
    };
  }
}
