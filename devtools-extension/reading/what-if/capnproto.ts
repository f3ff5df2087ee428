import * as t from '../../../worker/formats/capnproto/schema.ts';
import type { CapnProtoSchema, FieldSchema } from '../../../worker/formats/capnproto/schema.ts';
import { Output, utf8 } from './output.ts';
import { asRecord, bytesOf, fieldsOf, inferShape, itemsOf, type RecordShape, type Shape, wholeOf } from './shape.ts';

/** How a struct lies. */
interface Layout {
  /** Words of the data section. */
  words: number;
  pointers: number;
  fields: FieldSchema[];
}

/** Sizes of a list's items (https://capnproto.org/encoding.html#lists). */
const BIT = 1;
const BYTE = 2;
const WORDS_32 = 4;
const WORDS_64 = 5;
const POINTER = 6;
const COMPOSITE = 7;

/**
 * A value as a Cap'n Proto message of one segment (https://capnproto.org/encoding.html), by a schema made up for it: a
 * struct for the records at each place. A number has no null: it is 0 where a record lacks it.
 */
export function encodeCapnProto(value: unknown): { bytes: Uint8Array; schema: CapnProtoSchema; value: unknown } {
  const root = asRecord(value);
  const { records } = inferShape(root);
  const schema: CapnProtoSchema = { root: 0, types: [], structs: [], enums: [], request: new Uint8Array(0) };
  const layouts = records.map((record) => layOut(record, schema));
  schema.structs = layouts.map(({ fields }, index) => ({ name: `Record${index}`, fields, union: false, discriminantOffset: 0 }));
  return { bytes: new Writer(layouts).message(records[0]!, root), schema, value: root };
}

function layOut(record: RecordShape, schema: CapnProtoSchema): Layout {
  const fields = fieldsOf(record).map(([name, shape]): FieldSchema => ({
    name,
    type: typeOf(shape, schema),
    offset: 0,
    discriminant: t.NO_UNION,
    low: 0,
    high: 0,
    at: -1,
    segment: -1,
  }));
  const bitsOf = (field: FieldSchema): number => t.BITS[schema.types[field.type]!.type]!;
  let bits = 0;
  let pointers = 0;
  // The largest first, so that nothing is padded.
  for (const field of fields.toSorted((a, b) => bitsOf(b) - bitsOf(a))) {
    const size = bitsOf(field);
    if (size === 0) field.offset = pointers++;
    else field.offset = bits / size;
    bits += size;
  }
  return { words: Math.ceil(bits / 64), pointers, fields };
}

function typeOf(shape: Shape | undefined, schema: CapnProtoSchema): number {
  const add = (type: number, ref = -1): number => {
    const known = schema.types.findIndex((item) => item.type === type && item.ref === ref);
    return known >= 0 ? known : schema.types.push({ type, ref }) - 1;
  };
  switch (shape?.kind) {
    case 'integer':
      return add(shape.isSmall ? t.INT32 : t.INT64);
    case 'date':
      return add(t.INT64);
    case 'double':
      return add(t.FLOAT64);
    case 'string':
      return add(t.TEXT);
    case 'bytes':
      return add(t.DATA);
    case 'list':
      return add(t.LIST, typeOf(itemsOf(shape), schema));
    case 'record':
      return add(t.STRUCT, shape.record!.index);
    default:
      return add(t.BOOL);
  }
}

/** Writes each value behind all that was written before, and the pointer to it. */
class Writer {
  readonly #output = new Output();
  readonly #layouts: readonly Layout[];

  constructor(layouts: readonly Layout[]) {
    this.#layouts = layouts;
  }

  /** u32 segments − 1 | u32 words of the segment | the root's pointer | … */
  message(record: RecordShape, value: Record<string, unknown>): Uint8Array {
    const output = this.#output;
    output.take(16);
    this.#struct(8, record, value);
    output.view.setUint32(4, output.length / 8 - 1, true);
    return output.finish();
  }

