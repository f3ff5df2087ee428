import avro from '../../../worker/formats/avro/index.ts';
import { Output, utf8 } from './output.ts';
import { bytesOf, fieldsOf, inferShape, isOptional, type Kind, type RecordShape, type Shape, Unfit, wholeOf } from './shape.ts';

type Json = string | Json[] | { [key: string]: unknown };

/**
 * A value as an Avro datum (https://avro.apache.org/docs/1.12.0/specification/#binary-encoding), by a schema made up for
 * it. Where a place holds several kinds, and where a field is not in every record, the type is a union.
 */
export async function encodeAvro(value: unknown): Promise<{ bytes: Uint8Array; schema: unknown; json: unknown; value: unknown; note?: string }> {
  const { root } = inferShape(value);
  const names = new Names();
  const json = typeOf(root, root.isNullable, names);
  const output = new Output();
  write(output, root, root.isNullable, value, names);
  const note =
    names.renamed > 0
      ? `${names.renamed === 1 ? 'a key is' : `${names.renamed} keys are`} renamed: names have letters, digits and underscores`
      : undefined;
  return {
    bytes: output.finish(),
    schema: await avro.compileSchema!(json),
    json,
    value: names.renamed > 0 ? names.rename(value) : value,
    ...(note && { note }),
  };
}

/** Names for keys (https://avro.apache.org/docs/1.12.0/specification/#names), the same for the same key. */
class Names {
  renamed = 0;
  readonly #names = new Map<string, string>();
  readonly #taken = new Set<string>();

  of(key: string): string {
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const plain = key.replaceAll(/[^A-Za-z0-9_]/g, '_').replace(/^(?=\d|$)/, '_');
    let name = plain;
    for (let next = 2; this.#taken.has(name); next += 1) name = `${plain}_${next}`;
    if (name !== key) this.renamed += 1;
    this.#names.set(key, name);
    this.#taken.add(name);
    return name;
  }

  rename(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.rename(item));
    if (typeof value !== 'object' || value === null || ![Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null))
      return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [this.of(key), this.rename(item)]));
  }
}

/** The branches of a union: null first. */
function branchesOf(shape: Shape, nullable: boolean): (Kind | 'null')[] {
  return nullable || shape.kinds.size === 0 ? ['null', ...shape.kinds] : [...shape.kinds];
}

function typeOf(shape: Shape, nullable: boolean, names: Names): Json {
  const branches = branchesOf(shape, nullable).map((kind) => kindOf(kind, shape, names));
  if (shape.kinds.has('date') && shape.kinds.has('integer')) throw new Unfit(`${shape.path} is dates and integers, both of which are longs`);
  return branches.length === 1 ? branches[0]! : branches;
}

function kindOf(kind: Kind | 'null', shape: Shape, names: Names): Json {
  switch (kind) {
    case 'integer':
      return shape.isSmall ? 'int' : 'long';
    case 'date':
      return { type: 'long', logicalType: 'timestamp-millis' };
    case 'list': {
      const items = shape.items!;
      return { type: 'array', items: typeOf(items, items.isNullable, names) };
    }
    case 'record': {
      const record = shape.record!;
      const fields = fieldsOf(record).map(([key, field]) => ({ name: names.of(key), type: typeOf(field, isOptional(record, field), names) }));
      return { type: 'record', name: `Record${record.index}`, fields };
    }
    default:
      return kind;
  }
}

function write(output: Output, shape: Shape, nullable: boolean, value: unknown, names: Names): void {
  const isNull = value === null || value === undefined;
  const branches = branchesOf(shape, nullable);
  const kind = isNull ? 'null' : branches.length === 1 ? branches[0]! : kindFor(value, shape);
  if (branches.length > 1) output.varint(branches.indexOf(kind) * 2);
  switch (kind) {
    case 'null':
      return;
    case 'boolean':
      return output.byte(value ? 1 : 0);
    case 'integer':
    case 'date':
      return output.zigzag(wholeOf(value));
    case 'double':
      return output.double(Number(value));
    case 'string':
      return writeBytes(output, utf8(value));
    case 'bytes':
      return writeBytes(output, bytesOf(value));
    case 'list': {
      const items = shape.items!;
      const list = value as unknown[];
      if (list.length > 0) output.zigzag(BigInt(list.length));
      for (const item of list) write(output, items, items.isNullable, item, names);
      return output.byte(0);
    }
    default:
      return writeRecord(output, shape.record!, value as Record<string, unknown>, names);
  }
}

function writeRecord(output: Output, record: RecordShape, value: Record<string, unknown>, names: Names): void {
  for (const [key, field] of fieldsOf(record)) {
    write(output, field, isOptional(record, field), Object.hasOwn(value, key) ? value[key] : undefined, names);
  }
}

function writeBytes(output: Output, bytes: Uint8Array): void {
  output.zigzag(BigInt(bytes.length));
  output.all(bytes);
}

/** Which branch a value is. */
function kindFor(value: unknown, shape: Shape): Kind {
  if (typeof value === 'boolean' || typeof value === 'string') return typeof value as Kind;
  if (typeof value === 'number' || typeof value === 'bigint') return shape.kinds.has('double') ? 'double' : 'integer';
  if (Array.isArray(value)) return 'list';
  if (value instanceof Date) return 'date';
  return value instanceof Uint8Array || value instanceof ArrayBuffer ? 'bytes' : 'record';
}
