import { setProperty } from '../../core/values/property.ts';
import { RECORDS, type RecordList } from '../../core/values/record-list.ts';

/** Values by key, in the form of `Rows.columns()` and `as: 'columns'`. All have the same length. */
export type Columns = Readonly<Record<string, ArrayLike<unknown>>>;

/**
 * Creates records from columns, for an encoder, which builds a few hundred of them at a time while it writes. If a
 * column has undefined, the record lacks the key. Throws a RangeError if columns differ in length.
 */
export function fromColumns(columns: Columns): RecordList {
  const entries = Object.entries(columns);
  const length = entries[0]?.[1].length ?? 0;
  for (const [key, values] of entries) {
    if (values.length !== length) throw new RangeError(`the column ${key} has ${values.length} values, others ${length}`);
  }
  return new ColumnRecords(entries, length);
}

class ColumnRecords implements RecordList {
  readonly length: number;
  readonly #entries: readonly (readonly [key: string, values: ArrayLike<unknown>])[];

  constructor(entries: readonly (readonly [key: string, values: ArrayLike<unknown>])[], length: number) {
    this.length = length;
    this.#entries = entries;
  }

  [RECORDS](from: number, to: number): unknown[] {
    const records: object[] = [];
    for (let row = from; row < to; row += 1) {
      const record = {};
      for (const [key, values] of this.#entries) {
        const value = values[row];
        if (value !== undefined) setProperty(record, key, value);
      }
      records.push(record);
    }
    return records;
  }

  /** All records, for a writer that does not find the list, for example inside an array. */
  toJSON(): unknown[] {
    return this[RECORDS](0, this.length);
  }
}
