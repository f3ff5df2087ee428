import { SchemaError } from '../../../errors.ts';
import { unknownType } from '../../../format/unknown-type.ts';
import { Budget } from '../../../budget.ts';
import { DEFAULT_LIMITS } from '../../../limits.ts';
import { Message } from './message.ts';
import { unpack } from './packed.ts';
import { Struct } from './struct.ts';
import { ANY_POINTER, type CapnProtoSchema, ENUM, type FieldSchema, GROUP, isPointer, LIST, NO_UNION, STRUCT, type TypeSchema } from '../schema.ts';

/** Limit on the structs of a schema, counting each instance of a generic struct. Instances beyond it are untyped. */
const MAX_COUNT = 5_000;
const MAX_DEPTH = 50;

/** Types bound to the parameters of generic types, by the type's id: indices in `types`, −1 for unbound parameters. */
type Bindings = ReadonlyMap<bigint, readonly number[]>;

const UNBOUND: Bindings = new Map();

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
  const linker = new Linker(nodes);
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

/** Builds the tables: each struct, and each instance of a generic struct, once. */
class Linker {
  readonly types: TypeSchema[] = [];
  readonly structs: CapnProtoSchema['structs'] = [];
  readonly enums: CapnProtoSchema['enums'] = [];
  readonly #nodes: ReadonlyMap<bigint, Struct>;
  readonly #typeIndex = new Map<string, number>();
  readonly #structIndex = new Map<string, number>();
  readonly #enumIndex = new Map<bigint, number>();
  /** Structs whose fields have not been read yet. */
  readonly #queue: [index: number, node: Struct, bindings: Bindings][] = [];
  #busy = false;

  constructor(nodes: ReadonlyMap<bigint, Struct>) {
    this.#nodes = nodes;
  }

  struct(id: bigint, bindings: Bindings): number {
    const key = `${id} ${[...bindings].map(([scope, list]) => `${scope}:${list.join()}`).join(' ')}`;
    const known = this.#structIndex.get(key);
    if (known !== undefined) return known;
    const node = this.#nodes.get(id);
    if (!node || node.uint16(12) !== 1) throw new SchemaError(`unknown struct 0x${id.toString(16)}`);
    // Node.struct { discriminantCount 30, discriminantOffset 32 }
    const index =
      this.structs.push({
        name: nameOf(node.text(0)),
        fields: [],
        union: node.uint16(30) > 0,
        discriminantOffset: node.int32(32) >>> 0,
      }) - 1;
    this.#structIndex.set(key, index);
    this.#queue.push([index, node, bindings]);
    if (this.#busy) return index;
    this.#busy = true;
    for (let next = this.#queue.pop(); next; next = this.#queue.pop()) {
      const [at, struct, outer] = next;
      this.structs[at]!.fields = this.#fields(struct, outer);
    }
    this.#busy = false;
    return index;
  }

  /** Node.struct { fields @ pointer 3 }, Field { codeOrder 0 } */
  #fields(node: Struct, bindings: Bindings): FieldSchema[] {
    return node
      .structs(3)
      .toSorted((a, b) => a.uint16(0) - b.uint16(0))
      .map((field) => this.#field(field, bindings));
  }

  /**
   * Field { discriminantValue 2 = 0xffff, which 8, name @ pointer 0 }
   * Field.slot { offset 4, type @ pointer 2, defaultValue @ pointer 3, hadExplicitDefault 16 }, Field.group { typeId 16 }
   */
  #field(field: Struct, bindings: Bindings): FieldSchema {
    const name = field.text(0);
    const discriminant = field.uint16(2) ^ NO_UNION;
    const none = { low: 0, high: 0, at: -1, segment: -1 };
    if (field.uint16(8) === 1) {
      return { name, type: this.#type(GROUP, this.struct(field.uint64(16), bindings)), offset: 0, discriminant, ...none };
    }
    const index = this.#typeOf(field.struct(2), bindings, 0);
    const { type } = this.types[index]!;
    const value = field.struct(3);
    const offset = field.int32(4) >>> 0;
    if (isPointer(type)) {
      const at = (field.uint8(16) & 1) === 1 ? value.pointer(0) : -1;
      return { name, type: index, offset, discriminant, ...none, at, segment: at < 0 ? -1 : value.segment };
    }
    return { name, type: index, offset, discriminant, ...none, ...bitsOf(type, value) };
  }

  /** Index of the type described by Type { which 0, typeId 8, elementType or brand @ pointer 0 }. */
  #typeOf(type: Struct, bindings: Bindings, depth: number): number {
    const which = type.uint16(0);
    if (depth > MAX_DEPTH) throw new SchemaError('lists are nested too deep');
    if (which === LIST) return this.#type(LIST, this.#typeOf(type.struct(0), bindings, depth + 1));
    if (which === ENUM) return this.#type(ENUM, this.#enum(type.uint64(8)));
    if (which === STRUCT) {
      if (this.structs.length >= MAX_COUNT) return this.#type(ANY_POINTER, -1);
      return this.#type(STRUCT, this.struct(type.uint64(8), this.#bind(type.struct(0), bindings, depth)));
    }
    if (which === ANY_POINTER) {
      // anyPointer { which 8, parameter: parameterIndex 10, scopeId 16 }
      const bound = type.uint16(8) === 1 ? bindings.get(type.uint64(16))?.[type.uint16(10)] : undefined;
      return bound === undefined || bound < 0 ? this.#type(ANY_POINTER, -1) : bound;
    }
    if (which > ANY_POINTER) throw new SchemaError(`unknown type ${which}`);
    return this.#type(which, -1);
  }

  /** Brand { scopes @ pointer 0 }, Scope { scopeId 0, which 8, bind @ pointer 0 }, Binding { which 0, type @ pointer 0 } */
  #bind(brand: Struct, outer: Bindings, depth: number): Bindings {
    const scopes = brand.structs(0);
    if (scopes.length === 0) return UNBOUND;
    const bindings = new Map<bigint, readonly number[]>();
    for (const scope of scopes) {
      const id = scope.uint64(0);
      const inherited = outer.get(id);
      if (scope.uint16(8) === 0) {
        bindings.set(
          id,
          scope.structs(0).map((item) => (item.uint16(0) === 1 ? this.#typeOf(item.struct(0), outer, depth + 1) : -1)),
        );
      } else if (inherited) {
        bindings.set(id, inherited);
      }
    }
    return bindings;
  }

  /** Node.enum { enumerants @ pointer 3 }, Enumerant { name @ pointer 0 }: in the order of their values. */
  #enum(id: bigint): number {
    const known = this.#enumIndex.get(id);
    if (known !== undefined) return known;
    const node = this.#nodes.get(id);
    if (!node || node.uint16(12) !== 2) throw new SchemaError(`unknown enum 0x${id.toString(16)}`);
    const index = this.enums.push({ name: nameOf(node.text(0)), names: node.structs(3).map((item) => item.text(0)) }) - 1;
    this.#enumIndex.set(id, index);
    return index;
  }

  #type(type: number, ref: number): number {
    const key = `${type} ${ref}`;
    const known = this.#typeIndex.get(key);
    if (known !== undefined) return known;
    const index = this.types.push({ type, ref }) - 1;
    this.#typeIndex.set(key, index);
    return index;
  }
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
