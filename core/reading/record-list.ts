/** By this name a list gives the records of a range: they are made anew whenever they are asked for. */
export const RECORDS: unique symbol = Symbol.for('unspool.records') as never;

/** By this name `Rows` give what they are made of: see `main/encoder/rows/pack.ts`. */
export const RUNS: unique symbol = Symbol.for('unspool.runs') as never;

/** A list of records that are made when they are read: `Rows`, also those of another file of the library. */
export interface RecordList {
  readonly length: number;
  /** The records from `from` up to, not including, `to`. */
  [RECORDS](from: number, to: number): readonly unknown[];
}

/** Whether a value is a list of records that are made when they are read. */
export function isRecordList(value: object): value is RecordList {
  return typeof (value as Partial<RecordList>)[RECORDS] === 'function';
}

/** All records of such a list; undefined for everything else. */
export function recordsOf(value: unknown): readonly unknown[] | undefined {
  return typeof value === 'object' && value !== null && isRecordList(value) ? value[RECORDS](0, value.length) : undefined;
}
