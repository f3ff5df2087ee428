import { SchemaError } from '../../../errors.ts';
import type { Names } from './capnp-names.ts';
import type { Argument, Declaration, Expression, Fail } from './capnp-parser.ts';
import type { TextStruct } from './capnp-structs.ts';
import { type Linker, UNBOUND } from './linker.ts';
import * as t from './schema.ts';
import type { FieldSchema } from './schema.ts';

/** Limit on the bytes of all defaults, since a constant may be used by others many times. */
const MAX_BYTES = 16_000_000;
/** Depth of constants that name others. */
const MAX_DEPTH = 50;

/** A value as written, of a known type. */
type Value =
  | { readonly is: 'void' }
  | { readonly is: 'bool'; readonly value: boolean }
  | { readonly is: 'integer'; readonly value: bigint }
  | { readonly is: 'float'; readonly value: number }
  | { readonly is: 'text' | 'data'; readonly bytes: Uint8Array }
  /** Values of enums, lists and structs: `type` is the index of their type. */
  | { readonly is: 'enum'; readonly type: number; readonly value: number }
  | { readonly is: 'list'; readonly type: number; readonly items: readonly Value[] }
  | { readonly is: 'struct'; readonly type: number; readonly fields: readonly FieldValue[] }
  /** The value of a group: `struct` is the index of its struct. */
  | { readonly is: 'group'; readonly struct: number; readonly fields: readonly FieldValue[] };

interface FieldValue {
  readonly field: FieldSchema;
  readonly value: Value;
}

const NAMES = 'Void Bool Int8 Int16 Int32 Int64 UInt8 UInt16 UInt32 UInt64 Float32 Float64 Text Data List'.split(' ');

/** Range of each integer type. */
const rangeOf = (type: number): readonly [bigint, bigint] | undefined => {
  const bits = BigInt(t.BITS[type] ?? 0);
  if (type >= t.INT8 && type <= t.INT64) return [-(1n << (bits - 1n)), (1n << (bits - 1n)) - 1n];
  return type >= t.UINT8 && type <= t.UINT64 ? [0n, (1n << bits) - 1n] : undefined;
};

/** The defaults of a linked schema: writes those of pointers as a message, like the request that the reference compiler makes. */
export class Defaults {
  readonly #linker: Linker;
  readonly #names: Names;
  readonly #constants = new Map<Declaration, Value>();
  readonly #open = new Set<Declaration>();
  readonly #out = new MessageBuilder();

  constructor(linker: Linker, names: Names) {
    this.#linker = linker;
    this.#names = names;
  }

