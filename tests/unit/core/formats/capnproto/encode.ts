import * as $ from 'capnp-es';
import * as t from '../../../../../core/formats/capnproto/schema/schema.ts';
import type { FieldSchema } from '../../../../../core/formats/capnproto/schema/schema.ts';
import { active, type Model, type Value } from './random.ts';

type StructClass = Parameters<typeof $.CompositeList<$.Struct>>[0];

const LISTS: Record<number, unknown> = {
  [t.VOID]: $.VoidList,
  [t.BOOL]: $.BoolList,
  [t.INT8]: $.Int8List,
  [t.INT16]: $.Int16List,
  [t.INT32]: $.Int32List,
  [t.INT64]: $.Int64List,
  [t.UINT8]: $.Uint8List,
  [t.UINT16]: $.Uint16List,
  [t.UINT32]: $.Uint32List,
  [t.UINT64]: $.Uint64List,
  [t.FLOAT32]: $.Float32List,
  [t.FLOAT64]: $.Float64List,
  [t.TEXT]: $.TextList,
  [t.ENUM]: $.Uint16List,
  [t.DATA]: $.DataList,
};

/** Encodes a value with the reference library's builder, following a compiled schema. */
export function encode(model: Model, value: Value, packed = false): Uint8Array<ArrayBuffer> {
  const encoder = new Encoder(model);
  const message = new $.Message();
  encoder.write(message.initRoot(encoder.classOf(model.schema.root)), model.schema.root, value);
  return new Uint8Array(packed ? message.toPackedArrayBuffer() : message.toArrayBuffer());
}

class Encoder {
  readonly #model: Model;
  readonly #classes = new Map<number, StructClass>();

  constructor(model: Model) {
    this.#model = model;
  }

  classOf(struct: number): StructClass {
    const known = this.#classes.get(struct);
    if (known) return known;
    const { dataBytes, pointers } = this.#model.sizes[struct]!;
    const made = class extends $.Struct {
      static override readonly _capnp = { displayName: 'S', id: '0', size: new $.ObjectSize(dataBytes, pointers) };
    } as unknown as StructClass;
    this.#classes.set(struct, made);
    return made;
  }

  write(target: $.Struct, struct: number, value: Value): void {
    const { schema } = this.#model;
    const { fields, discriminantOffset } = schema.structs[struct]!;
    const member = active.get(value);
    if (member) $.utils.setUint16(discriminantOffset * 2, member.discriminant, target);
    for (const field of fields) {
      if (Object.hasOwn(value, field.name)) this.#field(target, field, value[field.name]);
    }
  }

  #field(target: $.Struct, field: FieldSchema, value: unknown): void {
    const { schema } = this.#model;
    const { offset, low, high } = field;
    const { type, ref } = schema.types[field.type]!;
    const mask = new DataView(new ArrayBuffer(8));
    mask.setInt32(0, type === t.BOOL ? low << (offset % 8) : low, true);
    mask.setInt32(4, high, true);
    const number = value as number;
    switch (type) {
      case t.VOID:
        return;
      case t.BOOL:
        return $.utils.setBit(offset, value as boolean, target, mask);
      case t.INT8:
        return $.utils.setInt8(offset, number, target, mask);
      case t.UINT8:
        return $.utils.setUint8(offset, number, target, mask);
      case t.INT16:
        return $.utils.setInt16(offset * 2, number, target, mask);
      case t.UINT16:
      case t.ENUM:
        return $.utils.setUint16(offset * 2, number, target, mask);
      case t.INT32:
        return $.utils.setInt32(offset * 4, number, target, mask);
      case t.UINT32:
        return $.utils.setUint32(offset * 4, number, target, mask);
      case t.FLOAT32:
        return $.utils.setFloat32(offset * 4, number, target, mask);
      case t.INT64:
        return $.utils.setInt64(offset * 8, BigInt(number), target, mask);
      case t.UINT64:
        return $.utils.setUint64(offset * 8, BigInt(number), target, mask);
      case t.FLOAT64:
        return $.utils.setFloat64(offset * 8, number, target, mask);
      case t.TEXT:
        return $.utils.setText(offset, value as string, target);
      case t.DATA:
        return setData($.utils.initData(offset, (value as Uint8Array).length, target), value as Uint8Array);
      case t.STRUCT:
        return this.write($.utils.initStructAt(offset, this.classOf(ref), target), ref, value as Value);
      case t.GROUP:
        return this.write(target, ref, value as Value);
      default:
        return this.#list(target, offset, ref, value as unknown[]);
    }
  }

  #list(target: $.Struct, offset: number, itemType: number, items: unknown[]): void {
    const { type, ref } = this.#model.schema.types[itemType]!;
    if (type === t.STRUCT) {
      const list = $.utils.initList(offset, $.CompositeList(this.classOf(ref)), items.length, target);
      for (const [index, item] of items.entries()) this.write(list.get(index), ref, item as Value);
      return;
    }
    const list = $.utils.initList(offset, LISTS[type] as typeof $.Uint8List, items.length, target) as unknown as {
      get(index: number): $.Data;
      set(index: number, value: unknown): void;
    };
    for (const [index, item] of items.entries()) {
      if (type === t.DATA) {
        // The list does not return a Data that has not been set yet.
        const bytes = item as Uint8Array;
        const message = new $.Message();
        const holder = message.initRoot(holderClass);
        setData($.utils.initData(0, bytes.length, holder), bytes);
        $.utils.copyFrom($.utils.getPointer(0, holder), list.get(index));
      } else if (type !== t.VOID) {
        list.set(index, type === t.INT64 || type === t.UINT64 ? BigInt(item as number) : item);
      }
    }
  }
}

const holderClass = class extends $.Struct {
  static override readonly _capnp = { displayName: 'Holder', id: '0', size: new $.ObjectSize(0, 1) };
} as unknown as StructClass;

function setData(data: $.Data, bytes: Uint8Array): void {
  if (bytes.length > 0) data.copyBuffer(bytes);
}
