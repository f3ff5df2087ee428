/** Method of a list that makes the records of a range anew on each call. */
export const RECORDS: unique symbol = Symbol.for('unspool.records') as never;

/** Property of `Rows` with the list over their columns: see `core/rows/row-list.ts`, and for writers `core/writing/column-rows.ts`. */
export const ROW_LIST: unique symbol = Symbol.for('unspool.row-list') as never;

/** A list whose records are made when they are read: `Rows`, also from another bundle of the library. */
export interface RecordList {
  readonly length: number;
  /** The records from `from` up to, but not including, `to`. */
  [RECORDS](from: number, to: number): readonly unknown[];
}

/** A list of records that are made already. If it is empty, a schema may name the keys that they would have. */
export type KeyedList = object[] & { recordKeys?: readonly string[] };

/** True for a list whose records are made when they are read. */
export function isRecordList(value: object): value is RecordList {
  return typeof (value as Partial<RecordList>)[RECORDS] === 'function';
}

/** All records of a `RecordList`; undefined for other values. */
export function recordsOf(value: unknown): readonly unknown[] | undefined {
  return typeof value === 'object' && value !== null && isRecordList(value) ? value[RECORDS](0, value.length) : undefined;
}
