import { readHeader, startsAsContainer } from '../../../core/formats/avro/container/container.ts';
import { hexOf } from '../../../core/formats/avro/schema/fingerprint.ts';
import * as t from '../../../core/formats/avro/schema/schema.ts';
import type { AvroSchema, AvroType, AvroTypes } from '../../../core/formats/avro/schema/schema.ts';
import * as is from '../../../core/sinks/spans/tree.ts';
import type { SpanTree } from '../../../core/sinks/spans/tree.ts';
import { varintAt } from '../../values/numbers-in-bytes.ts';
import { Declared, declaredOf, UNDECLARED } from '../terms/declared.ts';
import type { Description, Place } from '../terms/description.ts';

const LOGICAL = ['', 'decimal', 'date', 'time', 'timestamp-millis', 'timestamp-micros', 'timestamp-nanos', 'duration', 'uuid'];
/** Offset between the type numbers of two schemas. */
const MAX_TYPES = 2 ** 20;
/** C3 01 and a fingerprint of 8 bytes. */
const OBJECT_HEAD = 10;

/** Type numbers cover the writer's schema and those referenced by single objects. */
class AvroDeclared extends Declared {
  readonly #tables: AvroTypes[] = [];
  readonly #prints: string[] = [];

  constructor(tree: SpanTree) {
    super(tree);
    const { writerSchema, registered } = tree.data.schema as AvroSchema;
    this.#tables.push(writerSchema ?? { root: 0, types: [], json: '' });
    for (const [print, types] of Object.entries(registered)) {
      this.#tables.push(types);
      this.#prints.push(print);
    }
  }

  type(code: number): AvroType | undefined {
    return this.#tables[Math.floor(code / MAX_TYPES)]?.types[code % MAX_TYPES];
  }

  /** Size of a single object's header; 0 for other values. */
  headOf(node: number): number {
    const { bytes, data } = this.tree;
    const isRoot = data.parents[node] === 0 || data.roots?.has(node) || (data.sequence && data.parents[data.parents[node]!] === 0);
    return isRoot && this.#tableOf(bytes, data.values[node]!) > 0 ? OBJECT_HEAD : 0;
  }

  #tableOf(bytes: Uint8Array, at: number): number {
    if (bytes[at] !== 0xc3 || bytes[at + 1] !== 1 || at + OBJECT_HEAD > bytes.length) return 0;
    return this.#prints.indexOf(hexOf(bytes, at + 2, at + OBJECT_HEAD)) + 1;
  }

  /** Branch of a union that an entry has, with the size of its index. Undefined if the type is not a union. */
  branch(node: number, code: number): { index: number; code: number; size: number } | undefined {
    const union = this.type(code);
    if (union?.kind !== t.UNION) return undefined;
    const at = this.tree.data.values[node]! + this.headOf(node);
    const { value: index, next } = zigzag(this.tree.bytes, at);
    const branch = union.branches[index];
    return branch === undefined ? undefined : { index, code: this.#same(code, branch), size: next - at };
  }

  /** True if an entry is the object that wraps a union's value. */
  isWrapper(node: number, code: number): boolean {
    const table = this.#tables[Math.floor(code / MAX_TYPES)]!;
    if (this.tree.data.kinds[node] !== is.RECORD || this.type(code)?.kind !== t.UNION) return false;
    return t.isAmbiguous(table, code % MAX_TYPES);
  }

  #same(code: number, type: number): number {
    return code - (code % MAX_TYPES) + type;
  }

  protected root(node: number): number {
    const table = this.#tableOf(this.tree.bytes, this.tree.data.values[node]!);
    return this.#tables[table]!.types.length > 0 ? table * MAX_TYPES + this.#tables[table]!.root : UNDECLARED;
  }

  protected child(node: number, parent: number, parentType: number): number {
    const found = this.branch(parent, parentType);
    const code = found?.code ?? parentType;
    if (found && this.isWrapper(parent, parentType)) return code;
    const type = this.type(code);
    if (type?.kind === t.ARRAY || type?.kind === t.MAP) return this.#same(code, type.items);
    if (type?.kind !== t.RECORD) return UNDECLARED;
    const field = type.fields.find(({ name }) => name === this.tree.key(node));
    return field ? this.#same(code, field.type) : UNDECLARED;
  }

  /** Type in the specification's notation. */
  text(code: number, isInner = false): string {
    const type = this.type(code);
    if (!type) return '';
    const inner = (index: number): string => this.text(this.#same(code, index), true);
    switch (type.kind) {
      case t.ARRAY:
        return `array<${inner(type.items)}>`;
      case t.MAP:
        return `map<${inner(type.items)}>`;
      case t.UNION:
        return `union {${type.branches.map(inner).join(', ')}}`;
      default: {
        const name = type.name === t.KINDS[type.kind] ? type.name : isInner ? type.name : `${t.KINDS[type.kind]} ${type.name}`;
        return type.logical > 0 ? `${name}, ${LOGICAL[type.logical]}` : name;
      }
    }
  }

  /** Field of an entry, with its type. */
  note(node: number): string {
    const { parents } = this.tree.data;
    const code = this.typeOf(node);
    const parent = parents[node]!;
    const parentType = parent > 0 ? this.typeOf(parent) : UNDECLARED;
    if (code === UNDECLARED) return '';
    const type = this.type(this.branch(parent, parentType)?.code ?? parentType);
    const isField = type?.kind === t.RECORD && !this.isWrapper(parent, parentType);
    return isField ? `${type.name}.${this.tree.key(node)}: ${this.text(code)}` : this.text(code);
  }
}

