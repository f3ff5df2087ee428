import * as t from '../../../core/formats/bebop/schema/schema.ts';
import type { BebopSchema } from '../../../core/formats/bebop/schema/schema.ts';
import * as is from '../../../core/sinks/spans/tree.ts';
import type { SpanTree } from '../../../core/sinks/spans/tree.ts';
import { Declared, declaredOf, UNDECLARED } from '../terms/declared.ts';
import type { Description, Place } from '../terms/description.ts';

const NAMES = [
  '',
  'bool',
  'byte',
  'uint16',
  'int16',
  'uint32',
  'int32',
  'uint64',
  'int64',
  'float32',
  'float64',
  'string',
  'guid',
  'date',
  'array',
  'map',
  'struct',
  'message',
  'union',
  'enum',
  'byte array',
];

/** Type numbers are those of the schema's tables. */
class BebopDeclared extends Declared {
  get schema(): BebopSchema {
    return this.tree.data.schema as BebopSchema;
  }

  protected root(): number {
    return this.schema.root;
  }

  protected child(node: number, parent: number, parentType: number): number {
    const { types, records, unions } = this.schema;
    const { kind, ref, key } = types[parentType]!;
    const name = this.tree.key(node);
    switch (kind) {
      case t.ARRAY:
        return ref;
      case t.MAP:
        // Keys and values alternate.
        return this.tree.data.kinds[parent] === is.MAP && Number(name) % 2 === 0 ? key : ref;
      case t.UNION: {
        // The discriminator follows the length.
        const discriminator = this.tree.bytes[this.tree.data.values[parent]! + 4];
        if (name !== 'value') return UNDECLARED;
        return unions[ref]!.branches.find((branch) => branch.discriminator === discriminator)?.type ?? UNDECLARED;
      }
      case t.STRUCT:
      case t.MESSAGE:
        return records[ref]!.fields.find((field) => field.name === name)?.type ?? UNDECLARED;
      default:
        return UNDECLARED;
    }
  }

  /** Type in the schema's notation. */
  text(type: number): string {
    const { types, records, unions, enums } = this.schema;
    const { kind, ref, key } = types[type]!;
    switch (kind) {
      case t.ARRAY:
        return `${this.text(ref)}[]`;
      case t.BYTES:
        return 'byte[]';
      case t.MAP:
        return `map[${this.text(key)}, ${this.text(ref)}]`;
      case t.STRUCT:
      case t.MESSAGE:
        return records[ref]!.name;
      case t.UNION:
        return unions[ref]!.name;
      case t.ENUM:
        return `${enums[ref]!.name} (${NAMES[enums[ref]!.base]})`;
      default:
        return NAMES[kind]!;
    }
  }

  /** Field of an entry, with its type. */
  note(node: number): string {
    const type = this.typeOf(node);
    if (type === UNDECLARED) return '';
    const parent = this.tree.data.parents[node]!;
    const parentType = parent > 0 ? this.typeOf(parent) : UNDECLARED;
    const record = parentType === UNDECLARED ? undefined : this.schema.types[parentType]!;
    if (!record || (record.kind !== t.STRUCT && record.kind !== t.MESSAGE)) return this.text(type);
    const { name, fields } = this.schema.records[record.ref]!;
    const field = fields.find((one) => one.name === this.tree.key(node));
    return `${name}.${String(this.tree.key(node))}: ${this.text(type)}${record.kind === t.MESSAGE && field ? `, index ${field.index}` : ''}`;
  }
}

/** Field of an entry, with its type. */
export function noteBebop(tree: SpanTree, node: number): string {
  return declaredOf(tree, BebopDeclared).note(node);
}

/** Describes the encoding of a value (https://docs.bebop.sh/reference/). Lengths and counts are uint32. */
export function describeBebop({ tree, node, bytes, at, end }: Place): Description {
  const declared = declaredOf(tree, BebopDeclared);
  if (declared.isSequence(node)) return { name: 'sequence of records', type: 0, length: 0 };
  const type = declared.typeOf(node);
  if (type === UNDECLARED) {
    const isDiscriminator = tree.key(node) === 'discriminator';
    return { name: isDiscriminator ? 'discriminator' : is.KIND_NAMES[tree.data.kinds[node]!]!, type: isDiscriminator ? end - at : 0, length: 0 };
  }
  const { kind } = declared.schema.types[type]!;
  const name = NAMES[kind]!;
  switch (kind) {
    case t.STRING:
    case t.BYTES:
    case t.ARRAY:
    case t.MAP: {
      const length = end - at < 4 ? '' : ` ${uint32(bytes, at)}`;
      return { name: `${name}${length}`, family: name, type: 0, length: Math.min(4, end - at) };
    }
    case t.MESSAGE:
    case t.UNION:
      return { name: `${name} ${declared.text(type)}`, type: 0, length: Math.min(4, end - at) };
    case t.STRUCT:
    case t.ENUM:
      return { name: `${name} ${declared.text(type)}`, type: 0, length: 0 };
    default:
      return { name, type: 0, length: 0 };
  }
}

function uint32(bytes: Uint8Array, at: number): number {
  return bytes[at]! + bytes[at + 1]! * 2 ** 8 + bytes[at + 2]! * 2 ** 16 + bytes[at + 3]! * 2 ** 24;
}
