import * as t from '../../../core/formats/capnproto/schema/schema.ts';
import * as is from '../../../core/sinks/spans/tree.ts';
import type { SpanTree } from '../../../core/sinks/spans/tree.ts';
import { CapnProtoDeclared } from './capnproto-types.ts';
import { declaredOf, UNDECLARED } from '../terms/declared.ts';
import type { Description, Place } from '../terms/description.ts';
import { FAR_POINTER, TAG } from '../terms/roles.ts';

/** Field of an entry, with its type. */
export function noteCapnProto(tree: SpanTree, node: number): string {
  return declaredOf(tree, CapnProtoDeclared).note(node);
}

/** Describes the encoding of a value (https://capnproto.org/encoding.html). Its extents tell the role of each byte. */
export function describeCapnProto({ tree, node, at, end }: Place): Description {
  const declared = declaredOf(tree, CapnProtoDeclared);
  if (declared.isSequence(node)) return { name: 'sequence of messages', type: 0, length: 0 };
  const code = declared.typeOf(node);
  if (code === UNDECLARED) return { name: is.KIND_NAMES[tree.data.kinds[node]!]!, type: 0, length: 0 };
  const kind = declared.kindOf(code);
  const far = hasRole(tree, node, FAR_POINTER) ? ', far pointer' : '';
  const named = (name: string, family = name): Description => ({ name: name + far, family, type: 0, length: 0 });
  const text = declared.text(code);
  const isPointer = t.isPointer(kind);
  // A null pointer to a struct or list is a default; a pointer to an empty list is not.
  if (at === end && tree.extentsOf(node).length === 0 && kind !== t.VOID && kind !== t.GROUP && !declared.isPart(code)) {
    return named(`${text}, ${tree.data.packed ? 'zero or default' : 'default'}`);
  }
  switch (kind) {
    case t.STRUCT:
      return named(`struct ${text}`);
    case t.GROUP:
      return named(`group ${text}`);
    case t.TEXT:
      return named(`text ${lengthOf(tree, node)}`, 'text');
    case t.DATA:
      return named(`data ${tree.binary(node).length}`, 'data');
    case t.LIST: {
      const item = declared.text(declared.schema.types[code]!.ref);
      const list = hasRole(tree, node, TAG) ? 'composite list' : 'list';
      return named(`${list} of ${tree.childCount(node)} ${item}`, `${list} of ${item}`);
    }
    case t.INTERFACE:
      return named('capability');
    case t.ENUM:
      return named(`enum ${text}`);
    case t.ANY_POINTER:
      return named(declared.isPart(code) ? String(tree.key(node)) : `AnyPointer, ${is.KIND_NAMES[tree.data.kinds[node]!]!}`);
    default:
      return named(isPointer ? `${text} pointer` : text);
  }
}

function hasRole(tree: SpanTree, node: number, role: number): boolean {
  const { extents } = tree.data;
  return extents !== undefined && tree.extentsOf(node).some((extent) => extents.roles[extent] === role);
}

/** Size of a text, which lies in pieces if the message is packed. */
function lengthOf(tree: SpanTree, node: number): number {
  if (tree.data.kinds[node] === is.STRING) return tree.data.ends[node]! - tree.payload(node);
  return new TextEncoder().encode(tree.text(node)).length;
}
