import { checkSchema } from '../../../../core/formats/flatbuffers/schema/check.ts';
import * as t from '../../../../core/formats/flatbuffers/schema/schema.ts';
import type { EnumSchema, FieldSchema, FlatBuffersSchema, ObjectSchema } from '../../../../core/formats/flatbuffers/schema/schema.ts';
import type { AnyNode, Script } from '../script.ts';

/** A field as flatc's code reads it. */
export interface FieldDraft {
  name: string;
  /** Id in a table, offset in a struct. */
  at: number;
  kind: 'value' | 'vector' | 'array' | 'union' | 'unions';
  /** Type number of a scalar or string; `OBJ` for a table. Undefined for a struct. */
  scalar?: number | undefined;
  /** Class of an object, as the code names it. */
  ref?: AnyNode;
  /** Undefined if the code does not tell. */
  default?: number | bigint | undefined;
  /** Names of an enum's numbers. */
  values?: ReadonlyMap<number, string> | undefined;
  /** Number of items of an array. */
  length?: number;
}

/** A class of flatc's code. */
export interface ClassDraft {
  script: Script;
  name: string;
  /** Size of a struct; undefined for a table. */
  size: number | undefined;
  fields: FieldDraft[];
}

/** Members of the union that a field has. */
export interface UnionDraft {
  field: string;
  members: { number: number; name: string; type: AnyNode | undefined }[];
}

/**
 * Schema of a table and the types that it refers to, as `{ compiled }`. Leaves out fields whose type is not known.
 * Undefined if the schema is not sound.
 */
export function flatBuffersInput(
  root: ClassDraft,
  classes: ReadonlyMap<AnyNode, ClassDraft>,
  unions: readonly UnionDraft[],
): { compiled: FlatBuffersSchema } | undefined {
  const objects: ObjectSchema[] = [];
  const enums: EnumSchema[] = [];
  const indices = new Map<ClassDraft, number>();
  const add = (draft: ClassDraft): number => {
    const known = indices.get(draft);
    if (known !== undefined) return known;
    const index = objects.length;
    indices.set(draft, index);
    const object: ObjectSchema = { name: draft.name, struct: draft.size !== undefined, size: draft.size ?? 0, fields: [] };
    objects.push(object);
    const fields = draft.fields.flatMap((field) => fieldsOf(draft, field));
    // A field of a struct gets its id by its place.
    fields.sort((a, b) => (object.struct ? a.offset - b.offset : a.id - b.id));
    object.fields = object.struct ? fields.map((field, id) => ({ ...field, id })) : fields;
    return index;
  };
  const objectOf = (draft: ClassDraft, node: AnyNode | undefined, isTable: boolean): number | undefined => {
    const value = draft.script.constantOf(node);
    const found = value && classes.get(value);
    return found && (found.size === undefined) === isTable ? add(found) : undefined;
  };
  const fieldsOf = (draft: ClassDraft, field: FieldDraft): FieldSchema[] => {
    const isStruct = draft.size !== undefined;
    const place = isStruct ? { id: 0, offset: field.at } : { id: field.at, offset: 0 };
    const made = { ...t.NO_FIELD, name: field.name, ...place };
    if (field.kind === 'union' || field.kind === 'unions') {
      const ref = unionIndex(field.name);
      return ref === undefined ? [] : [{ ...made, ref, ...typed(field.kind === 'unions', t.UNION) }];
    }
    const isList = field.kind !== 'value';
    if (field.ref) {
      const ref = objectOf(draft, field.ref, field.scalar === t.OBJ);
      return ref === undefined ? [] : [{ ...made, ref, ...typed(isList, t.OBJ) }];
    }
    const { scalar = t.NONE, values, length = 0 } = field;
    // The field before a union has its type.
    const unionType = /^(.+)Type$/.exec(field.name)?.[1];
    const union = draft.fields.find(({ name, at, kind }) => name === unionType && at === field.at + 1 && kind.startsWith('union'));
    const ref = union && scalar === t.UBYTE ? unionIndex(union.name) : undefined;
    if (ref !== undefined) return [{ ...made, ref, ...typed(isList, t.UTYPE) }];
    if (field.kind === 'array') return [{ ...made, type: t.ARRAY, element: scalar, length }];
    const isUnknown = !isList && !isStruct && t.isScalar(scalar) && field.default === undefined;
    const number = field.default ?? 0;
    return [
      {
        ...made,
        ...typed(isList, scalar),
        ref: values && values.size > 0 ? enumIndex(values) : -1,
        default: isList ? 0 : scalar === t.LONG || scalar === t.ULONG ? BigInt(number) : Number(number),
        // A field without a value has none either where its default is unknown.
        optional: isUnknown,
      },
    ];
  };
  const enumIndex = (values: ReadonlyMap<number, string>): number =>
    enums.push({
      name: `Enum${enums.length + 1}`,
      union: false,
      flags: false,
      names: [...values.values()],
      values: Array.from(values.keys(), BigInt),
      types: Array.from(values, () => 0),
      refs: Array.from(values, () => -1),
    }) - 1;
  const knownUnions = new Map<string, number | undefined>();
  const unionIndex = (field: string): number | undefined => {
    if (knownUnions.has(field)) return knownUnions.get(field);
    knownUnions.set(field, undefined);
    const found = unions.filter((union) => union.field === field);
    const [first] = found;
    // Fields of the same name may have different unions.
    const same = found.every(
      ({ members }) => members.length === first!.members.length && members.every(({ type }, at) => type === first!.members[at]!.type),
    );
    const refs = first?.members.map(({ type }) =>
      type && classes.get(type)?.size === undefined && classes.has(type) ? add(classes.get(type)!) : undefined,
    );
    if (!first || !same || !refs || refs.includes(undefined)) return undefined;
    const index =
      enums.push({
        name: `${field.charAt(0).toUpperCase()}${field.slice(1)}`,
        union: true,
        flags: false,
        names: ['NONE', ...first.members.map(({ name }) => name)],
        values: [0n, ...first.members.map(({ number }) => BigInt(number))],
        types: [0, ...refs.map(() => t.OBJ)],
        refs: [-1, ...refs.map((ref) => ref!)],
      }) - 1;
    knownUnions.set(field, index);
    return index;
  };
  add(root);
  const compiled: FlatBuffersSchema = { root: 0, identifier: '', objects, enums };
  try {
    checkSchema(compiled);
    return { compiled };
  } catch {
    return undefined;
  }
}

function typed(isVector: boolean, type: number): { type: number; element: number } {
  return isVector ? { type: t.VECTOR, element: type } : { type, element: 0 };
}
