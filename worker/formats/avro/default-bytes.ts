import { ARRAY, type AvroTypes, BOOLEAN, BYTES, DOUBLE, ENUM, FIXED, FLOAT, INT, LONG, MAP, NULL, RECORD, STRING } from './schema.ts';

/** Defaults inside one another: the containers of a default, whose types may contain themselves. */
const DEEPEST = 256;

/** Numbers that JSON has not, as Java's Avro writes them. */
const SPECIAL = new Map<unknown, number>([
  ['NaN', NaN],
  ['Infinity', Infinity],
  ['-Infinity', -Infinity],
]);

const utf8 = new TextEncoder();

/**
 * A field's default as it is written, from its JSON (https://avro.apache.org/docs/1.12.0/specification/#complex-types). A
 * union's default is of the first of its types that it fits. Undefined where it does not fit its type.
 */
export function defaultBytes(schema: AvroTypes, index: number, json: unknown, depth = 0): number[] | undefined {
  const type = schema.types[index]!;
  if (depth > DEEPEST) return undefined;
  switch (type.kind) {
    case NULL:
      return json === null ? [] : undefined;
    case BOOLEAN:
      return typeof json === 'boolean' ? [json ? 1 : 0] : undefined;
    case INT:
    case LONG:
      return Number.isInteger(json) && fits(json as number, type.kind) ? long(BigInt(json as number)) : undefined;
    case FLOAT:
    case DOUBLE: {
      const number = typeof json === 'number' ? json : SPECIAL.get(json);
      if (number === undefined) return undefined;
      return [...new Uint8Array((type.kind === FLOAT ? Float32Array : Float64Array).of(number).buffer)];
    }
    case STRING:
      return typeof json === 'string' ? text(json) : undefined;
    case ENUM: {
      const symbol = type.symbols.indexOf(json as string);
      return symbol < 0 ? undefined : long(BigInt(symbol));
    }
    case BYTES:
    case FIXED:
      return typeof json === 'string' ? binary(json, type.kind === FIXED ? type.size : -1) : undefined;
    case ARRAY:
    case MAP:
      return list(schema, index, json, depth);
    case RECORD:
      return record(schema, index, json, depth);
    default: {
      for (const [place, branch] of type.branches.entries()) {
        const bytes = defaultBytes(schema, branch, json, depth + 1);
        if (bytes !== undefined) return [...long(BigInt(place)), ...bytes];
      }
      return undefined;
    }
  }
}

function fits(value: number, kind: number): boolean {
  return kind === INT ? value === (value | 0) : value >= -(2 ** 63) && value < 2 ** 63;
}

function long(value: bigint): number[] {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, (value << 1n) ^ (value >> 63n));
  for (; rest >= 128n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return [...bytes, Number(rest)];
}

function text(value: string): number[] {
  const bytes = utf8.encode(value);
  return [...long(BigInt(bytes.length)), ...bytes];
}

/** Each character stands for the byte of its code. */
function binary(value: string, size: number): number[] | undefined {
  const bytes = Array.from({ length: value.length }, (_, at) => value.charCodeAt(at));
  if (bytes.some((byte) => byte > 0xff) || (size >= 0 && bytes.length !== size)) return undefined;
  return size >= 0 ? bytes : [...long(BigInt(bytes.length)), ...bytes];
}

function list(schema: AvroTypes, index: number, json: unknown, depth: number): number[] | undefined {
  const { kind, items } = schema.types[index]!;
  if (typeof json !== 'object' || json === null || Array.isArray(json) !== (kind === ARRAY)) return undefined;
  const entries = Object.entries(json);
  if (entries.length === 0) return [0];
  const bytes = long(BigInt(entries.length));
  for (const [key, value] of entries) {
    const made = defaultBytes(schema, items, value, depth + 1);
    if (made === undefined) return undefined;
    bytes.push(...(kind === MAP ? text(key) : []), ...made);
  }
  return [...bytes, 0];
}

/** A default may leave out fields that have defaults of their own. */
function record(schema: AvroTypes, index: number, json: unknown, depth: number): number[] | undefined {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return undefined;
  const bytes: number[] = [];
  for (const field of schema.types[index]!.fields) {
    const isGiven = Object.hasOwn(json, field.name);
    if (!isGiven && !('default' in field)) return undefined;
    const made = defaultBytes(schema, field.type, isGiven ? (json as Record<string, unknown>)[field.name] : field.default, depth + 1);
    if (made === undefined) return undefined;
    bytes.push(...made);
  }
  return bytes;
}
