import * as schema from '../../../core/formats/protobuf/schema/schema.ts';
import type { FieldSchema, MessageSchema, ProtobufSchema } from '../../../core/formats/protobuf/schema/schema.ts';
import * as is from '../../../core/sinks/spans/tree.ts';
import type { SpanTree } from '../../../core/sinks/spans/tree.ts';
import { varintAt } from '../../values/numbers-in-bytes.ts';
import { Declared, declaredOf, UNDECLARED } from '../terms/declared.ts';
import type { Description, Place } from '../terms/description.ts';
import { messageOfAny } from './protobuf-types.ts';
import { propertiesOf, TILE_FEATURE } from './vector-tile.ts';

const WIRE = ['varint', 'i64', 'len', 'group', 'end group', 'i32'] as const;

/** Describes a field by the number and wire type in its tag. */
export function describeProtobuf({ tree, node, bytes, at }: Place): Description {
  const { starts, kinds, parents } = tree.data;
  const isContainer = kinds[node]! >= is.ARRAY;
  const length = tree.payload(node) - at;
  const start = starts[node]!;
  if (start === at || parents[node] === 0) {
    const name =
      kinds[node] === is.ARRAY ? 'repeated' : isContainer ? (tree.hasName(node) && !tree.data.roots?.has(node) ? 'map' : 'message') : 'packed';
    return { name, type: 0, length: isContainer ? length : 0 };
  }
  // Before the value of a map, more than its tag may come.
  const tag = varintAt(bytes, start, at)?.value ?? 0;
  const wire = tag % 8;
  return {
    name: `field ${Math.floor(tag / 8)}, ${WIRE[wire] ?? wire}`,
    family: String(WIRE[wire] ?? wire),
    type: 0,
    length: wire === 2 ? length : 0,
  };
}

/** Type numbers are the messages of the schema; other fields have none. The items of a list have the type of the list. */
class ProtobufDeclared extends Declared {
  protected root(): number {
    return this.#schema.root;
  }

  protected child(node: number, parent: number, parentType: number): number {
    if (this.tree.data.kinds[parent] === is.ARRAY) return parentType;
    const field = this.fieldIn(node, parentType);
    const isMessage = field?.type === schema.MESSAGE || field?.type === schema.GROUP;
    if (field && isMessage) return field.ref;
    const inner = this.tree.data.kinds[node] === is.OBJECT ? messageOfAny(this.tree, this.#schema, node, parentType) : UNDECLARED;
    return inner < 0 ? UNDECLARED : inner;
  }

  /** Field of an entry; of an item, that of its list. */
  field(node: number): FieldSchema | undefined {
    const { parents, kinds } = this.tree.data;
    const parent = parents[node]!;
    if (parent === 0) return undefined;
    if (kinds[parent] === is.ARRAY && this.tree.hasName(parent)) return this.field(parent);
    return this.fieldIn(node, this.typeOf(parent));
  }

  fieldIn(node: number, message: number): FieldSchema | undefined {
    const type = this.#schema.messages[message];
    // The keys of a map are no fields.
    return type?.mapEntry ? valueField(type) : type?.fields.find(({ name }) => name === this.tree.key(node));
  }

  /** Field whose number an entry has, but not its type. */
  misfit(node: number): FieldSchema | undefined {
    const { parents } = this.tree.data;
    const number = Number(this.tree.hasName(node) ? this.tree.key(node) : NaN);
    return this.#schema.messages[this.typeOf(parents[node]!)]?.fields.find((field) => field.number === number);
  }

  get #schema(): ProtobufSchema {
    return this.tree.data.schema as ProtobufSchema;
  }
}

function valueField({ fields }: MessageSchema): FieldSchema | undefined {
  return fields.find(({ number }) => number === 2);
}

