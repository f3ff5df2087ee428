import type { Items } from '../../../bytes/binary-values.ts';
import type { Layout, ValueNode } from '../write/plan.ts';

/** A table whose outside fields are still to be written, from `next` on. */
interface TablePlace {
  readonly kind: 'table';
  readonly layout: Layout;
  readonly values: readonly unknown[];
  readonly table: number;
  readonly next: number;
}

/** A vector, a nested buffer, or the buffers of a sequence, of which `next` items have been written. */
interface ListPlace {
  readonly kind: 'list';
  readonly item: ValueNode;
  readonly types: Items | undefined;
  /** Position of the items; for outside items, their offsets from there. */
  readonly base: number;
  readonly offsets: Uint32Array<ArrayBuffer> | undefined;
  readonly next: number;
}

/** A nested buffer whose table is being written. */
interface NestedPlace {
  readonly kind: 'nested';
  /** Position of the buffer's length. */
  readonly base: number;
  /** Vtables of the enclosing buffer. */
  readonly outer: ReadonlyMap<Layout, number>;
}

/** Resume point of the writer. */
export type Place = TablePlace | ListPlace | NestedPlace;
