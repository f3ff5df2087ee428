import { DecodeError } from '../../../errors.ts';
import type { ArrowOptions } from '../options.ts';
import type { Table } from '../../flatbuffers/read/table.ts';

/** Kinds of columns, by what their buffers hold and which value is made of it. */
export const NULL = 0;
export const BOOL = 1;
export const INT8 = 2;
export const INT16 = 3;
export const INT32 = 4;
export const UINT8 = 5;
export const UINT16 = 6;
export const UINT32 = 7;
export const INT64 = 8;
export const UINT64 = 9;
export const FLOAT16 = 10;
export const FLOAT32 = 11;
export const FLOAT64 = 12;
/** `width` bytes of two's complement, `scale` decimal digits after the point. */
export const DECIMAL = 13;
/** Days since the epoch, 32 bits. */
export const DAYS = 14;
/** 64 bits, `unit` of which are a millisecond; a negative unit is the number of milliseconds. */
export const INSTANT = 15;
/** Days and milliseconds, 32 bits each. */
export const DAY_TIME = 16;
/** Months and days, 32 bits each, and nanoseconds, 64 bits. */
export const MONTH_DAY_NANO = 17;
export const FIXED_BINARY = 18;
export const BINARY = 19;
export const UTF8 = 20;
export const BINARY_VIEW = 21;
export const UTF8_VIEW = 22;
export const LIST = 23;
export const LIST_VIEW = 24;
export const FIXED_LIST = 25;
export const STRUCT = 26;
export const MAP = 27;
export const SPARSE_UNION = 28;
export const DENSE_UNION = 29;
export const RUN_ENDS = 30;
export const DICTIONARY = 31;

/** A field of a schema, or the type of a dictionary's values. */
export interface Field {
  readonly name: string;
  readonly kind: number;
  /** Bytes of a value; for lists, text and bytes of variable length, those of an offset. */
  readonly width: number;
  /** INSTANT: see there. DECIMAL: its scale. FIXED_LIST: items of a list. */
  readonly unit: number;
  readonly children: readonly Field[];
  /** Unions: the child of each type id. */
  readonly childOf: ReadonlyMap<number, number> | undefined;
  /** DICTIONARY: the id of the dictionary, the integers that refer to its values, and the type of those. */
  readonly dictionary: { readonly id: bigint; readonly index: Field; readonly values: Field } | undefined;
  /** STRUCT: the children that count, by key: of those with the same name, the last. */
  readonly keys: readonly string[];
  readonly keyed: readonly number[];
}

/** The schema of a stream: the rows as a struct, and the type of each dictionary's values. */
export interface ArrowSchema {
  readonly rows: Field;
  readonly dictionaries: ReadonlyMap<bigint, Field>;
}

/** Kinds of integers by their bits. */
const SIGNED: Readonly<Record<number, number>> = { 8: INT8, 16: INT16, 32: INT32, 64: INT64 };
const UNSIGNED: Readonly<Record<number, number>> = { 8: UINT8, 16: UINT16, 32: UINT32, 64: UINT64 };

/** Units of time, as the number of them in a millisecond; a negative number is that of milliseconds in a unit. */
const UNITS = [-1000, 1, 1000, 1_000_000];

const NO_FIELDS: readonly Field[] = [];

/** A reading of a schema: the limit of depth, the bytes of the metadata, and functions that throw. */
interface SchemaReading {
  readonly depth: number;
  readonly bytes: number;
  readonly fail: (reason: string, position: number) => never;
  readonly exceed: () => never;
}

/**
 * Reads the table Schema of a message (format/Schema.fbs of Apache Arrow; the numbers below are the ids of its
 * fields).
 */
