import {
  ARRAY,
  type AvroType,
  type AvroTypes,
  BOOLEAN,
  BYTES,
  DOUBLE,
  ENUM,
  FIXED,
  FLOAT,
  INT,
  LONG,
  MAP,
  NULL,
  RECORD,
  type Steps,
  STRING,
} from './schema.ts';

/** Nesting depth of a default, whose types may be recursive. */
const MAX_DEPTH = 256;

/** Numbers that JSON lacks, as Avro for Java writes them. */
const SPECIAL = new Map<unknown, number>([
  ['NaN', NaN],
  ['Infinity', Infinity],
  ['-Infinity', -Infinity],
]);

const utf8 = new TextEncoder();

/**
 * Encodes a field's default, given as JSON (https://avro.apache.org/docs/1.12.0/specification/#complex-types). A
 * union's default has the first branch that it fits. Undefined if it does not fit its type. `steps` counts its values
 * and bytes.
 */
export function defaultBytes(schema: AvroTypes, index: number, json: unknown, steps: Steps): Uint8Array | undefined {
  const writer = new DefaultWriter(schema, steps);
  return writer.write(index, json, 0) ? Uint8Array.from(writer.bytes) : undefined;
}

/** Appends defaults to its bytes. After a branch that does not fit, its bytes are dropped before the next is tried. */
class DefaultWriter {
  readonly bytes: number[] = [];
  readonly #schema: AvroTypes;
  readonly #steps: Steps;

  constructor(schema: AvroTypes, steps: Steps) {
    this.#schema = schema;
    this.#steps = steps;
  }

  /** Returns false if a value does not fit its type. */
  write(index: number, json: unknown, depth: number): boolean {
    const type = this.#schema.types[index]!;
    if (depth > MAX_DEPTH) return false;
    this.#steps.take(1);
    switch (type.kind) {
      case NULL:
        return json === null;
      case BOOLEAN:
        return typeof json === 'boolean' && this.#append([json ? 1 : 0]);
      case INT:
      case LONG:
        return Number.isInteger(json) && fits(json as number, type.kind) && this.#long(json as number);
      case FLOAT:
      case DOUBLE: {
        const number = typeof json === 'number' ? json : SPECIAL.get(json);
        if (number === undefined) return false;
        return this.#append(new Uint8Array((type.kind === FLOAT ? Float32Array : Float64Array).of(number).buffer));
      }
      case STRING:
        return typeof json === 'string' && this.#text(json);
      case ENUM: {
        const symbol = type.symbols.indexOf(json as string);
        return symbol >= 0 && this.#long(symbol);
      }
      case BYTES:
      case FIXED:
        return typeof json === 'string' && this.#binary(json, type.kind === FIXED ? type.size : -1);
      case ARRAY:
      case MAP:
        return this.#list(type, json, depth);
      case RECORD:
        return this.#record(type, json, depth);
      default:
        return this.#union(type, json, depth);
    }
  }

  #append(bytes: ArrayLike<number>): true {
    this.#steps.take(bytes.length / 16);
    for (let at = 0; at < bytes.length; at += 1) this.bytes.push(bytes[at]!);
    return true;
  }

  #long(number: number): true {
    const value = BigInt(number);
    const bytes: number[] = [];
    let rest = BigInt.asUintN(64, (value << 1n) ^ (value >> 63n));
    for (; rest >= 128n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
    bytes.push(Number(rest));
    return this.#append(bytes);
  }

  #text(value: string): true {
    const bytes = utf8.encode(value);
    this.#long(bytes.length);
    return this.#append(bytes);
  }

  /** Each character stands for the byte with its code. */
  #binary(value: string, size: number): boolean {
    const bytes = Array.from({ length: value.length }, (_, at) => value.charCodeAt(at));
    if (bytes.some((byte) => byte > 0xff) || (size >= 0 && bytes.length !== size)) return false;
    if (size < 0) this.#long(bytes.length);
    return this.#append(bytes);
  }

  #list({ kind, items }: AvroType, json: unknown, depth: number): boolean {
    if (typeof json !== 'object' || json === null || Array.isArray(json) !== (kind === ARRAY)) return false;
    const entries = Object.entries(json);
    if (entries.length > 0) this.#long(entries.length);
    for (const [key, value] of entries) {
      if (kind === MAP) this.#text(key);
      if (!this.write(items, value, depth + 1)) return false;
    }
    return this.#append([0]);
  }

  /** A default may omit fields that have defaults. */
  #record({ fields }: AvroType, json: unknown, depth: number): boolean {
    if (typeof json !== 'object' || json === null || Array.isArray(json)) return false;
    return fields.every((field) => {
      const isGiven = Object.hasOwn(json, field.name);
      if (!isGiven && !('default' in field)) return false;
      return this.write(field.type, isGiven ? (json as Record<string, unknown>)[field.name] : field.default, depth + 1);
    });
  }

  #union({ branches }: AvroType, json: unknown, depth: number): boolean {
    const { length } = this.bytes;
    return branches.some((branch, place) => {
      this.bytes.length = length;
      this.#long(place);
      return this.write(branch, json, depth + 1);
    });
  }
}

function fits(value: number, kind: number): boolean {
  return kind === INT ? value === (value | 0) : value >= -(2 ** 63) && value < 2 ** 63;
}
