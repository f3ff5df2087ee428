import * as schema from '../../../core/formats/protobuf/schema/schema.ts';
import type { FieldSchema, ProtobufSchema } from '../../../core/formats/protobuf/schema/schema.ts';
import * as is from '../../../core/sinks/spans/tree.ts';
import type { SpanTree } from '../../../core/sinks/spans/tree.ts';
import { Declared, declaredOf, UNDECLARED } from '../terms/declared.ts';
import type { Description, Place } from '../terms/description.ts';

const WIRE = ['varint', 'i64', 'len', 'group', 'end group', 'i32'] as const;

/** Describes a field by the number and wire type in its tag. */
export function describeProtobuf({ tree, node, bytes, at }: Place): Description {
  const { starts, kinds, parents } = tree.data;
  const isContainer = kinds[node]! >= is.ARRAY;
  const length = tree.payload(node) - at;
  const start = starts[node]!;
  if (start === at || parents[node] === 0) {
    return { name: isContainer ? 'message' : 'packed', type: 0, length: isContainer ? length : 0 };
  }
  let tag = 0;
  for (let place = start, scale = 1; place < at; place += 1, scale *= 128) tag += (bytes[place]! & 0x7f) * scale;
  const wire = tag % 8;
  return {
    name: `field ${Math.floor(tag / 8)}, ${WIRE[wire] ?? wire}`,
    family: String(WIRE[wire] ?? wire),
    type: 0,
    length: wire === 2 ? length : 0,
  };
}

/** Type numbers are the messages of the schema; other fields have none. */
class ProtobufDeclared extends Declared {
  protected root(): number {
    return (this.tree.data.schema as ProtobufSchema).root;
  }

  protected child(node: number, _parent: number, parentType: number): number {
    const field = this.field(node, parentType);
    const isMessage = field?.type === schema.MESSAGE || field?.type === schema.GROUP;
    return field && isMessage ? field.ref : UNDECLARED;
  }

  field(node: number, parentType: number): FieldSchema | undefined {
    return (this.tree.data.schema as ProtobufSchema).messages[parentType]?.fields.find(({ name }) => name === this.tree.key(node));
  }
}

/** Field of an entry, as declared in the schema. */
export function noteProtobuf(tree: SpanTree, node: number): string {
  const declared = declaredOf(tree, ProtobufDeclared);
  const { messages, enums } = tree.data.schema as ProtobufSchema;
  const parent = tree.data.parents[node]!;
  const parentType = parent > 0 ? declared.typeOf(parent) : UNDECLARED;
  const field = parentType === UNDECLARED ? undefined : declared.field(node, parentType);
  if (!field) return messages[declared.typeOf(node)]?.name ?? '';
  const { name, number, type, ref, repeated } = field;
  const isMessage = type === schema.MESSAGE || type === schema.GROUP;
  const typeName = isMessage ? messages[ref]?.name : type === schema.ENUM ? enums[ref]?.name : schema.TYPE_NAMES[type];
  return `${messages[parentType]!.name}: ${repeated ? 'repeated ' : ''}${typeName ?? ''} ${name} = ${number}`;
}
