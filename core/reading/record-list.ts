/** Method of a list that makes the records of a range anew on each call. */
export const RECORDS: unique symbol = Symbol.for('unspool.records') as never;

/** Method of `Rows` that returns its parts: see `main/encoder/rows/pack.ts`. */
export const RUNS: unique symbol = Symbol.for('unspool.runs') as never;

/** A list whose records are made when they are read: `Rows`, also from another bundle of the library. */
export interface RecordList {
  readonly length: number;
  /** The records from `from` up to, but not including, `to`. */
  [RECORDS](from: number, to: number): readonly unknown[];
}

/** True for a list whose records are made when they are read. */
export function isRecordList(value: object): value is RecordList {
  return typeof (value as Partial<RecordList>)[RECORDS] === 'function';
}

/** All records of a `RecordList`; undefined for other values. */
export function recordsOf(value: unknown): readonly unknown[] | undefined {
  return typeof value === 'object' && value !== null && isRecordList(value) ? value[RECORDS](0, value.length) : undefined;
}
