import { SchemaError } from '../../../errors.ts';
import { unknownType } from '../../../format/unknown-type.ts';
import { Budget } from '../../../budget.ts';
import { DEFAULT_LIMITS } from '../../../limits.ts';
import { Message } from '../read/message.ts';
import { unpack } from '../read/packed.ts';
import { Struct } from './struct.ts';
import { type FieldNode, Linker, NO_DEFAULT, type NodeId, type SchemaNodes, type Scope, type StructNode, type TypeUse, UNBOUND } from './linker.ts';
import { type CapnProtoSchema, ENUM, isPointer, NO_UNION } from './schema.ts';

/**
 * Reads a schema from a CodeGeneratorRequest, the output of `capnp compile -o-`: a message of schema.capnp. The
 * numbers below are the positions of its fields: bytes of the data section, and indices of pointers.
 */
export function readRequest(input: Uint8Array, struct: string): CapnProtoSchema {
  const message = open(input);
  const nodes = new Map<bigint, Struct>();
  // CodeGeneratorRequest { nodes @ pointer 0 }, Node { id 0, displayName @ pointer 0, which 12 }
  for (const node of Struct.at(message, message.starts[0]!, 0).structs(0)) nodes.set(node.uint64(0), node);
  const isStruct = (node: Struct): boolean => node.uint16(12) === 1 && (node.uint8(28) & 1) === 0;
  const named = [...nodes].filter(([, node]) => isStruct(node)).map(([id, node]) => [id, node.text(0)] as const);
  const found = named.filter(([, name]) => name === struct || nameOf(name) === struct);
  if (found.length !== 1) {
    if (found.length > 1) throw new SchemaError(`ambiguous struct ${struct}: ${found.map(([, name]) => name).join(', ')}`);
    const names = named.map(([, name]) => nameOf(name));
    throw unknownType('struct', struct, names);
  }
  const linker = new Linker(new Nodes(nodes));
  const root = linker.struct(found[0]![0], UNBOUND);
  const { types, structs, enums } = linker;
  const hasDefaults = structs.some(({ fields }) => fields.some(({ at }) => at >= 0));
  return { root, types, structs, enums, request: hasDefaults ? message.bytes : new Uint8Array(0) };
}

/** The message in the bytes of a request, packed or not, which begin at offset 0. */
export function open(input: Uint8Array): Message {
  const message = new Message();
  const use = (bytes: Uint8Array): number => {
    message.useWindow(bytes, new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), 0);
    return message.frame(0, bytes.length);
  };
  if (use(input) === input.length && input.length > 0) return message;
  const budget = new Budget(DEFAULT_LIMITS);
  budget.receive(input.length);
  const unpacked = unpack(input, 0, input.length, 0, budget);
  if (use(unpacked) !== unpacked.length || unpacked.length === 0) throw new SchemaError('the request is not a Cap’n Proto message');
  return message;
}

/** A name without its file. */
function nameOf(displayName: string): string {
  return displayName.slice(displayName.lastIndexOf(':') + 1);
}

/** The nodes of a request. */
class Nodes implements SchemaNodes {
  readonly #nodes: ReadonlyMap<NodeId, Struct>;

  constructor(nodes: ReadonlyMap<NodeId, Struct>) {
    this.#nodes = nodes;
  }

  /** Node.struct { discriminantCount 30, discriminantOffset 32, fields @ pointer 3 }, Field { codeOrder 0 } */
  struct(id: NodeId): StructNode | undefined {
    const node = this.#nodes.get(id);
    if (node?.uint16(12) !== 1) return undefined;
    return {
      name: nameOf(node.text(0)),
      union: node.uint16(30) > 0,
      discriminantOffset: node.int32(32) >>> 0,
      fields: () =>
        node
          .structs(3)
          .toSorted((a, b) => a.uint16(0) - b.uint16(0))
          .map(fieldOf),
    };
  }

  /** Node.enum { enumerants @ pointer 3 }, Enumerant { name @ pointer 0 }: in the order of their values. */
  enum(id: NodeId): { name: string; names: string[] } | undefined {
    const node = this.#nodes.get(id);
    return node?.uint16(12) === 2 ? { name: nameOf(node.text(0)), names: node.structs(3).map((item) => item.text(0)) } : undefined;
  }
}

/**
 * Field { discriminantValue 2 = 0xffff, which 8, name @ pointer 0 }
 * Field.slot { offset 4, type @ pointer 2, defaultValue @ pointer 3, hadExplicitDefault 16 }, Field.group { typeId 16 }
 */
function fieldOf(field: Struct): FieldNode {
  return {
    name: field.text(0),
    discriminant: field.uint16(2) ^ NO_UNION,
    group: field.uint16(8) === 1 ? field.uint64(16) : undefined,
    offset: field.int32(4) >>> 0,
    type: () => typeOf(field.struct(2)),
    default: (type) => {
      const value = field.struct(3);
      if (!isPointer(type)) return { ...NO_DEFAULT, ...bitsOf(type, value) };
      const at = (field.uint8(16) & 1) === 1 ? value.pointer(0) : -1;
      return at < 0 ? NO_DEFAULT : { ...NO_DEFAULT, at, segment: value.segment };
    },
  };
}

/** Type { which 0, typeId 8, elementType or brand @ pointer 0 }, anyPointer { which 8, parameter: parameterIndex 10, scopeId 16 } */
function typeOf(type: Struct): TypeUse {
  return {
    which: type.uint16(0),
    id: type.uint64(8),
    element: () => typeOf(type.struct(0)),
    brand: () => type.struct(0).structs(0).map(scopeOf),
    parameter: type.uint16(8) === 1 ? { scope: type.uint64(16), index: type.uint16(10) } : undefined,
  };
}

/** Scope { scopeId 0, which 8, bind @ pointer 0 }, Binding { which 0, type @ pointer 0 } */
function scopeOf(scope: Struct): Scope {
  return {
    id: scope.uint64(0),
    bound: () => (scope.uint16(8) === 0 ? scope.structs(0).map((item) => (item.uint16(0) === 1 ? typeOf(item.struct(0)) : undefined)) : undefined),
  };
}

/** Bits of Value { which 0, then at 2, 4 or 8 by size }. */
function bitsOf(type: number, value: Struct): { low: number; high: number } {
  switch (type) {
    case 1:
      return { low: value.uint8(2) & 1, high: 0 };
    case 2:
    case 6:
      return { low: value.uint8(2), high: 0 };
    case 3:
    case 7:
    case ENUM:
      return { low: value.uint16(2), high: 0 };
    case 4:
    case 8:
    case 10:
      return { low: value.int32(4), high: 0 };
    case 5:
    case 9:
    case 11:
      return { low: value.int32(8), high: value.int32(12) };
    default:
      return { low: 0, high: 0 };
  }
}