/** Field of an entry, as declared in the schema. */
export function noteProtobuf(tree: SpanTree, node: number): string {
  const declared = declaredOf(tree, ProtobufDeclared);
  const { messages } = tree.data.schema as ProtobufSchema;
  const misfit = declared.misfit(node);
  const field = misfit ?? declared.field(node);
  if (!field) return messages[declared.typeOf(node)]?.name ?? '';
  const owner = messages.find(({ fields }) => fields.includes(field))!.name;
  // The items of a list have its type alone, as its row has the declaration.
  const isItem = tree.data.kinds[tree.data.parents[node]!] === is.ARRAY;
  if (isItem) return `${owner}: ${typeNameOf(field, tree.data.schema as ProtobufSchema)}`;
  return `${owner}: ${misfit ? 'not ' : ''}${declarationOf(field, tree.data.schema as ProtobufSchema)}`;
}

/**
 * The schema of a tree with the fields and values of those types alone that the tree has; of others, the names. A page may have
 * thousands of types, and the panel would wait for all of them whenever a body is opened.
 */
export function schemaInUse(tree: SpanTree): ProtobufSchema {
  const { kinds, count } = tree.data;
  const whole = tree.data.schema as ProtobufSchema;
  const declared = declaredOf(tree, ProtobufDeclared);
  const used = new Set([whole.root]);
  for (let node = 1; node < count; node += 1) if (kinds[node]! >= is.ARRAY) used.add(declared.typeOf(node));
  const enums = new Set<number>();
  for (const message of used) for (const { type, ref } of whole.messages[message]?.fields ?? []) if (type === schema.ENUM) enums.add(ref);
  return {
    ...whole,
    messages: whole.messages.map((message, index) => (used.has(index) ? message : { ...message, fields: [], oneofs: [] })),
    enums: whole.enums.map((found, index) => (enums.has(index) ? found : { ...found, names: [], numbers: [] })),
  };
}

/** True if an entry has the number of a field, but not its type. */
export function isMisfit(tree: SpanTree, node: number): boolean {
  return tree.data.format === 'protobuf' && tree.data.schema !== undefined && declaredOf(tree, ProtobufDeclared).misfit(node) !== undefined;
}

/** Name of a field's type, without the list around it. */
function typeNameOf({ type, ref }: FieldSchema, { messages, enums }: ProtobufSchema): string {
  if (type === schema.MESSAGE || type === schema.GROUP) return messages[ref]?.name ?? '';
  return (type === schema.ENUM ? enums[ref]?.name : schema.TYPE_NAMES[type]) ?? '';
}

/** Declaration of a field in the notation of a `.proto`. */
function declarationOf(field: FieldSchema, types: ProtobufSchema): string {
  const { name, number, type, ref, repeated } = field;
  const entry = type === schema.MESSAGE ? types.messages[ref] : undefined;
  if (!entry?.mapEntry) return `${repeated ? 'repeated ' : ''}${typeNameOf(field, types)} ${name} = ${number}`;
  const [key, value] = [1, 2].map((wanted) => {
    const part = entry.fields.find((candidate) => candidate.number === wanted);
    return part ? typeNameOf(part, types) : '';
  });
  return `map<${key}, ${value}> ${name} = ${number}`;
}

/**
 * Meaning of a value by its declared type: the name of an enum's number, the date of a Timestamp, a Duration, the JSON of a
 * Struct, the properties of a feature of a vector tile, or ''.
 */