  #words(count: number): number {
    return this.#output.take(count * 8);
  }

  /** 2 bits kind | 30 bits words from the pointer's end to the target | 32 bits that depend on the kind */
  #pointer(at: number, kind: number, target: number, high: number): void {
    const { view } = this.#output;
    view.setInt32(at, (((target - at - 8) / 8) << 2) | kind, true);
    view.setUint32(at + 4, high >>> 0, true);
  }

  #struct(at: number, record: RecordShape, value: Record<string, unknown>): void {
    const { words, pointers } = this.#layouts[record.index]!;
    // A struct without fields would look like a null pointer: its own place, one word back, tells it from one.
    if (words + pointers === 0) return this.#pointer(at, 0, at, 0);
    const target = this.#words(words + pointers);
    this.#pointer(at, 0, target, words | (pointers << 16));
    this.#fields(target, record, value);
  }

  #fields(target: number, record: RecordShape, value: Record<string, unknown>): void {
    const { words, fields } = this.#layouts[record.index]!;
    for (const { name, offset } of fields) {
      const item = Object.hasOwn(value, name) ? value[name] : undefined;
      if (item === null || item === undefined) continue;
      const shape = record.fields.get(name)!;
      const { view } = this.#output;
      switch (shape.kind) {
        case 'boolean':
          if (item) view.setUint8(target + (offset >> 3), view.getUint8(target + (offset >> 3)) | (1 << (offset & 7)));
          break;
        case 'integer':
        case 'date':
          if (shape.kind === 'integer' && shape.isSmall) view.setInt32(target + offset * 4, Number(item), true);
          else view.setBigInt64(target + offset * 8, wholeOf(item), true);
          break;
        case 'double':
          view.setFloat64(target + offset * 8, Number(item), true);
          break;
        default:
          this.#value(target + words * 8 + offset * 8, shape, item);
      }
    }
  }

  /** What a pointer is to. */
  #value(at: number, shape: Shape, value: unknown): void {
    switch (shape.kind) {
      case 'string':
        return this.#bytes(at, utf8(value), 1);
      case 'bytes':
        return this.#bytes(at, bytesOf(value), 0);
      case 'record':
        return this.#struct(at, shape.record!, value as Record<string, unknown>);
      default:
        return this.#list(at, itemsOf(shape), value as unknown[]);
    }
  }

  /** A text has a zero behind it. */
  #bytes(at: number, bytes: Uint8Array, zeros: number): void {
    const count = bytes.length + zeros;
    const target = this.#words(Math.ceil(count / 8));
    this.#pointer(at, 1, target, (count << 3) | BYTE);
    this.#output.bytes.set(bytes, target);
  }

  #list(at: number, shape: Shape | undefined, items: readonly unknown[]): void {
    const count = items.length;
    switch (shape?.kind) {
      case undefined:
      case 'boolean': {
        const target = this.#words(Math.ceil(count / 64));
        this.#pointer(at, 1, target, (count << 3) | BIT);
        for (const [index, item] of items.entries()) if (item) this.#output.bytes[target + (index >> 3)]! |= 1 << (index & 7);
        return;
      }
      case 'integer':
      case 'date':
      case 'double': {
        const isSmall = shape.kind === 'integer' && shape.isSmall;
        const target = this.#words(isSmall ? Math.ceil(count / 2) : count);
        this.#pointer(at, 1, target, (count << 3) | (isSmall ? WORDS_32 : WORDS_64));
        const { view } = this.#output;
        for (const [index, item] of items.entries()) {
          if (isSmall) view.setInt32(target + index * 4, Number(item), true);
          else if (shape.kind === 'double') view.setFloat64(target + index * 8, Number(item), true);
          else view.setBigInt64(target + index * 8, wholeOf(item), true);
        }
        return;
      }
      case 'record':
        return this.#structs(at, shape.record!, items as Record<string, unknown>[]);
      default: {
        const target = this.#words(count);
        this.#pointer(at, 1, target, (count << 3) | POINTER);
        for (const [index, item] of items.entries()) this.#value(target + index * 8, shape!, item);
      }
    }
  }

  /** A word with how many there are and how large each is, then the structs. */
  #structs(at: number, record: RecordShape, items: readonly Record<string, unknown>[]): void {
    const { words, pointers } = this.#layouts[record.index]!;
    const size = words + pointers;
    const target = this.#words(1 + items.length * size);
    this.#pointer(at, 1, target, ((items.length * size) << 3) | COMPOSITE);
    this.#output.view.setUint32(target, items.length << 2, true);
    this.#output.view.setUint32(target + 4, words | (pointers << 16), true);
    for (const [index, item] of items.entries()) this.#fields(target + 8 + index * size * 8, record, item);
  }
}
