import type { SpanTree } from '../../../core/sinks/spans/tree.ts';

/** Description of a value's first bytes, in the terms of its format's specification. */
export interface Description {
  /** For example `fixstr 5`. */
  name: string;
  /** Name without variable parts, for example `fixstr`; the name if omitted. */
  family?: string;
  /** Number of bytes that encode the type, and of the following ones that encode a length. */
  type: number;
  length: number;
}

/** Input of a describer. */
export interface Place {
  tree: SpanTree;
  node: number;
  bytes: Uint8Array;
  /** Start and end of the value. */
  at: number;
  end: number;
}
