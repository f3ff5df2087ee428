/** What a value was seen to be. */
export type Kind = 'boolean' | 'integer' | 'double' | 'string' | 'bytes' | 'date' | 'list' | 'record';

/** Why a format cannot hold a value, in words. */
export class Unfit extends Error {
  override readonly name = 'Unfit';
}

/** The records at one place of a value. */
export interface RecordShape {
  /** Counts the records of the whole value, from 0 on: the root's is the first. */
  index: number;
  /** How many there are. */
  count: number;
  fields: Map<string, Shape>;
}

/** Records inside one another that a schema is made for. */
const DEEPEST = 100;
/** Keys of one record. */
const MAX_FIELDS = 2_000;

/** All values at one place, taken together: what a schema would say of them. */
export class Shape {
  readonly path: string;
  readonly kinds = new Set<Kind>();
  /** How often something is there, be it null. */
  seen = 0;
  /** Null or undefined was seen. */
  isNullable = false;
  /** A bigint was seen. */
  hasBigint = false;
  /** The least and the greatest integer. */
  least = 0;
  greatest = 0;
  items: Shape | undefined;
  record: RecordShape | undefined;

  constructor(path: string) {
    this.path = path;
  }

  /** The kind that all values are of; undefined where there is none but null. */
  get kind(): Kind | undefined {
    if (this.kinds.size > 1) throw new Unfit(`${this.path} is ${[...this.kinds].join(' and ')}, and a field has one type`);
    return this.kinds.values().next().value;
  }

  /** Numbers that take no more than 32 bits. */
  get isSmall(): boolean {
    return !this.hasBigint && this.least >= -(2 ** 31) && this.greatest < 2 ** 31;
  }
}

/** The shape of a value, and the shapes of its records in the order of their indices. */
export interface Inferred {
  root: Shape;
  records: RecordShape[];
}

/** Looks at all of a value. Throws `Unfit` where no schema can be made. */
export function inferShape(value: unknown): Inferred {
  const root = new Shape('the value');
  const records: RecordShape[] = [];

  const learn = (shape: Shape, item: unknown, depth: number): void => {
    if (depth > DEEPEST) throw new Unfit('nested too deep for a schema');
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
        if (BigInt.asIntN(64, item) !== item) throw new Unfit(`${shape.path} has an integer of more than 64 bits`);
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
      throw new Unfit(`${shape.path} is a ${nameOf(item)}`);
    }
  };

  const learnRecord = (shape: Shape, item: Record<string, unknown>, depth: number): void => {
    let { record } = shape;
    if (!record) records.push((record = shape.record = { index: records.length, count: 0, fields: new Map() }));
    record.count += 1;
    for (const key of Object.keys(item)) {
      let field = record.fields.get(key);
      if (!field) {
        if (record.fields.size >= MAX_FIELDS) throw new Unfit(`the keys of ${shape.path} are data: a schema would have thousands of fields`);
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
  // An integer among doubles is a double.
  if (isInteger && !shape.kinds.has('double')) shape.kinds.add('integer');
  if (!isInteger) {
    shape.kinds.delete('integer');
    shape.kinds.add('double');
  }
  shape.least = Math.min(shape.least, value);
  shape.greatest = Math.max(shape.greatest, value);
}

/** Whether a field is not in every record, or null in some. */
export function isOptional(record: RecordShape, field: Shape): boolean {
  return field.isNullable || field.seen < record.count;
}

/** Fields that hold something, in the order in which they came. */
export function fieldsOf(record: RecordShape): [key: string, field: Shape][] {
  return [...record.fields].filter(([, field]) => field.kinds.size > 0);
}

/** The items of a list, whose format has no null among them. */
export function itemsOf(shape: Shape): Shape | undefined {
  const { items } = shape;
  if (items?.isNullable) throw new Unfit(`${items.path} has null among other items`);
  return items && items.kinds.size > 0 ? items : undefined;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && [Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null);
}

function nameOf(value: unknown): string {
  return (value as object).constructor?.name ?? typeof value;
}

/** The value as a record: what is none becomes the field `value` of one. */
export function asRecord(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : { value };
}

/** The value with each list that is in a list as the field `items` of a record, for formats that have no lists of lists. */
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

/** The value with Dates as milliseconds since 1970, for formats whose schema has integers for them. */
export function datesAsNumbers(value: unknown): unknown {
  if (value instanceof Date) return value.getTime();
  return isRecord(value) || Array.isArray(value) ? eachInside(value, datesAsNumbers) : value;
}

/** The value without the fields that are null. */
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
