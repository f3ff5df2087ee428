import { SchemaError } from '../../../errors.ts';
import { type Instruction, withField } from '../read/program.ts';
import { decimalNumber, decimalText } from '../../../bytes/decimal.ts';
import { durationParts, instantMilliseconds, decimalOf, uuidText } from './logical.ts';
import * as op from '../read/plan.ts';
import {
  ARRAY,
  BOOLEAN,
  BYTES,
  DATE,
  DECIMAL,
  DOUBLE,
  DURATION,
  ENUM,
  FIXED,
  FLOAT,
  INT,
  LONG,
  MAP,
  MICROS,
  MILLIS,
  NANOS,
  NULL,
  RECORD,
  STRING,
  UNION,
  UUID,
} from './schema.ts';
import type { Target } from './target.ts';

/** Nesting depth of a default, whose types may be recursive. */
const MAX_DEPTH = 256;

/**
 * The instruction for a field's default, given as JSON
 * (https://avro.apache.org/docs/1.12.0/specification/#complex-types). `where` names the field in errors. A union's
 * default has the first branch that it fits.
 */
export function constantOf(target: Target, type: number, json: unknown, where: string): Instruction {
  const instruction = make(target, type, json, 0);
  if (instruction === undefined) throw new SchemaError(`the default of ${where} does not fit its type`);
  return instruction;
}

function make(target: Target, index: number, json: unknown, depth: number): Instruction | undefined {
  const type = target.schema.types[index]!;
  if (depth > MAX_DEPTH) return undefined;
  target.steps.take(1);
  switch (type.kind) {
    case NULL:
      return json === null ? constant(target, null) : undefined;
    case BOOLEAN:
      return typeof json === 'boolean' ? constant(target, json) : undefined;
    case INT:
    case LONG:
      return Number.isInteger(json) && fits(json as number, type.kind) ? integer(target, index, json as number) : undefined;
    case FLOAT:
    case DOUBLE: {
      const number = typeof json === 'number' ? json : SPECIAL.get(json);
      if (number === undefined) return undefined;
      return constant(target, { float: type.kind === FLOAT ? Math.fround(number) : number });
    }
    case STRING:
      return typeof json === 'string' ? constant(target, json) : undefined;
    case ENUM:
      return type.symbols.includes(json as string) ? constant(target, json as string) : undefined;
    case BYTES:
    case FIXED:
      return typeof json === 'string' ? binary(target, index, json) : undefined;
    case ARRAY:
    case MAP:
      return list(target, index, json, depth);
    case RECORD:
      return record(target, index, json, depth);
    default: {
      for (const branch of type.branches) {
        const value = make(target, branch, json, depth + 1);
        if (value) return target.wrap(index, branch, value);
      }
      return undefined;
    }
  }
}

/** Numbers that JSON lacks, as Avro for Java writes them. */
const SPECIAL = new Map<unknown, number>([
  ['NaN', NaN],
  ['Infinity', Infinity],
  ['-Infinity', -Infinity],
]);

function fits(value: number, kind: number): boolean {
  return kind === INT ? value === (value | 0) : value >= -(2 ** 63) && value < 2 ** 63;
}

function constant({ assembler }: Target, value: op.Constant): Instruction {
  return [op.CONSTANT, -1, assembler.value(value), 0];
}

function integer(target: Target, index: number, value: number): Instruction {
  const type = target.schema.types[index]!;
  const logical = target.logical(type);
  if (logical === DATE) return constant(target, new Date(value * 86_400_000));
  if (logical === MILLIS || logical === MICROS || logical === NANOS) {
    return constant(target, new Date(instantMilliseconds(BigInt(value), logical)));
  }
  const { int64 = 'auto' } = target.options;
  if (type.kind === INT || int64 === 'number') return constant(target, value);
  if (int64 === 'string') return constant(target, BigInt(value).toString());
  return constant(target, int64 === 'bigint' || !Number.isSafeInteger(value) ? BigInt(value) : value);
}

