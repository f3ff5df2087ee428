import jsbinary from '../../../worker/formats/jsbinary/index.ts';
import { Output, utf8 } from './output.ts';
import { bytesOf, fieldsOf, inferShape, isOptional, type Shape, Unfit, wholeOf } from './shape.ts';

type Literal = string | [Literal] | { [key: string]: Literal };

/**
 * A value in the encoding of js-binary (https://github.com/sitegui/js-binary/blob/master/format.md), by a type literal
 * made up for it. A place that holds several kinds is of the type json.
 */
export async function encodeJsBinary(value: unknown): Promise<{ bytes: Uint8Array; schema: unknown; value: unknown; literal: unknown }> {
  const { root } = inferShape(value);
  if (root.kinds.size === 0) throw new Unfit('null alone has no type');
  const literal = literalOf(root);
  const output = new Output();
  write(output, root, value);
  return { bytes: output.finish(), schema: await jsbinary.compileSchema!(literal), value, literal };
}

const SCALARS: Readonly<Record<string, string>> = { boolean: 'boolean', double: 'float', string: 'string', bytes: 'Buffer', date: 'date' };

/** Whether a place can only be text of JSON: it holds several kinds, or lists with null. */
function isJson(shape: Shape): boolean {
  return shape.kinds.size > 1 || (shape.items !== undefined && (shape.items.isNullable || shape.items.kinds.size === 0 || isJson(shape.items)));
}

function literalOf(shape: Shape): Literal {
  if (isJson(shape)) return 'json';
  const { kind } = shape;
  if (kind === 'integer') return shape.least < 0 ? 'int' : 'uint';
  if (kind === 'list') return [literalOf(shape.items!)];
  if (kind !== 'record') return SCALARS[kind!]!;
  const record = shape.record!;
  return Object.fromEntries(
    fieldsOf(record).map(([key, field]) => {
      if (key.endsWith('?')) throw new Unfit(`the key ${key} ends with the mark of an optional field`);
      return [isOptional(record, field) ? `${key}?` : key, literalOf(field)];
    }),
  );
}

function write(output: Output, shape: Shape, value: unknown): void {
  if (isJson(shape)) return writeBytes(output, utf8(JSON.stringify(value, (_, item: unknown) => (typeof item === 'bigint' ? Number(item) : item))));
  switch (shape.kind) {
    case 'boolean':
      return output.byte(value ? 1 : 0);
    case 'double':
      return output.double(Number(value), false);
    case 'string':
      return writeBytes(output, utf8(value));
    case 'bytes':
      return writeBytes(output, bytesOf(value));
    case 'date': {
      const time = wholeOf(value);
      if (time < 0n) throw new Unfit(`${shape.path} has a date before 1970`);
      return writeUint(output, time);
    }
    case 'integer':
      return shape.least < 0 ? writeInt(output, wholeOf(value)) : writeUint(output, wholeOf(value));
    case 'list':
      writeUint(output, BigInt((value as unknown[]).length));
      for (const item of value as unknown[]) write(output, shape.items!, item);
      return;
    default: {
      const record = shape.record!;
      for (const [key, field] of fieldsOf(record)) {
        const item = Object.hasOwn(value as object, key) ? (value as Record<string, unknown>)[key] : undefined;
        const isAbsent = item === null || item === undefined;
        if (isOptional(record, field)) output.byte(isAbsent ? 0 : 1);
        if (!isAbsent) write(output, field, item);
      }
    }
  }
}

/** In 1, 2, 4 or 8 bytes, big-endian; the first bits say in how many: 0, 10, 110 or 111. */
function writeUint(output: Output, value: bigint): void {
  if (value < 2n ** 7n) output.byte(Number(value));
  else if (value < 2n ** 14n) writeWords(output, 2, value | 0x8000n);
  else if (value < 2n ** 29n) writeWords(output, 4, value | 0xc000_0000n);
  else if (value < 2n ** 61n) writeWords(output, 8, value | (7n << 61n));
  else throw new Unfit('an integer of more than 61 bits');
}

/** The same, of two's complement. */
function writeInt(output: Output, value: bigint): void {
  const fits = (bits: number): boolean => BigInt.asIntN(bits, value) === value;
  if (fits(7)) output.byte(Number(BigInt.asUintN(7, value)));
  else if (fits(14)) writeWords(output, 2, BigInt.asUintN(14, value) | 0x8000n);
  else if (fits(29)) writeWords(output, 4, BigInt.asUintN(29, value) | 0xc000_0000n);
  else if (fits(61)) writeWords(output, 8, BigInt.asUintN(61, value) | (7n << 61n));
  else throw new Unfit('an integer of more than 61 bits');
}

function writeWords(output: Output, size: number, value: bigint): void {
  for (let shift = size - 1; shift >= 0; shift -= 1) output.byte(Number((value >> BigInt(shift * 8)) & 0xffn));
}

function writeBytes(output: Output, bytes: Uint8Array): void {
  writeUint(output, BigInt(bytes.length));
  output.all(bytes);
}
