import { isDate } from '../../core/values/class-of.ts';
import { cellsOf, type ColumnValues, inOneGo, type RowList } from '../../core/rows/row-list.ts';
import type { ReadCell, Segment } from '../../core/rows/run.ts';

/** The type of a column, with the numbers of Apache Arrow's `Type` (Schema.fbs), as far as libraries ask for it. */
export interface ArrowType {
  /** 2: integers; 3: floating point; 5: text; 6: booleans; 10: timestamps; 0: others, such as lists and records. */
  readonly typeId: 0 | 2 | 3 | 5 | 6 | 10;
  /** Bits of integers: 64, since those of fewer bits count as floating point. */
  readonly bitWidth?: 64;
  /** Unit of timestamps: 1 for milliseconds. */
  readonly unit?: 1;
}

/** A column in `ArrowSchema`. */
export interface ArrowField {
  readonly name: string;
  readonly type: ArrowType;
  readonly nullable: true;
}

/** The columns of `Rows`, as libraries that take Arrow tables ask for them. */
export interface ArrowSchema {
  readonly fields: readonly ArrowField[];
}

/** A column of `Rows` with the interface of an Arrow vector. Absent values and undefined are null. */
export class ArrowColumn implements Iterable<unknown> {
  readonly name: string;
  readonly type: ArrowType;
  readonly length: number;
  readonly #list: RowList;
  #values: ColumnValues | undefined;

  /** @internal Created by `rows.getChild`. */
  constructor(list: RowList, name: string) {
    this.name = name;
    this.length = list.length;
    this.type = typeOf(list, name);
    this.#list = list;
  }

  /** Number of nulls. */
  get nullCount(): number {
    return this.toJSON().filter((value) => value === null).length;
  }

  /** The value of a row; undefined if out of range. */
  at(row: number): unknown {
    return this.toArray()[row];
  }

  /** The value of a row, like `at`. */
  get(row: number): unknown {
    return this.at(row);
  }

  /** All values: a typed array for numbers, otherwise an array. Read when first asked for, and shared by later calls. */
  toArray(): ColumnValues {
    return (this.#values ??= withNulls(inOneGo(this.#list.column(this.name))!));
  }

  /** All values as an array. */
  toJSON(): unknown[] {
    return [...this];
  }

  [Symbol.iterator](): IterableIterator<unknown> {
    return this.toArray()[Symbol.iterator]();
  }
}

/** The columns of a list, in order of first occurrence. */
export function arrowSchema(list: RowList): ArrowSchema {
  return { fields: [...list.keys()].map((name) => ({ name, type: typeOf(list, name), nullable: true })) };
}

/** The type of a column's first value that is not null. */
function typeOf({ source, index, length }: RowList, key: string): ArrowType {
  let segment: Segment | undefined;
  let read!: ReadCell;
  for (let row = 0; row < length; row++) {
    const at = index?.[row] ?? row;
    if (!segment || at < segment.first || at >= segment.end) {
      segment = source.segments[source.segmentAt(at)]!;
      read = cellsOf(segment).reader(key);
    }
    const value = read(at - segment.first + segment.offset) ?? undefined;
    if (value !== undefined) return typeOfValue(value);
  }
  return { typeId: 0 };
}

function typeOfValue(value: unknown): ArrowType {
  switch (typeof value) {
    case 'number':
      return { typeId: 3 };
    case 'bigint':
      return { typeId: 2, bitWidth: 64 };
    case 'string':
      return { typeId: 5 };
    case 'boolean':
      return { typeId: 6 };
    default:
      return isDate(value) ? { typeId: 10, unit: 1 } : { typeId: 0 };
  }
}

function withNulls(values: ColumnValues): ColumnValues {
  return Array.isArray(values) ? values.map((value) => value ?? null) : values;
}