  /** Sets the defaults of all fields. Returns the message with the defaults of pointers; without bytes if no pointer has one. */
  write(): Uint8Array {
    const { types } = this.#linker;
    const found = this.#linker.structs.flatMap(({ fields }, index) => {
      const source = this.#linker.sources[index] as TextStruct;
      return source.fields().flatMap(({ value }, at) => (value ? [{ field: fields[at]!, value, scope: source.declaration }] : []));
    });
    const isPointer = ({ field }: { field: FieldSchema }): boolean => t.isPointer(types[field.type]!.type);
    // Scalars first: structs in defaults are stored as the difference from them.
    for (const { field, value, scope } of found.filter((each) => !isPointer(each)))
      Object.assign(field, this.#bits(this.#evaluate(value, field.type, scope), field.type));
    const pointers = found.filter(isPointer);
    for (const { field, value, scope } of pointers) {
      if (types[field.type]!.type === t.ANY_POINTER) value.fail('an untyped field has no default');
      field.at = this.#out.take(1);
      field.segment = 0;
      this.#pointer(this.#evaluate(value, field.type, scope), field.type, field.at);
    }
    return pointers.length > 0 ? this.#out.finish() : new Uint8Array(0);
  }

  /** The value of an expression where a type is expected. */
  #evaluate(expression: Expression, type: number, scope: Declaration): Value {
    const value = this.#read(expression, type, scope);
    if (this.#fits(value, type, expression.fail)) return value;
    // A struct may be given by its first field.
    const { type: kind, ref } = this.#linker.types[type]!;
    const first = kind === t.STRUCT ? this.#first(ref) : undefined;
    if (first && this.#fits(value, first.type, expression.fail)) return { is: 'struct', type, fields: [{ field: first, value }] };
    return expression.fail(`expected ${this.#nameOf(type)}`);
  }

  #read(expression: Expression, type: number, scope: Declaration): Value {
    const { types, enums } = this.#linker;
    const { type: kind, ref } = types[type]!;
    switch (expression.kind) {
      case 'integer':
        return { is: 'integer', value: expression.value };
      case 'float':
        return { is: 'float', value: expression.value };
      case 'text':
        return { is: kind === t.DATA ? 'data' : 'text', bytes: expression.bytes };
      case 'data':
        return { is: 'data', bytes: expression.bytes };
      case 'list':
        if (kind !== t.LIST) return expression.fail(`expected ${this.#nameOf(type)}`);
        return { is: 'list', type, items: expression.items.map((item) => this.#evaluate(item, ref, scope)) };
      case 'tuple':
        if (kind !== t.STRUCT) return expression.fail(`expected ${this.#nameOf(type)}`);
        return { is: 'struct', type, fields: this.#fields(expression.items, ref, scope) };
      case 'embed':
        return expression.fail('a default cannot be that of an embedded file');
      case 'name': {
        const { name, isAbsolute } = expression;
        if (isAbsolute) break;
        if (kind === t.ENUM) {
          const value = enums[ref]!.names.indexOf(name);
          if (value >= 0) return { is: 'enum', type, value };
        } else if (name === 'void') return { is: 'void' };
        else if (name === 'true' || name === 'false') return { is: 'bool', value: name === 'true' };
        else if (name === 'inf' || name === 'nan') return { is: 'float', value: name === 'inf' ? Infinity : NaN };
        return expression.fail(
          `${name.slice(0, 100)} is not a value of ${this.#nameOf(type)}: a constant is named with its scope, such as .${name.slice(0, 100)}`,
        );
      }
      default:
    }
    return this.#constant(this.#names.constant(expression, scope), expression.fail);
  }

  #constant(declaration: Declaration, fail: Fail): Value {
    const known = this.#constants.get(declaration);
    if (known) return known;
    const open = this.#open;
    if (open.has(declaration) || open.size >= MAX_DEPTH)
      fail(`the constant ${declaration.name} is defined by itself, or by more than ${MAX_DEPTH} others`);
    open.add(declaration);
    const scope = declaration.parent!;
    const value = this.#evaluate(declaration.value!, this.#linker.typeOf(this.#names.type(declaration.type!, scope), UNBOUND), scope);
    open.delete(declaration);
    this.#constants.set(declaration, value);
    return value;
  }

  #fields(items: readonly Argument[], struct: number, scope: Declaration): FieldValue[] {
    return items.map(({ name, value }) => {
      if (name === undefined) return value.fail('a field has its name before its value, name = value');
      const { name: owner, fields } = this.#linker.structs[struct]!;
      const field = fields.find((each) => each.name === name) ?? value.fail(`${owner} has no field ${name.slice(0, 100)}`);
      const { type, ref } = this.#linker.types[field.type]!;
      if (type !== t.GROUP) return { field, value: this.#evaluate(value, field.type, scope) };
      if (value.kind === 'tuple') return { field, value: { is: 'group', struct: ref, fields: this.#fields(value.items, ref, scope) } };
      // A group may be given by its first field, too.
      const first = this.#first(ref)!;
      return { field, value: { is: 'group', struct: ref, fields: [{ field: first, value: this.#evaluate(value, first.type, scope) }] } };
    });
  }

  #first(struct: number): FieldSchema | undefined {
    return this.#linker.structs[struct]!.fields[(this.#linker.sources[struct] as TextStruct).first];
  }

  /** True if a value has a type. Fails if it is an integer beyond the type's range. */
  #fits(value: Value, type: number, fail: Fail): boolean {
    const { type: kind } = this.#linker.types[type]!;
    switch (value.is) {
      case 'void':
        return kind === t.VOID;
      case 'bool':
        return kind === t.BOOL;
      case 'integer': {
        const range = kind === t.FLOAT32 || kind === t.FLOAT64 ? ([-(1n << 63n), (1n << 64n) - 1n] as const) : rangeOf(kind);
        if (range && (value.value < range[0] || value.value > range[1]))
          fail(`the value ${value.value} is out of the range of ${this.#nameOf(type)}`);
        return range !== undefined;
      }
      case 'float':
        return kind === t.FLOAT32 || kind === t.FLOAT64;
      case 'text':
        return kind === t.TEXT;
      case 'data':
        return kind === t.DATA;
      case 'group':
        return false;
      default:
        return value.type === type;
    }
  }

  #nameOf(type: number): string {
    const { structs, enums, types } = this.#linker;
    const { type: kind, ref } = types[type]!;
    if (kind === t.LIST) return `List(${this.#nameOf(ref)})`;
    return kind === t.STRUCT || kind === t.GROUP ? structs[ref]!.name : kind === t.ENUM ? enums[ref]!.name : (NAMES[kind] ?? 'no value');
  }

  /** Bits of a scalar, low and high. */
  #bits(value: Value, type: number): { low: number; high: number } {
    const view = new DataView(new ArrayBuffer(8));
    const { type: kind } = this.#linker.types[type]!;
    if (value.is === 'bool') view.setUint8(0, Number(value.value));
    else if (value.is === 'enum') view.setUint16(0, value.value, true);
    else if (value.is === 'float' || value.is === 'integer') {
      if (kind === t.FLOAT32) view.setFloat32(0, Number(value.value), true);
      else if (kind === t.FLOAT64) view.setFloat64(0, Number(value.value), true);
      else view.setBigUint64(0, BigInt.asUintN(t.BITS[kind]!, BigInt(value.value)), true);
    }
    return { low: view.getInt32(0, true), high: view.getInt32(4, true) };
  }

  /** Writes what the pointer at `at` points to. */
  #pointer(value: Value, type: number, at: number): void {
    const out = this.#out;
    const { types } = this.#linker;
    if (value.is === 'text' || value.is === 'data') {
      const count = value.bytes.length + (value.is === 'text' ? 1 : 0);
      const start = out.take(Math.ceil(count / 8));
      out.setPointer(at, start, 1, 2 + 8 * count);
      out.bytes.set(value.bytes, start);
    } else if (value.is === 'struct') {
      const { ref } = types[type]!;
      const { dataWords, pointers } = this.#linker.sources[ref] as TextStruct;
      const start = out.take(dataWords + pointers);
      // A struct without content lies before its pointer, which would be null otherwise.
      out.setPointer(at, dataWords + pointers === 0 ? at : start, 0, dataWords + 0x1_0000 * pointers);
      this.#struct(value.fields, ref, start, start + 8 * dataWords);
    } else if (value.is === 'list') this.#list(value.items, types[type]!.ref, at);
  }

  #list(items: readonly Value[], type: number, at: number): void {
    const out = this.#out;
    const { type: kind, ref } = this.#linker.types[type]!;
    const count = items.length;
    if (kind === t.STRUCT) {
      const { dataWords, pointers } = this.#linker.sources[ref] as TextStruct;
      const words = dataWords + pointers;
      const start = out.take(1 + words * count);
      out.setPointer(at, start, 1, 7 + 8 * words * count);
      out.view.setInt32(start, count * 4, true);
      out.view.setUint32(start + 4, dataWords + 0x1_0000 * pointers, true);
      for (const [index, item] of items.entries()) {
        const from = start + 8 + 8 * words * index;
        if (item.is === 'struct') this.#struct(item.fields, ref, from, from + 8 * dataWords);
      }
      return;
    }
    const bits = t.isPointer(kind) ? 64 : t.BITS[kind]!;
    const start = out.take(Math.ceil((bits * count) / 64));
    out.setPointer(at, start, 1, (t.isPointer(kind) ? 6 : SIZES[bits]!) + 8 * count);
    for (const [index, item] of items.entries()) {
      if (t.isPointer(kind)) this.#pointer(item, type, start + 8 * index);
      else this.#scalar(item, type, start, index, 0, 0);
    }
  }

  /** Writes the fields of a struct, or of a group in one. */
  #struct(fields: readonly FieldValue[], struct: number, data: number, pointers: number): void {
    const { union, discriminantOffset } = this.#linker.structs[struct]!;
    for (const { field, value } of fields) {
      const { type, offset, discriminant, low, high } = field;
      if (union && discriminant !== t.NO_UNION) this.#out.view.setUint16(data + 2 * discriminantOffset, discriminant, true);
      if (value.is === 'group') this.#struct(value.fields, value.struct, data, pointers);
      else if (t.isPointer(this.#linker.types[type]!.type)) this.#pointer(value, type, pointers + 8 * offset);
      else this.#scalar(value, type, data, offset, low, high);
    }
  }

  /** Writes a scalar, `offset` times its size after `start`, as the difference from a default. */
  #scalar(value: Value, type: number, start: number, offset: number, low: number, high: number): void {
    const { view } = this.#out;
    const bits = this.#bits(value, type);
    const size = t.BITS[this.#linker.types[type]!.type]!;
    const at = start + (size * offset) / 8;
    const difference = bits.low ^ low;
    if (size === 1) {
      const byte = Math.floor(at);
      const mask = 1 << (offset % 8);
      view.setUint8(byte, (difference & 1) === 1 ? view.getUint8(byte) | mask : view.getUint8(byte) & ~mask);
    } else if (size === 8) view.setUint8(at, difference);
    else if (size === 16) view.setUint16(at, difference, true);
    else if (size >= 32) view.setInt32(at, difference, true);
    if (size === 64) view.setInt32(at + 4, bits.high ^ high, true);
  }
}

/** Size of a list's items in its pointer, by their bits. */
const SIZES: Readonly<Record<number, number>> = { 0: 0, 1: 1, 8: 2, 16: 3, 32: 4, 64: 5 };

/** A message of one segment, whose root is null, after the table of segments. */
class MessageBuilder {
  bytes: Uint8Array<ArrayBuffer> = new Uint8Array(1024);
  view: DataView = new DataView(this.bytes.buffer);
  #end = 16;

  /** Takes words that are zero, and returns their position. */
  take(words: number): number {
    const start = this.#end;
    this.#end += 8 * words;
    if (this.#end > MAX_BYTES) throw new SchemaError(`the defaults have more than ${MAX_BYTES} bytes`);
    if (this.#end > this.bytes.length) {
      const larger = new Uint8Array(Math.max(this.#end, 2 * this.bytes.length));
      larger.set(this.bytes);
      this.bytes = larger;
      this.view = new DataView(larger.buffer);
    }
    return start;
  }

  /** Writes a pointer of a kind to a position. */
  setPointer(at: number, to: number, kind: number, high: number): void {
    this.view.setInt32(at, ((to - at - 8) / 8) * 4 + kind, true);
    this.view.setUint32(at + 4, high, true);
  }

  finish(): Uint8Array<ArrayBuffer> {
    this.view.setUint32(4, (this.#end - 8) / 8, true);
    return this.bytes.slice(0, this.#end);
  }
}
