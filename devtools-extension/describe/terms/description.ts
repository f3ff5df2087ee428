import type { SpanTree } from '../../../core/sinks/spans/tree.ts';

/** What the first bytes of a value are, in the words of its format's specification. */
export interface Description {
  /** For example `fixstr 5`. */
  name: string;
  /** The name without what differs from value to value, for example `fixstr`. The name where it is left out. */
  family?: string;
  /** Bytes that tell the type, and bytes behind them that tell a length. */
  type: number;
  length: number;
}

/** What a describer is told. */
export interface Place {
  tree: SpanTree;
  node: number;
  bytes: Uint8Array;
  /** Where the value begins, and where it ends. */
  at: number;
  end: number;
}
