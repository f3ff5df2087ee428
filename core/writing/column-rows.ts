import { ROW_LIST } from '../values/record-list.ts';

/** Rows in columns, for a writer that copies columns instead of building records. */
export interface ColumnRows {
  readonly length: number;
  /** Positions of the rows among those of all segments; undefined if these are all of them, in order. */
  readonly index: Uint32Array | undefined;
  readonly source: { readonly segments: readonly ColumnSegment[] };
}

/** Consecutive rows of the columns of one group. */
export interface ColumnSegment {
  /** Positions of its rows among those of all segments. */
  readonly first: number;
  readonly end: number;
  /** Row of the group at `first`. */
  readonly offset: number;
  readonly table: { readonly keys: readonly string[] };
  readonly group: { readonly columns: readonly Column[] };
  readonly builder: {
    /** Values of a column in `from..to` of its group; undefined if absent. */
    values(group: object, column: Column, from: number, to: number): ArrayLike<unknown>;
  };
}

/** A column of a group: see `KIND_*` in `core/block/block.ts`. Reading the kind opens columns that are opened when needed. */
export interface Column {
  readonly kind: number;
  /** STATE of each row; undefined if all have values. */
  readonly states: Uint8Array | undefined;
  readonly data: Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array | BigInt64Array;
  /** DICTIONARY: its strings. */
  readonly list: ColumnStrings | undefined;
  /** TEXT: the bytes that `data` divides into strings, and whether all are ASCII. */
  readonly bytes: Uint8Array;
  readonly ascii: boolean;
}

/** The strings of a dictionary. */
export interface ColumnStrings {
  readonly length: number;
  bytesAt(index: number): Uint8Array;
  /** All strings. */
  values(): readonly string[];
}

/** The columns of `Rows`; undefined for other values, and if rows are objects, not read yet, or have a key twice. */
export function columnRowsOf(value: unknown): ColumnRows | undefined {
  const list = (value as { readonly [ROW_LIST]?: UncheckedRows } | null | undefined)?.[ROW_LIST];
  if (!list || list.length === 0) return undefined;
  for (const { table, group } of list.source.segments) {
    if (!group || group.raw || new Set(table.keys).size < table.keys.length) return undefined;
  }
  return list as ColumnRows;
}

/** Rows of any kind. */
interface UncheckedRows extends Omit<ColumnRows, 'source'> {
  readonly source: { readonly segments: readonly UncheckedSegment[] };
}

interface UncheckedSegment extends Omit<ColumnSegment, 'group' | 'builder'> {
  /** Undefined for objects; `raw` is set if the rows are bytes. */
  readonly group: { readonly columns: readonly Column[]; readonly raw: object | undefined } | undefined;
  readonly builder: ColumnSegment['builder'] | undefined;
}
