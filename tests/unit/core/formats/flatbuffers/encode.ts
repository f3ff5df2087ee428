import { Builder } from 'flatbuffers';
import * as t from '../../../../../core/formats/flatbuffers/schema/schema.ts';
import type { FieldSchema, FlatBuffersSchema, ObjectSchema } from '../../../../../core/formats/flatbuffers/schema/schema.ts';

export type Value = Record<string, unknown>;

/** The bytes of a nested buffer with a given value. */
export class NestedBuffer {
  readonly value: Value;

  constructor(value: Value) {
    this.value = value;
  }
}

export interface EncodeSetting {
  /** Writes fields equal to their default. */
  forceDefaults?: boolean;
  identifier?: string;
  sizePrefixed?: boolean;
  /** Writes equal strings once. */
  shared?: boolean;
}

/** Encodes a value with the reference library's Builder, following a compiled schema. */
export function encode(schema: FlatBuffersSchema, value: Value, setting: EncodeSetting = {}, root = schema.root): Uint8Array<ArrayBuffer> {
  const builder = new Builder(64);
  builder.forceDefaults(setting.forceDefaults ?? false);
  const offset = new Encoder(schema, builder, setting).table(schema.objects[root]!, value);
  if (setting.sizePrefixed) builder.finishSizePrefixed(offset, setting.identifier);
  else builder.finish(offset, setting.identifier);
  return Uint8Array.from(builder.asUint8Array());
}

class Encoder {
  readonly schema: FlatBuffersSchema;
  readonly builder: Builder;
  readonly setting: EncodeSetting;

  constructor(schema: FlatBuffersSchema, builder: Builder, setting: EncodeSetting) {
    this.schema = schema;
    this.builder = builder;
    this.setting = setting;
  }

  table({ fields }: ObjectSchema, value: Value): number {
    const { builder } = this;
    const offsets = fields.map((field) => (Object.hasOwn(value, field.name) ? this.#outside(field, value[field.name], value) : 0));
    builder.startObject((fields.at(-1)?.id ?? -1) + 1);
    for (const [index, field] of fields.entries()) {
      const { id, type, ref, name } = field;
      if (!Object.hasOwn(value, name)) continue;
      const item = value[name];
      if (type === t.OBJ && this.schema.objects[ref]!.struct) {
        this.#struct(this.schema.objects[ref]!, item as Value);
        builder.addFieldStruct(id, builder.offset(), 0);
      } else if (t.isScalar(type)) {
        this.#field(field, item);
      } else {
        builder.addFieldOffset(id, offsets[index]!, 0);
      }
    }
    return builder.endObject();
  }

  #field({ id, type, default: fallback, optional }: FieldSchema, value: unknown): void {
    const { builder } = this;
    const or = optional ? null : fallback;
    const number = value as number;
    switch (type) {
      case t.BOOL:
        return builder.addFieldInt8(id, Number(value), or as number | null);
      case t.UTYPE:
      case t.BYTE:
      case t.UBYTE:
        return builder.addFieldInt8(id, number, or as number | null);
      case t.SHORT:
      case t.USHORT:
        return builder.addFieldInt16(id, number, or as number | null);
      case t.INT:
      case t.UINT:
        return builder.addFieldInt32(id, number, or as number | null);
      case t.LONG:
      case t.ULONG:
        return builder.addFieldInt64(id, BigInt(value as bigint), or === null ? null : BigInt(or));
      case t.FLOAT:
        return builder.addFieldFloat32(id, number, or as number | null);
      default:
        return builder.addFieldFloat64(id, number, or as number | null);
    }
  }

  /** Writes the values a table refers to, before the table. */
  #outside(field: FieldSchema, value: unknown, around: Value): number {
    const { type, element, ref, name } = field;
    const { builder, schema } = this;
    if (type === t.STRING) return this.#string(value as string);
    if (type === t.OBJ && !schema.objects[ref]!.struct) return this.table(schema.objects[ref]!, value as Value);
    if (type === t.UNION) return this.#member(ref, around[`${name}_type`] as number, value);
    if (type !== t.VECTOR) return 0;
    if (value instanceof NestedBuffer) {
      return builder.createByteVector(encode(schema, value.value, { forceDefaults: this.setting.forceDefaults ?? false }, field.nested));
    }
    const list = value as unknown[];
    if (element === t.OBJ && schema.objects[ref]!.struct) {
      const struct = schema.objects[ref]!;
      builder.startVector(struct.size, list.length, alignment(schema, struct));
      for (const item of list.toReversed()) this.#struct(struct, item as Value);
      return builder.endVector();
    }
    if (t.isScalar(element)) {
      builder.startVector(t.SIZE[element]!, list.length, t.SIZE[element]!);
      for (const item of list.toReversed()) this.#scalar(element, item);
      return builder.endVector();
    }
    const offsets = list.map((item, index) => {
      if (element === t.STRING) return this.#string(item as string);
      if (element === t.OBJ) return this.table(schema.objects[ref]!, item as Value);
      return this.#member(ref, (around[`${name}_type`] as number[])[index]!, item);
    });
    builder.startVector(4, list.length, 4);
    for (const offset of offsets.toReversed()) builder.addOffset(offset);
    return builder.endVector();
  }

  #string(value: string): number {
    // The library writes no shared form of the empty string.
    return this.setting.shared && value !== '' ? this.builder.createSharedString(value) : this.builder.createString(value);
  }

  #member(union: number, type: number, value: unknown): number {
    const { values, types, refs } = this.schema.enums[union]!;
    const at = values.indexOf(BigInt(type));
    if (type === 0) return 0;
    if (types[at] === t.STRING) return this.#string(value as string);
    const object = this.schema.objects[refs[at]!]!;
    if (!object.struct) return this.table(object, value as Value);
    this.#struct(object, value as Value);
    return this.builder.offset();
  }

  /** A struct is written from its end, including padding. */
  #struct(object: ObjectSchema, value: Value): void {
    this.builder.prep(alignment(this.schema, object), object.size);
    this.#structFields(object, value);
  }

  #structFields(object: ObjectSchema, value: Value): void {
    const { builder, schema } = this;
    let end = object.size;
    for (const { name, type, element, ref, length, offset } of object.fields.toReversed()) {
      const item = type === t.ARRAY ? element : type;
      const size = item === t.OBJ ? schema.objects[ref]!.size : t.SIZE[item]!;
      const count = type === t.ARRAY ? length : 1;
      builder.pad(end - offset - size * count);
      end = offset;
      const list = type === t.ARRAY ? (value[name] as unknown[]) : [value[name]];
      for (const inner of list.toReversed()) {
        if (item === t.OBJ) this.#structFields(schema.objects[ref]!, inner as Value);
        else this.#scalar(item, inner);
      }
    }
    builder.pad(end);
  }

  #scalar(type: number, value: unknown): void {
    const { builder } = this;
    switch (t.SIZE[type]) {
      case 1:
        return builder.addInt8(Number(value));
      case 2:
        return builder.addInt16(value as number);
      case 4:
        return type === t.FLOAT ? builder.addFloat32(value as number) : builder.addInt32(value as number);
      default:
        return type === t.DOUBLE ? builder.addFloat64(value as number) : builder.addInt64(BigInt(value as bigint));
    }
  }
}

function alignment(schema: FlatBuffersSchema, object: ObjectSchema): number {
  return Math.max(
    1,
    ...object.fields.map(({ type, element, ref }) => {
      const item = type === t.ARRAY ? element : type;
      return item === t.OBJ ? alignment(schema, schema.objects[ref]!) : t.SIZE[item]!;
    }),
  );
}