/** Field of an entry, with its type. */
export function noteAvro(tree: SpanTree, node: number): string {
  return declaredOf(tree, AvroDeclared).note(node);
}

/** Describes the encoding of a value by its type (https://avro.apache.org/docs/1.12.0/specification/). */
export function describeAvro({ tree, node, bytes, at, end }: Place): Description {
  const declared = declaredOf(tree, AvroDeclared);
  if (declared.isSequence(node)) return describeContainer(tree, node, bytes, end);
  const code = declared.typeOf(node);
  const head = declared.headOf(node);
  const union = declared.branch(node, code);
  const type = declared.type(union?.code ?? code);
  if (!type) return describePart(tree, node);
  const before = head + (union?.size ?? 0);
  const object = head > 0 ? 'single object: ' : '';
  const branch = union ? `union branch ${union.index}: ` : '';
  const wrapper = union && declared.isWrapper(node, code);
  const found = wrapper ? { name: type.name, type: 0, length: 0 } : describeType(type, bytes, at + before, end, tree, node);
  return {
    name: `${object}${branch}${found.name}`,
    family: `${union ? 'union: ' : ''}${found.family ?? found.name}`,
    type: before + found.type,
    length: found.length,
  };
}

function describeType(type: AvroType, bytes: Uint8Array, at: number, end: number, tree: SpanTree, node: number): Description {
  const logical = type.logical > 0 ? `, ${LOGICAL[type.logical]}` : '';
  const named = (name: string): Description => ({ name: `${name}${logical}`, type: 0, length: 0 });
  switch (type.kind) {
    case t.INT:
    case t.LONG:
      return named(`zigzag varint ${type.name}`);
    case t.STRING:
    case t.BYTES: {
      const length = zigzag(bytes, at);
      return { name: `${type.name} ${length.value}${logical}`, family: `${type.name}${logical}`, type: 0, length: length.next - at };
    }
    case t.FIXED:
      return { ...named(`fixed ${type.size} ${type.name}`), family: `fixed ${type.name}${logical}` };
    case t.ENUM: {
      const index = zigzag(bytes, at).value;
      return { ...named(`enum ${type.name}, symbol ${index}`), family: `enum ${type.name}` };
    }
    case t.RECORD:
      return named(`record ${type.name}`);
    case t.ARRAY:
    case t.MAP: {
      if (at >= end) return named(type.name);
      const { count, next } = blockHead(bytes, at);
      const more = count > 0 && count < tree.childCount(node) ? ' first' : '';
      const items = type.kind === t.MAP ? (count === 1 ? 'entry' : 'entries') : count === 1 ? 'item' : 'items';
      const block = count === 0 ? 'no blocks' : `block of ${count} ${items}${more}`;
      return { name: `${type.name}, ${block}`, family: type.name, type: 0, length: next - at };
    }
    default:
      return named(type.name);
  }
}

/** Describes values without a type of their own, such as parts of a duration. */
function describePart(tree: SpanTree, node: number): Description {
  return { name: is.KIND_NAMES[tree.data.kinds[node]!]!, type: 0, length: 0 };
}

function describeContainer(tree: SpanTree, node: number, bytes: Uint8Array, end: number): Description {
  const at = tree.data.values[node]!;
  if (!startsAsContainer(bytes, at, end) || end - at < 4) return { name: 'sequence of data', type: 0, length: 0 };
  try {
    const header = readHeader(bytes, at, end, 0, bytes.length);
    if ('needed' in header) return { name: 'object container file', type: 4, length: 0 };
    return { name: `object container file, codec ${header.codec}`, family: 'object container file', type: header.end - at, length: 0 };
  } catch {
    return { name: 'object container file', type: 4, length: 0 };
  }
}

/** Item count of a block; a negative count in the bytes is followed by the block's size. */
function blockHead(bytes: Uint8Array, at: number): { count: number; next: number } {
  const count = zigzag(bytes, at);
  return count.value < 0 ? { count: -count.value, next: zigzag(bytes, count.next).next } : { count: count.value, next: count.next };
}

/** Zigzag varint of a long. */
function zigzag(bytes: Uint8Array, at: number): { value: number; next: number } {
  const { value: sum, next } = varintAt(bytes, at) ?? { value: 0, next: bytes.length };
  return { value: sum % 2 === 0 ? sum / 2 : -(sum + 1) / 2, next };
}

/** Describes the key of a map, a string. */
export function describeAvroKey(bytes: Uint8Array, at: number): string {
  return `string ${zigzag(bytes, at).value}`;
}
