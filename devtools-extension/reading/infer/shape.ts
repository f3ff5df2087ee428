/** Kind of a value. */
export type Kind = 'boolean' | 'integer' | 'double' | 'string' | 'bytes' | 'date' | 'list' | 'record';

/** Thrown if a format cannot represent a value; the message is the reason. */
export class UnsupportedError extends Error {
  override readonly name = 'UnsupportedError';
}

/** Shape of the records at one path. */
export interface RecordShape {
  /** Index among all record shapes; the root's is 0. */
  index: number;
  /** Number of records. */
  count: number;
  fields: Map<string, Shape>;
}

/** Maximum nesting of records in a schema. */
const MAX_DEPTH = 100;
/** Maximum number of keys in a record. */
const MAX_FIELDS = 2_000;

/** Combined shape of all values at one path. */
export class Shape {
  readonly path: string;
  readonly kinds = new Set<Kind>();
  /** Number of values, including null. */
  seen = 0;
  /** True if null or undefined occurred. */
  isNullable = false;
  /** True if a bigint occurred. */
  hasBigint = false;
  /** Smallest and largest integer. */
  min = 0;
  max = 0;
  items: Shape | undefined;
  record: RecordShape | undefined;

  constructor(path: string) {
    this.path = path;
  }

  /** Kind of all values; undefined if all are null. Throws if there are several. */
  get kind(): Kind | undefined {
    if (this.kinds.size > 1) throw new UnsupportedError(`${this.path} has several types: ${[...this.kinds].join(', ')}`);
    return this.kinds.values().next().value;
  }

  /** True if all integers fit 32 bits. */
  get isSmall(): boolean {
    return !this.hasBigint && this.min >= -(2 ** 31) && this.max < 2 ** 31;
  }
}

/** Shape of a value, and of its records by index. */
export interface Inferred {
  root: Shape;
  records: RecordShape[];
}

/** Infers the shape of a whole value. Throws `UnsupportedError` if no schema is possible. */
export function inferShape(value: unknown): Inferred {
  const root = new Shape('the value');
  const records: RecordShape[] = [];

  const learn = (shape: Shape, item: unknown, depth: number): void => {
    if (depth > MAX_DEPTH) throw new UnsupportedError('nested too deep for a schema');
    shape.seen += 1;
    switch (typeof item) {
      case 'undefined':
        shape.isNullable = true;
        return;
      case 'boolean':
      case 'string':
        shape.kinds.add(typeof item as Kind);
        return;
      case 'number':
        return learnNumber(shape, item);
      case 'bigint':
        if (BigInt.asIntN(64, item) !== item) throw new UnsupportedError(`${shape.path} has an integer of more than 64 bits`);
        shape.hasBigint = true;
        return learnNumber(shape, Number(item), true);
      default:
    }
    if (item === null) shape.isNullable = true;
    else if (item instanceof Uint8Array || item instanceof ArrayBuffer) shape.kinds.add('bytes');
    else if (item instanceof Date) shape.kinds.add('date');
    else if (Array.isArray(item)) {
      shape.kinds.add('list');
      shape.items ??= new Shape(`${shape.path}[]`);
      for (const one of item as unknown[]) learn(shape.items, one, depth + 1);
    } else if (isRecord(item)) {
      shape.kinds.add('record');
      learnRecord(shape, item, depth);
    } else {
      throw new UnsupportedError(`${shape.path} is a ${nameOf(item)}`);
    }
  };

  const learnRecord = (shape: Shape, item: Record<string, unknown>, depth: number): void => {
    let { record } = shape;
    if (!record) records.push((record = shape.record = { index: records.length, count: 0, fields: new Map() }));
    record.count += 1;
    for (const key of Object.keys(item)) {
      let field = record.fields.get(key);
      if (!field) {
        if (record.fields.size >= MAX_FIELDS)
          throw new UnsupportedError(`the keys of ${shape.path} are data: a schema would have thousands of fields`);
        record.fields.set(key, (field = new Shape(shape === root ? key : `${shape.path}.${key}`)));
      }
      learn(field, item[key], depth + 1);
    }
  };

  learn(root, value, 0);
  return { root, records };
}

function learnNumber(shape: Shape, value: number, isBig = false): void {
  const isInteger = isBig || (Number.isSafeInteger(value) && !Object.is(value, -0));
  // Integers among doubles count as doubles.
  if (isInteger && !shape.kinds.has('double')) shape.kinds.add('integer');
  if (!isInteger) {
    shape.kinds.delete('integer');
    shape.kinds.add('double');
  }
  shape.min = Math.min(shape.min, value);
  shape.max = Math.max(shape.max, value);
}

/** True if some records lack the field or have null. */
export function isOptional(record: RecordShape, field: Shape): boolean {
  return field.isNullable || field.seen < record.count;
}

/** Fields with any non-null value, in the order of appearance. */
export function fieldsOf(record: RecordShape): [key: string, field: Shape][] {
  return [...record.fields].filter(([, field]) => field.kinds.size > 0);
}

/** Shape of a list's items. Throws if they include null. */
export function itemsOf(shape: Shape): Shape | undefined {
  const { items } = shape;
  if (items?.isNullable) throw new UnsupportedError(`${items.path} contains null`);
  return items && items.kinds.size > 0 ? items : undefined;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && [Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null);
}

function nameOf(value: unknown): string {
  return (value as object).constructor?.name ?? typeof value;
}

/** Wraps a value that is not a record in one with the field `value`. */
export function asRecord(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : { value };
}

/** Wraps nested lists in records with the field `items`, for formats without lists of lists. */
export function wrapLists(value: unknown): unknown {
  let found = false;
  const wrap = (item: unknown, isInList: boolean): unknown => {
    if (Array.isArray(item)) {
      const items = (item as unknown[]).map((one) => wrap(one, true));
      if (!isInList) return items;
      found = true;
      return { items };
    }
    return isRecord(item) ? Object.fromEntries(Object.keys(item).map((key) => [key, wrap(item[key], false)])) : item;
  };
  const wrapped = wrap(value, false);
  return found ? wrapped : value;
}

/** Replaces Dates with milliseconds since 1970, for formats whose schema uses integers. */
export function datesAsNumbers(value: unknown): unknown {
  if (value instanceof Date) return value.getTime();
  return isRecord(value) || Array.isArray(value) ? eachInside(value, datesAsNumbers) : value;
}

/** Removes null fields. */
export function withoutNulls(value: unknown): unknown {
  return isRecord(value) || Array.isArray(value) ? eachInside(value, withoutNulls, (item) => item !== null) : value;
}

function eachInside(
  value: Record<string, unknown> | unknown[],
  map: (item: unknown) => unknown,
  keeps: (item: unknown) => boolean = () => true,
): unknown {
  if (Array.isArray(value)) return value.map(map);
  return Object.fromEntries(
    Object.keys(value)
      .filter((key) => keeps(value[key]))
      .map((key) => [key, map(value[key])]),
  );
}
