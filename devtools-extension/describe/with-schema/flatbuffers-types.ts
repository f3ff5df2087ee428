import * as t from '../../../core/formats/flatbuffers/schema/schema.ts';
import type { FieldSchema, FlatBuffersSchema, ObjectSchema } from '../../../core/formats/flatbuffers/schema/schema.ts';
import type { SpanTree } from '../../../core/sinks/spans/tree.ts';
import { Declared, UNDECLARED } from '../terms/declared.ts';

/** Meaning of an entry: a table or struct, a list, a string, or a scalar. */
export interface Meaning {
  /** Type number; for a union, that of its member. */
  type: number;
  /** Index of the object or enum. */
  ref: number;
  /** Union that the entry is a member of; −1 if none. */
  union: number;
  field: FieldSchema | undefined;
  /** True for an item of the field's vector or array. */
  isItem: boolean;
}

const NAMES = [
  'none',
  'ubyte',
  'bool',
  'byte',
  'ubyte',
  'short',
  'ushort',
  'int',
  'uint',
  'long',
  'ulong',
  'float',
  'double',
  'string',
  'vector',
  'table',
  'union',
  'array',
  'vector64',
];

const UNKNOWN: Meaning = { type: t.NONE, ref: -1, union: -1, field: undefined, isItem: false };

/**
 * Type numbers: two for each field of the schema (its value, and an item of it), then one for each object. Requires the
 * positions of tables in the tree's `values`.
 */
export class FlatBuffersDeclared extends Declared {
  readonly schema: FlatBuffersSchema;
  readonly #fields: FieldSchema[];
  readonly #numbers: Map<FieldSchema, number>;
  /** Field numbers by name, for each object. */
  readonly #named: Map<string, number>[] = [];
  /** Meanings by type number, except for unions. */
  readonly #meanings: Meaning[] = [];
  readonly #view: DataView;

  constructor(tree: SpanTree) {
    super(tree);
    this.schema = tree.data.schema as FlatBuffersSchema;
    this.#fields = this.schema.objects.flatMap(({ fields }) => fields);
    this.#numbers = new Map(this.#fields.map((field, number) => [field, number]));
    for (const { fields } of this.schema.objects) this.#named.push(new Map(fields.map((field) => [field.name, this.#numbers.get(field)!])));
    const { bytes } = tree;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  protected root(): number {
    return this.#fields.length * 2 + this.schema.root;
  }

  protected child(node: number, parent: number): number {
    const parentMeaning = this.meaning(parent);
    const object = this.objectOf(parentMeaning);
    if (object < 0) {
      // A list has a field, whose second number is the type of its items.
      const list = parentMeaning.isItem || !parentMeaning.field ? undefined : this.#numbers.get(parentMeaning.field);
      return list === undefined ? UNDECLARED : list * 2 + 1;
    }
    const field = this.#named[object]!.get(String(this.tree.key(node)));
    return field === undefined ? UNDECLARED : field * 2;
  }

  /** Meaning of an entry; for a union, that of its member. */
  meaning(node: number): Meaning {
    const code = this.typeOf(node);
    const fields = this.#fields;
    if (code < 0) return UNKNOWN;
    const field = code < fields.length * 2 ? fields[code >> 1]! : undefined;
    const isItem = field !== undefined && code % 2 === 1;
    const type = !field ? t.OBJ : isItem ? field.element : field.type;
    if (field && type === t.UNION) return { ...this.#member(node, field, isItem), union: field.ref, field, isItem };
    return (this.#meanings[code] ??= { type, ref: field ? field.ref : code - fields.length * 2, union: -1, field, isItem });
  }

  /** Index of an entry's table or struct; −1 for other types. */
  objectOf({ type, ref, field }: Meaning): number {
    if (type === t.OBJ) return ref;
    return (type === t.VECTOR || type === t.VECTOR64) && field && field.nested >= 0 ? field.nested : -1;
  }

  /** Union member according to the type field, or the type vector for items. */
  #member(node: number, field: FieldSchema, isItem: boolean): { type: number; ref: number } {
    const { parents, values, keys } = this.tree.data;
    const list = parents[node]!;
    const table = values[isItem ? parents[list]! : list]!;
    let at = this.slot(table, field.id - 1);
    if (at > 0 && isItem) at = this.follow(at) + 4 + keys[node]!;
    const value = at > 0 && at < this.tree.bytes.length ? BigInt(this.tree.bytes[at]!) : 0n;
    const { values: numbers, types, refs } = this.schema.enums[field.ref]!;
    const index = numbers.indexOf(value);
    return { type: types[index] ?? t.NONE, ref: refs[index] ?? -1 };
  }

  /** Position of a table's field; 0 if absent. */
  slot(table: number, id: number): number {
    const view = this.#view;
    const vtable = table - view.getInt32(table, true);
    const entry = 4 + 2 * id;
    if (vtable < 0 || vtable + 4 > view.byteLength || entry + 2 > view.getUint16(vtable, true)) return 0;
    if (vtable + entry + 2 > view.byteLength) return 0;
    const slot = view.getUint16(vtable + entry, true);
    return slot === 0 ? 0 : table + slot;
  }

  /** Target of an offset. */
  follow(at: number, far = false): number {
    return at + this.#view.getUint32(at, true) + (far ? this.#view.getUint32(at + 4, true) * 2 ** 32 : 0);
  }

  /** Inline size of an entry; for values stored elsewhere, the size of the offset. */
  inlineSize({ type, ref, field, union, isItem }: Meaning): number {
    const offset = field?.far && !isItem ? 8 : 4;
    if (union >= 0) return 4;
    if (type === t.OBJ) return this.schema.objects[ref]!.struct ? this.schema.objects[ref]!.size : offset;
    if (type === t.ARRAY) return field!.length * this.itemSize(field!);
    return t.SIZE[type]! || offset;
  }

  itemSize({ element, ref }: FieldSchema): number {
    const object = element === t.OBJ ? this.schema.objects[ref] : undefined;
    return object?.struct ? object.size : t.SIZE[element]! || 4;
  }

  object(index: number): ObjectSchema {
    return this.schema.objects[index]!;
  }

  /** Type in the schema's notation. */
  text(type: number, ref: number): string {
    if (type === t.OBJ) return this.schema.objects[ref]?.name ?? '';
    if (ref >= 0 && t.isScalar(type)) return `${this.schema.enums[ref]!.name} (${NAMES[type]})`;
    return type === t.UNION ? this.schema.enums[ref]!.name : (NAMES[type] ?? '');
  }

  fieldText({ name, type, element, ref, length }: FieldSchema): string {
    if (type === t.VECTOR || type === t.VECTOR64) return `${name}: [${this.text(element, ref)}]`;
    if (type === t.ARRAY) return `${name}: [${this.text(element, ref)}:${length}]`;
    return `${name}: ${this.text(type, ref)}`;
  }
}
