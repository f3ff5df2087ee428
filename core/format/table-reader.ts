import type { Budget } from '../budget.ts';
import type { ByteList } from '../bytes/byte-list.ts';

/** The values of a dictionary. */
export interface TableDictionary {
  /** The values as text; undefined for other types. */
  readonly texts: { readonly list: ByteList } | undefined;
}

/** Values of a column in the arrays that `Rows` read (`core/block/block.ts`): views of its buffers where these agree. */
export interface TableColumn {
  /** KIND_VARIANT: the values are made by `TableBatch.values`. */
  readonly kind: number;
  readonly states: Uint8Array | undefined;
  readonly data: Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array | BigInt64Array;
  /** KIND_DICTIONARY: the dictionary, which may grow. */
  readonly dictionary: TableDictionary | undefined;
  /** KIND_TEXT: the bytes of all text. */
  readonly bytes: Uint8Array;
  readonly ascii: boolean;
}

/** A record batch, whose values are checked when they are read. */
export interface TableBatch {
  readonly rows: number;
  /**
   * Converts rows of a column, by its index among the table's keys. The first row is a multiple of 8. Throws a DecodeError
   * or a LimitError for hostile data.
   */
  convert(column: number, from: number, to: number): TableColumn;
  /** True if making the values of a column is charged. */
  charges(column: number): boolean;
  /**
   * Makes the values of rows of a column, likewise. They are charged, unless they were made before: `isAgain`. Errors have a
   * path that begins with the index of the value.
   */
  values(column: number, from: number, to: number, isAgain: boolean): unknown[];
}

/** Reads the columns of a payload without making objects. The columns keep the bytes that are pushed. */
export interface TableReader {
  /** The keys of the columns that are wanted. */
  readonly keys: readonly string[];
  /** Charged for the values of rows when they are first made. */
  readonly budget: Budget;
  /**
   * Bytes of the message that begins at `at`; more than there are if it is cut. The number may grow once more bytes are
   * there.
   */
  lengthAt(bytes: Uint8Array, at: number): number;
  /** Reads a whole message. */
  push(message: Uint8Array): void;
  /** Ends the input. */
  end(rest: Uint8Array): void;
  /** The batches that were read since the last call, also before an error. */
  take(): TableBatch[];
}
