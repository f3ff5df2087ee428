import type { Items } from '../../../bytes/binary-values.ts';
import type { Layout, ValueNode } from '../write/plan.ts';

/** A table whose fields outside are yet to be written: `next` of those are. */
interface TablePlace {
  readonly kind: 'table';
  readonly layout: Layout;
  readonly values: readonly unknown[];
  readonly table: number;
  readonly next: number;
}

/** A vector, a nested buffer, or the buffers of a sequence: behind `next` items. */
interface ListPlace {
  readonly kind: 'list';
  readonly item: ValueNode;
  readonly types: Items | undefined;
  /** Where the items are; of those outside, how far from there they lie. */
  readonly base: number;
  readonly offsets: Uint32Array<ArrayBuffer> | undefined;
  readonly next: number;
}

/** A nested buffer, whose table is being written. */
interface NestedPlace {
  readonly kind: 'nested';
  /** Where the buffer's length is. */
  readonly base: number;
  /** The vtables of the buffer around it. */
  readonly outer: ReadonlyMap<Layout, number>;
}

/** Where writing goes on. */
export type Place = TablePlace | ListPlace | NestedPlace;
