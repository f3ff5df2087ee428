import { isDate, isMap } from '../../../values/class-of.ts';
import { isBinary, type Items, itemsOf } from '../../../writing/binary-values.ts';
import { EncodeError } from '../../../errors.ts';
import type { AvroSchemaJson } from '../options.ts';

/** Nesting depth of containers. */
const MAX_DEPTH = 200;
const NAME = /^[A-Za-z_]\w*$/;

/** Range of the numbers in one position of the schema. */
const NO_NUMBER = 0;
const INT = 1;
const LONG = 2;
const DOUBLE = 3;

/** Values seen in one position of the schema. */
class Seen {
  hasNull = false;
  hasBoolean = false;
  hasString = false;
  hasBytes = false;
  hasDate = false;
  hasBigInt = false;
  number = NO_NUMBER;
  items: Seen | undefined;
  /** Fields of the objects seen, by key. */
  fields: Map<string, Seen> | undefined;
  objects = 0;
  /** True if the objects are maps, because a key is not a valid Avro name. */
  isMap = false;
  /** Number of values seen. */
  count = 0;
}

/**
 * Infers the schema of a value, as JSON: records for objects, or maps if a key is not a valid Avro name; `int`,
 * `long` or `double` for numbers; `timestamp-millis` for Dates; unions for values of different types in one position.
 * A key that some objects lack becomes a nullable field with default null. Throws an EncodeError for values without
 * an Avro type.
 */
export function avroSchemaOf(value: unknown): AvroSchemaJson {
  const seen = new Seen();
  look(seen, value, 0);
  return new Describer().describe(seen, 'Root') as AvroSchemaJson;
}

/** Infers the schema of a container's data. */
export function schemaForItems(list: Items): AvroSchemaJson {
  const seen = new Seen();
  for (let index = 0; index < list.length; index += 1) look(seen, list[index], 1);
  return new Describer().describe(seen, 'Root') as AvroSchemaJson;
}

function look(seen: Seen, value: unknown, depth: number): void {
  if (depth > MAX_DEPTH) throw new EncodeError('depth', `no schema can be inferred from containers nested more than ${MAX_DEPTH} levels deep`);
  seen.count += 1;
  switch (typeof value) {
    case 'string':
      seen.hasString = true;
      return;
    case 'number':
      seen.number = Math.max(seen.number, numberKind(value));
      return;
    case 'bigint':
      seen.hasBigInt = true;
      return;
    case 'boolean':
      seen.hasBoolean = true;
      return;
    case 'undefined':
      seen.hasNull = true;
      return;
    case 'object':
      lookInto(seen, value, depth);
      return;
    default:
      throw new EncodeError('unsupported', `cannot encode a ${typeof value}`);
  }
}

function lookInto(seen: Seen, value: object | null, depth: number): void {
  if (value === null) {
    seen.hasNull = true;
    return;
  }
  if (isDate(value)) {
    seen.hasDate = true;
    return;
  }
  if (isBinary(value)) {
    seen.hasBytes = true;
    return;
  }
  const list = itemsOf(value);
  if (list !== undefined) {
    seen.items ??= new Seen();
    for (let index = 0; index < list.length; index += 1) look(seen.items, list[index], depth + 1);
    return;
  }
  seen.objects += 1;
  seen.fields ??= new Map();
  const isAMap = isMap(value);
  seen.isMap ||= isAMap;
  for (const [key, item] of isAMap ? value : Object.entries(value)) {
    if (typeof key !== 'string') throw new EncodeError('unsupported', 'a Map with a key that is not a string');
    let field = seen.fields.get(key);
    if (field === undefined) {
      seen.fields.set(key, (field = new Seen()));
      seen.isMap ||= !NAME.test(key);
    }
    look(field, item, depth + 1);
  }
}

function numberKind(value: number): number {
  if (!Number.isSafeInteger(value) || Object.is(value, -0)) return DOUBLE;
  return (value | 0) === value ? INT : LONG;
}

/** Converts the values seen to the JSON of a schema. */
class Describer {
  readonly #names = new Set<string>();

  describe(seen: Seen, name: string, mayBeNull = false): unknown {
    const types: unknown[] = [];
    if (seen.hasNull || mayBeNull) types.push('null');
    if (seen.hasBoolean) types.push('boolean');
    if (seen.hasBigInt || seen.number === LONG) types.push('long');
    else if (seen.number === INT) types.push('int');
    if (seen.number === DOUBLE) types.push('double');
    if (seen.hasDate) types.push({ type: 'long', logicalType: 'timestamp-millis' });
    if (seen.hasDate && types.includes('long')) throw new EncodeError('unsupported', 'an Avro union cannot distinguish Dates from long integers');
    if (seen.hasString) types.push('string');
    if (seen.hasBytes) types.push('bytes');
    if (seen.items !== undefined) types.push({ type: 'array', items: this.describe(seen.items, name) });
    if (seen.fields !== undefined) types.push(this.#object(seen, seen.fields, name));
    return types.length === 1 ? types[0] : types.length === 0 ? 'null' : types;
  }

  #object(seen: Seen, fields: ReadonlyMap<string, Seen>, name: string): unknown {
    if (seen.isMap) return { type: 'map', values: this.describe(union([...fields.values()]), name) };
    const full = this.#unique(name);
    return {
      type: 'record',
      name: full,
      fields: [...fields].map(([key, field]) => {
        const isOptional = field.count < seen.objects;
        return { name: key, type: this.describe(field, `${full}_${key}`, isOptional), ...(isOptional ? { default: null } : undefined) };
      }),
    };
  }

  #unique(name: string): string {
    let unique = name;
    for (let number = 2; this.#names.has(unique); number += 1) unique = `${name}_${number}`;
    this.#names.add(unique);
    return unique;
  }
}

/** Merges several positions into one. */
function union(all: readonly Seen[]): Seen {
  const result = new Seen();
  const items: Seen[] = [];
  const objects: Seen[] = [];
  for (const seen of all) {
    result.count += seen.count;
    result.objects += seen.objects;
    result.hasNull ||= seen.hasNull;
    result.hasBoolean ||= seen.hasBoolean;
    result.hasString ||= seen.hasString;
    result.hasBytes ||= seen.hasBytes;
    result.hasDate ||= seen.hasDate;
    result.hasBigInt ||= seen.hasBigInt;
    result.isMap ||= seen.isMap;
    result.number = Math.max(result.number, seen.number);
    if (seen.items !== undefined) items.push(seen.items);
    if (seen.fields !== undefined) objects.push(seen);
  }
  if (items.length > 0) result.items = union(items);
  if (objects.length > 0) {
    const keys = new Set(objects.flatMap(({ fields }) => [...fields!.keys()]));
    result.fields = new Map([...keys].map((key) => [key, union(objects.flatMap(({ fields }) => fields!.get(key) ?? []))]));
  }
  return result;
}