export function readSchema(table: Table, options: ArrowOptions, { depth: most, bytes, fail, exceed }: SchemaReading): ArrowSchema {
  if (table.uint16(0) !== 0) throw new DecodeError('unsupported', 'big-endian numbers are not supported');
  const dictionaries = new Map<bigint, Field>();
  // A table of a field takes more bytes, but many may refer to the same one.
  let left = bytes / 8;

  /** Reads fields inside of `depth` containers. */
  function fieldsOf(tables: readonly Table[], depth: number): Field[] {
    if (tables.length > 0 && depth > most) exceed();
    left -= tables.length;
    if (left < 0) fail('fields are referenced too often', table.position);
    return tables.map((child) => fieldOf(child, depth));
  }

  // table Field { name, nullable, type_type, type, dictionary, children, custom_metadata }
  function fieldOf(field: Table, depth: number): Field {
    const name = field.string(0);
    const values = typeOf(field, name, fieldsOf(field.tables(5), depth + 1));
    // table DictionaryEncoding { id, indexType, isOrdered, dictionaryKind }
    const encoding = field.table(4);
    if (!encoding) return values;
    const id = encoding.int64(0);
    const indexType = encoding.table(1);
    const index = makeField(name, indexType ? integer(indexType, field) : INT32);
    if (!dictionaries.has(id)) dictionaries.set(id, values);
    return makeField(name, DICTIONARY, { width: index.width, dictionary: { id, index, values } });
  }

  function integer(type: Table, field: Table): number {
    const bits = type.int32(0);
    const kind = (type.boolean(1) ? SIGNED : UNSIGNED)[bits];
    return kind ?? fail(`invalid width of integers: ${bits} bits`, field.position);
  }

  // union Type, whose members are numbered from 1.
  function typeOf(field: Table, name: string, children: readonly Field[]): Field {
    const id = field.int8(2);
    const type = field.table(3);
    if (!type) return fail(`the field ${name} has no type`, field.position);
    const childCount = (count: number): void => {
      if (children.length !== count) fail(`${children.length} children of the field ${name}, not ${count}`, field.position);
    };
    const instant = (unit: number): Field =>
      options.timestamps === 'number'
        ? makeField(name, INT64)
        : makeField(name, INSTANT, { unit: UNITS[unit] ?? fail(`unknown time unit ${unit}`, field.position) });
    switch (id) {
      case 1:
        return makeField(name, NULL);
      case 2:
        return makeField(name, integer(type, field));
      case 3:
        return makeField(name, [FLOAT16, FLOAT32, FLOAT64][type.uint16(0)] ?? fail('unknown precision', field.position));
      case 4:
        return makeField(name, BINARY, { width: 4 });
      case 5:
        return makeField(name, UTF8, { width: 4 });
      case 6:
        return makeField(name, BOOL);
      case 7: {
        const width = type.int32(2, 128) / 8;
        if (![4, 8, 16, 32].includes(width)) fail(`invalid width of decimals: ${width * 8} bits`, field.position);
        return makeField(name, DECIMAL, { width, unit: type.int32(1) });
      }
      case 8:
        if (type.uint16(0, 1) === 1) return instant(1);
        return makeField(name, options.timestamps === 'number' ? INT32 : DAYS);
      case 9:
        return makeField(name, type.int32(1, 32) === 64 ? INT64 : INT32);
      case 10:
        return instant(type.uint16(0));
      case 11:
        return makeField(name, [INT32, DAY_TIME, MONTH_DAY_NANO][type.uint16(0)] ?? fail('unknown unit of an interval', field.position));
      case 12:
        childCount(1);
        return makeField(name, LIST, { width: 4, children });
      case 13:
        return structOf(name, children);
      case 14:
        return unionOf(name, type, children, field);
      case 15: {
        const width = type.int32(0);
        if (width < 0) fail(`invalid width of values: ${width} bytes`, field.position);
        return makeField(name, FIXED_BINARY, { width });
      }
      case 16: {
        childCount(1);
        const unit = type.int32(0);
        if (unit < 0) fail(`invalid size of lists: ${unit} items`, field.position);
        return makeField(name, FIXED_LIST, { unit, children });
      }
      case 17:
        childCount(1);
        if (children[0]!.kind !== STRUCT || children[0]!.children.length !== 2) fail(`the entries of the map ${name} are not pairs`, field.position);
        return makeField(name, MAP, { width: 4, children });
      case 18:
        return makeField(name, INT64);
      case 19:
        return makeField(name, BINARY, { width: 8 });
      case 20:
        return makeField(name, UTF8, { width: 8 });
      case 21:
        childCount(1);
        return makeField(name, LIST, { width: 8, children });
      case 22:
        childCount(2);
        if (![INT16, INT32, INT64].includes(children[0]!.kind)) fail(`the run ends of the field ${name} are no integers`, field.position);
        return makeField(name, RUN_ENDS, { children });
      case 23:
        return makeField(name, BINARY_VIEW, { width: 16 });
      case 24:
        return makeField(name, UTF8_VIEW, { width: 16 });
      case 25:
      case 26:
        childCount(1);
        return makeField(name, LIST_VIEW, { width: id === 25 ? 4 : 8, children });
      default:
        return fail(`unknown type ${id} of the field ${name}`, field.position);
    }
  }

  function unionOf(name: string, type: Table, children: readonly Field[], field: Table): Field {
    const { from, length } = type.vector(1, 4);
    if (length > 0 && length !== children.length)
      fail(`${length} type ids of the union ${name}, which has ${children.length} members`, field.position);
    const childOf = new Map(children.map((_, index) => [length > 0 ? type.int32At(from + index * 4) : index, index]));
    return makeField(name, type.uint16(0) === 0 ? SPARSE_UNION : DENSE_UNION, { children, childOf });
  }

  return { rows: structOf('', fieldsOf(table.tables(1), 2)), dictionaries };
}

const WIDTHS: Record<number, number> = {
  [INT8]: 1,
  [UINT8]: 1,
  [INT16]: 2,
  [UINT16]: 2,
  [FLOAT16]: 2,
  [INT32]: 4,
  [UINT32]: 4,
  [FLOAT32]: 4,
  [DAYS]: 4,
  [INT64]: 8,
  [UINT64]: 8,
  [FLOAT64]: 8,
  [INSTANT]: 8,
  [DAY_TIME]: 8,
  [MONTH_DAY_NANO]: 16,
};

function makeField(name: string, kind: number, more: Partial<Field> = {}): Field {
  return {
    name,
    kind,
    width: WIDTHS[kind] ?? 0,
    unit: 0,
    children: NO_FIELDS,
    childOf: undefined,
    dictionary: undefined,
    keys: [],
    keyed: [],
    ...more,
  };
}

function structOf(name: string, children: readonly Field[]): Field {
  const last = new Map(children.map((child, index) => [child.name, index]));
  return makeField(name, STRUCT, { children, keys: [...last.keys()], keyed: [...last.values()] });
}
