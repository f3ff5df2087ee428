import { SchemaError } from '../../errors.ts';
import { type Instruction, withField } from './assembler.ts';
import type { Compiler } from './compile.ts';
import { decimalText, durationParts, instantMilliseconds, uuidText } from './logical.ts';
import * as op from './plan.ts';
import {
  ARRAY, BOOLEAN, BYTES, DATE, DECIMAL, DOUBLE, DURATION, ENUM, FIXED, FLOAT, INT, LONG, MAP, MICROS, MILLIS, NANOS, NULL,
  RECORD, STRING, UUID,
} from './schema.ts';

/** Defaults inside one another: the containers of a default, whose types may contain themselves. */
const DEEPEST = 256;

/**
 * The instruction that gives a field's default, from its JSON
 * (https://avro.apache.org/docs/1.12.0/specification/#complex-types). `where` names the field in errors. A union's
 * default is of the first of its types that it fits.
 */
export function constantOf(compiler: Compiler, type: number, json: unknown, where: string): Instruction {
  const made = make(compiler, type, json, 0);
  if (made === undefined) throw new SchemaError(`the default of ${where} does not fit its type`);
  return made;
}

function make(compiler: Compiler, index: number, json: unknown, depth: number): Instruction | undefined {
  const type = compiler.reader.types[index]!;
  if (depth > DEEPEST) return undefined;
  switch (type.kind) {
    case NULL:
      return json === null ? constant(compiler, null) : undefined;
    case BOOLEAN:
      return typeof json === 'boolean' ? constant(compiler, json) : undefined;
    case INT:
    case LONG:
      return Number.isInteger(json) && fits(json as number, type.kind) ? integer(compiler, index, json as number) : undefined;
    case FLOAT:
    case DOUBLE: {
      const number = typeof json === 'number' ? json : SPECIAL.get(json);
      if (number === undefined) return undefined;
      return constant(compiler, { float: type.kind === FLOAT ? Math.fround(number) : number });
    }
    case STRING:
      return typeof json === 'string' ? constant(compiler, json) : undefined;
    case ENUM:
      return type.symbols.includes(json as string) ? constant(compiler, json as string) : undefined;
    case BYTES:
    case FIXED:
      return typeof json === 'string' ? binary(compiler, index, json) : undefined;
    case ARRAY:
    case MAP:
      return list(compiler, index, json, depth);
    case RECORD:
      return record(compiler, index, json, depth);
    default: {
      for (const branch of type.branches) {
        const value = make(compiler, branch, json, depth + 1);
        if (value) return compiler.wrap(index, branch, value);
      }
      return undefined;
    }
  }
}

/** Numbers that JSON has not, as Java's Avro writes them. */
const SPECIAL = new Map<unknown, number>([['NaN', NaN], ['Infinity', Infinity], ['-Infinity', -Infinity]]);

function fits(value: number, kind: number): boolean {
  return kind === INT ? value === (value | 0) : value >= -(2 ** 63) && value < 2 ** 63;
}

function constant({ assembler }: Compiler, value: op.Constant): Instruction {
  return [op.CONSTANT, -1, assembler.value(value), 0];
}

function integer(compiler: Compiler, index: number, value: number): Instruction {
  const type = compiler.reader.types[index]!;
  const logical = compiler.logical(type);
  if (logical === DATE) return constant(compiler, new Date(value * 86_400_000));
  if (logical === MILLIS || logical === MICROS || logical === NANOS) {
    return constant(compiler, new Date(instantMilliseconds(BigInt(value), logical)));
  }
  const { int64 = 'auto' } = compiler.options;
  if (type.kind === INT || int64 === 'number') return constant(compiler, value);
  if (int64 === 'string') return constant(compiler, BigInt(value).toString());
  return constant(compiler, int64 === 'bigint' || !Number.isSafeInteger(value) ? BigInt(value) : value);
}

/** Each character stands for the byte of its code. */
function binary(compiler: Compiler, index: number, text: string): Instruction | undefined {
  const type = compiler.reader.types[index]!;
  const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
  if (bytes.length !== text.length || (type.kind === FIXED && bytes.length !== type.size)) return undefined;
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 0xff) return undefined;
  switch (compiler.logical(type)) {
    case DECIMAL: {
      const decimal = decimalText(bytes, 0, bytes.length, type.scale);
      return constant(compiler, compiler.options.decimals === 'number' ? { float: Number(decimal) } : decimal);
    }
    case UUID:
      return constant(compiler, uuidText(bytes, 0));
    case DURATION: {
      const duration = compiler.durationRecord();
      const parts = durationParts(new DataView(bytes.buffer), 0).map((part, field) => withField(constant(compiler, part), field));
      compiler.assembler.body(duration, [...parts, [op.END_RECORD, -1, 0, 0]]);
      return [op.RECORD, -1, duration, 0];
    }
    default:
      return constant(compiler, bytes);
  }
}

function list(compiler: Compiler, index: number, json: unknown, depth: number): Instruction | undefined {
  const { kind, items } = compiler.reader.types[index]!;
  if (typeof json !== 'object' || json === null || Array.isArray(json) !== (kind === ARRAY)) return undefined;
  const { assembler } = compiler;
  const content: Instruction[] = [];
  for (const [key, value] of Object.entries(json)) {
    if (kind === MAP) content.push([op.CONSTANT_KEY, -1, assembler.value(key), 0]);
    const made = make(compiler, items, value, depth + 1);
    if (!made) return undefined;
    content.push(made);
  }
  const isMap = kind === MAP ? 1 : 0;
  // A record of no keys is the place of the list's instructions.
  const body = assembler.record([], 0);
  assembler.body(body, [...content, [op.END_CONSTANT, -1, isMap, 0]]);
  assembler.addFree(body, content.length);
  return [op.CONSTANT_LIST, -1, body, isMap];
}

/** A default may leave out fields that have defaults of their own. */
function record(compiler: Compiler, index: number, json: unknown, depth: number): Instruction | undefined {
  const { fields } = compiler.reader.types[index]!;
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return undefined;
  const { assembler } = compiler;
  const values: Instruction[] = [];
  for (const [place, field] of fields.entries()) {
    const given = Object.hasOwn(json, field.name);
    if (!given && !('default' in field)) return undefined;
    const made = make(compiler, field.type, given ? (json as Record<string, unknown>)[field.name] : field.default, depth + 1);
    if (!made) return undefined;
    values.push(withField(made, place));
  }
  const made = assembler.record(fields.map((field) => field.name), values.length);
  assembler.body(made, [...values, [op.END_RECORD, -1, 0, 0]]);
  return [op.RECORD, -1, made, 0];
}