/** Each character stands for the byte with its code. */
function binary(target: Target, index: number, text: string): Instruction | undefined {
  target.steps.take(text.length / 16);
  const type = target.schema.types[index]!;
  const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
  if (bytes.length !== text.length || (type.kind === FIXED && bytes.length !== type.size)) return undefined;
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 0xff) return undefined;
  switch (target.logical(type)) {
    case DECIMAL: {
      const decimal = decimalOf(bytes, 0, bytes.length, type.scale);
      if (!decimal) return undefined;
      const { unscaled, scale } = decimal;
      const isNumber = target.options.decimals === 'number';
      return constant(target, isNumber ? { float: decimalNumber(unscaled, scale) } : decimalText(unscaled, scale, target.steps));
    }
    case UUID:
      return constant(target, uuidText(bytes, 0));
    case DURATION: {
      const duration = target.durationRecord();
      const parts = durationParts(new DataView(bytes.buffer), 0).map((part, field) => withField(constant(target, part), field));
      target.assembler.body(duration, [...parts, [op.END_RECORD, -1, 0, 0]]);
      return [op.RECORD, -1, duration, 0];
    }
    default:
      return constant(target, bytes);
  }
}

function list(target: Target, index: number, json: unknown, depth: number): Instruction | undefined {
  const { kind, items } = target.schema.types[index]!;
  if (typeof json !== 'object' || json === null || Array.isArray(json) !== (kind === ARRAY)) return undefined;
  const { assembler } = target;
  const content: Instruction[] = [];
  for (const [key, value] of Object.entries(json)) {
    if (kind === MAP) content.push([op.CONSTANT_KEY, -1, assembler.value(key), 0]);
    const instruction = make(target, items, value, depth + 1);
    if (!instruction) return undefined;
    content.push(instruction);
  }
  const isMap = kind === MAP ? 1 : 0;
  // A record without keys holds the list's instructions.
  const body = assembler.record([], content.length);
  const record = kind === ARRAY && content.length === 0 ? recordOfItems(target, items) : -1;
  assembler.body(body, [...content, [op.END_CONSTANT, -1, isMap, record + 1]]);
  assembler.addFree(body, content.length);
  return [op.CONSTANT_LIST, -1, body, isMap];
}

/** The record of a list's items by their type, for a list without items: −1 if they have none. */
function recordOfItems(target: Target, items: number): number {
  const { types } = target.schema;
  const records = (types[items]!.kind === UNION ? types[items]!.branches : [items]).filter((branch) => types[branch]!.kind === RECORD);
  const [branch] = records;
  if (branch === undefined || records.length > 1) return -1;
  const { fields } = types[branch]!;
  const record = target.assembler.record(
    fields.map(({ name }) => name),
    fields.length,
  );
  const item: Instruction = [op.RECORD, -1, record, 0];
  // The values of a union may be wrapped.
  return branch === items || target.wrap(items, branch, item) === item ? record : -1;
}

/** A default may omit fields that have defaults. */
function record(target: Target, index: number, json: unknown, depth: number): Instruction | undefined {
  const { fields } = target.schema.types[index]!;
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return undefined;
  const { assembler } = target;
  const values: Instruction[] = [];
  for (const [place, field] of fields.entries()) {
    const given = Object.hasOwn(json, field.name);
    if (!given && !('default' in field)) return undefined;
    const instruction = make(target, field.type, given ? (json as Record<string, unknown>)[field.name] : field.default, depth + 1);
    if (!instruction) return undefined;
    values.push(withField(instruction, place));
  }
  const recordIndex = assembler.record(
    fields.map((field) => field.name),
    values.length,
  );
  assembler.body(recordIndex, [...values, [op.END_RECORD, -1, 0, 0]]);
  return [op.RECORD, -1, recordIndex, 0];
}
