import * as t from '../../../core/formats/flatbuffers/schema/schema.ts';
import * as is from '../../../core/sinks/spans/tree.ts';
import type { SpanTree } from '../../../core/sinks/spans/tree.ts';
import { declaredOf } from '../terms/declared.ts';
import type { Description, Place } from '../terms/description.ts';
import { FlatBuffersDeclared } from './flatbuffers-types.ts';

/** Field of an entry, with its type. */
export function noteFlatBuffers(tree: SpanTree, node: number): string {
  const declared = declaredOf(tree, FlatBuffersDeclared);
  const { field, isItem } = declared.meaning(node);
  return field && !isItem ? declared.fieldText(field) : '';
}

/** Describes the encoding of a value (https://flatbuffers.dev/internals). Its extents tell the role of each byte. */
export function describeFlatBuffers({ tree, node, at, end }: Place): Description {
  const declared = declaredOf(tree, FlatBuffersDeclared);
  if (declared.isSequence(node)) return { name: 'size-prefixed buffers', type: 0, length: 0 };
  const meaning = declared.meaning(node);
  const { type, ref, field, union } = meaning;
  const named = (name: string, family = name): Description => ({
    name: union >= 0 ? `union ${declared.text(t.UNION, union)}: ${name}` : name,
    family: union >= 0 ? `union: ${family}` : family,
    type: 0,
    length: 0,
  });
  if (at === end && t.isScalar(type)) return named(`${declared.text(type, ref)}, default`);
  const object = declared.objectOf(meaning);
  if (object >= 0) {
    const { name, struct } = declared.object(object);
    return named(`${type === t.OBJ ? '' : 'nested buffer, '}${struct ? 'struct' : 'table'} ${name}`);
  }
  switch (type) {
    case t.STRING:
      return named(`string ${end - tree.payload(node)}`, 'string');
    case t.VECTOR:
    case t.VECTOR64:
    case t.ARRAY: {
      const item = field ? declared.text(field.element, field.ref) : '';
      const list = type === t.ARRAY ? 'array' : type === t.VECTOR ? 'vector' : 'vector64';
      return named(`${list} of ${tree.childCount(node)} ${item}`, `${list} of ${item}`);
    }
    case t.NONE:
      return named(is.KIND_NAMES[tree.data.kinds[node]!]!);
    default:
      return named(declared.text(type, ref));
  }
}