export function meaningOf(tree: SpanTree, node: number): string {
  const { data } = tree;
  if (data.format !== 'protobuf' || data.schema === undefined || node === 0) return '';
  const { enums, messages } = data.schema as ProtobufSchema;
  const declared = declaredOf(tree, ProtobufDeclared);
  if (data.kinds[node] === is.INTEGER) {
    const field = declared.field(node);
    const numbers = field?.type === schema.ENUM ? enums[field.ref] : undefined;
    return numbers?.names[numbers.numbers.indexOf(data.numbers[node]!)] ?? '';
  }
  if (data.kinds[node] === is.ARRAY && tree.key(node) === 'tags' && messages[declared.typeOf(data.parents[node]!)]?.name === TILE_FEATURE)
    return propertiesOf(tree, node);
  if (data.kinds[node] !== is.OBJECT || (data.shell?.has(node) ?? false)) return '';
  const name = messages[declared.typeOf(node)]?.name;
  if (name === 'google.protobuf.Timestamp') return timestampOf(tree, node);
  if (name !== undefined && JSON_TYPES.has(name) && tree.childCount(node) > 0) return jsonText(tree, node, MAX_JSON);
  return name === 'google.protobuf.Duration' ? durationOf(tree, node) : '';
}

/** Messages that hold JSON (https://protobuf.dev/reference/protobuf/google.protobuf/#struct), and the length of their text. */
const JSON_TYPES: ReadonlySet<string> = new Set(['google.protobuf.Struct', 'google.protobuf.Value', 'google.protobuf.ListValue']);
const MAX_JSON = 200;

/** The JSON in a Struct, Value or ListValue, in about `room` characters. */
function jsonText(tree: SpanTree, node: number, room: number): string {
  if (room <= 0) return '…';
  const { kinds, numbers } = tree.data;
  const enclosed = (children: readonly number[], isList: boolean): string => {
    const parts: string[] = [];
    let left = room;
    for (const child of children) {
      if (left <= 0) {
        parts.push('…');
        break;
      }
      const key = isList ? '' : `${JSON.stringify(String(tree.key(child)))}: `;
      const part = key + jsonText(tree, child, left - key.length - 2);
      parts.push(part);
      left -= part.length + 2;
    }
    return isList ? `[${parts.join(', ')}]` : `{${parts.join(', ')}}`;
  };
  const [part] = tree.children(node, 1);
  if (part === undefined) return 'null';
  switch (String(tree.key(part)).replaceAll('_', '').toLowerCase()) {
    case 'fields':
      return enclosed(tree.children(part, MAX_JSON), false);
    case 'values':
      return enclosed(tree.children(part, MAX_JSON), true);
    case 'numbervalue':
      return String(numbers[part]);
    case 'stringvalue':
      return JSON.stringify(tree.text(part, room));
    case 'boolvalue':
      return String(kinds[part] === is.TRUE);
    case 'structvalue':
    case 'listvalue':
      return tree.childCount(part) > 0 ? jsonText(tree, part, room) : String(tree.key(part)).startsWith('s') ? '{}' : '[]';
    default:
      return 'null';
  }
}

/** Seconds and nanoseconds of a Timestamp or Duration. */
function momentOf(tree: SpanTree, node: number): { seconds: number; nanos: number } {
  const valueOf = (name: string): number => {
    const child = tree.children(node).find((candidate) => tree.key(candidate) === name);
    return child === undefined ? 0 : tree.data.numbers[child]!;
  };
  return { seconds: valueOf('seconds'), nanos: valueOf('nanos') };
}

function timestampOf(tree: SpanTree, node: number): string {
  const { seconds, nanos } = momentOf(tree, node);
  if (Math.abs(seconds) > 8.64e12) return '';
  const whole = new Date(seconds * 1000).toISOString();
  return nanos === 0 ? whole.replace('.000Z', 'Z') : whole.replace(/\.000Z$/, `${fractionOf(nanos)}Z`);
}

function durationOf(tree: SpanTree, node: number): string {
  const { seconds, nanos } = momentOf(tree, node);
  const sign = seconds < 0 || nanos < 0 ? '-' : '';
  return `${sign}${Math.abs(seconds)}${nanos === 0 ? '' : fractionOf(Math.abs(nanos))}s`;
}

/** Nanoseconds as the digits after a decimal point. */
function fractionOf(nanos: number): string {
  return `.${String(nanos)
    .padStart(9, '0')
    .replace(/0{1,9}$/, '')}`;
}
