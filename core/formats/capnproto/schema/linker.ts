import { SchemaError } from '../../../errors.ts';
import { ANY_POINTER, type CapnProtoSchema, ENUM, type FieldSchema, GROUP, LIST, STRUCT, type TypeSchema } from './schema.ts';

/** Limit on the structs of a schema, counting each instance of a generic struct. Instances beyond it are untyped. */
const MAX_COUNT = 5_000;
const MAX_DEPTH = 50;

/** Identifier of a struct or an enum in its source. */
export type NodeId = bigint | number;

/** A type as it is written in a schema. */
export interface TypeUse {
  /** Number in schema.capnp. */
  readonly which: number;
  /** The struct or enum. */
  readonly id: NodeId;
  /** Type of a list's items. */
  element(): TypeUse;
  /** Types bound to the parameters of a generic struct and of the scopes around it, innermost first. */
  brand(): readonly Scope[];
  /** The parameter that an untyped pointer is, by its scope and its position there. */
  readonly parameter: { readonly scope: NodeId; readonly index: number } | undefined;
}

/** Types bound to the parameters of one scope: undefined for the bindings of the surrounding type. */
export interface Scope {
  readonly id: NodeId;
  bound(): readonly (TypeUse | undefined)[] | undefined;
}

/** A field as it is written in a schema. */
export interface FieldNode extends Pick<FieldSchema, 'name' | 'offset' | 'discriminant'> {
  /** The struct that holds the fields of a group. */
  readonly group: NodeId | undefined;
  type(): TypeUse;
  /** Its default, by the number of its type. */
  default(type: number): Pick<FieldSchema, 'low' | 'high' | 'at' | 'segment'>;
}

/** A struct as it is written in a schema. */
export interface StructNode {
  readonly name: string;
  readonly union: boolean;
  readonly discriminantOffset: number;
  /** In declaration order. */
  fields(): readonly FieldNode[];
}

/** The structs and enums of a schema, in any form. */
export interface SchemaNodes {
  struct(id: NodeId): StructNode | undefined;
  enum(id: NodeId): { name: string; names: string[] } | undefined;
}

/** Types bound to the parameters of generic types, by the type's id: indices in `types`, −1 for unbound parameters. */
type Bindings = ReadonlyMap<NodeId, readonly number[]>;

export const UNBOUND: Bindings = new Map();

/** A field without a default, or whose default is zero. */
export const NO_DEFAULT = { low: 0, high: 0, at: -1, segment: -1 } as const;

/** Builds the tables: each struct, and each instance of a generic struct, once. */
export class Linker {
  readonly types: TypeSchema[] = [];
  readonly structs: CapnProtoSchema['structs'] = [];
  readonly enums: CapnProtoSchema['enums'] = [];
  /** The source of each struct. */
  readonly sources: StructNode[] = [];
  readonly #nodes: SchemaNodes;
  readonly #typeIndex = new Map<string, number>();
  readonly #structIndex = new Map<string, number>();
  readonly #enumIndex = new Map<NodeId, number>();
  /** Structs whose fields have not been read yet. */
  readonly #queue: [index: number, node: StructNode, bindings: Bindings][] = [];
  #busy = false;

  constructor(nodes: SchemaNodes) {
    this.#nodes = nodes;
  }

  struct(id: NodeId, bindings: Bindings): number {
    const key = `${id} ${[...bindings].map(([scope, list]) => `${scope}:${list.join()}`).join(' ')}`;
    const known = this.#structIndex.get(key);
    if (known !== undefined) return known;
    const node = this.#nodes.struct(id);
    if (!node) throw new SchemaError(`unknown struct 0x${id.toString(16)}`);
    const { name, union, discriminantOffset } = node;
    const index = this.structs.push({ name, fields: [], union, discriminantOffset }) - 1;
    this.sources.push(node);
    this.#structIndex.set(key, index);
    this.#queue.push([index, node, bindings]);
    if (this.#busy) return index;
    this.#busy = true;
    for (let next = this.#queue.pop(); next; next = this.#queue.pop()) {
      const [at, source, outer] = next;
      this.structs[at]!.fields = source.fields().map((field) => this.#field(field, outer));
    }
    this.#busy = false;
    return index;
  }

  #field(field: FieldNode, bindings: Bindings): FieldSchema {
    const { name, offset, discriminant, group } = field;
    if (group !== undefined) return { name, type: this.#type(GROUP, this.struct(group, bindings)), offset: 0, discriminant, ...NO_DEFAULT };
    const type = this.typeOf(field.type(), bindings);
    return { name, type, offset, discriminant, ...field.default(this.types[type]!.type) };
  }

  /** Index of a type. */
  typeOf(use: TypeUse, bindings: Bindings, depth = 0): number {
    const { which } = use;
    if (depth > MAX_DEPTH) throw new SchemaError('lists are nested too deep');
    if (which === LIST) return this.#type(LIST, this.typeOf(use.element(), bindings, depth + 1));
    if (which === ENUM) return this.#type(ENUM, this.#enum(use.id));
    if (which === STRUCT) {
      if (this.structs.length >= MAX_COUNT) return this.#type(ANY_POINTER, -1);
      return this.#type(STRUCT, this.struct(use.id, this.#bind(use.brand(), bindings, depth)));
    }
    if (which === ANY_POINTER) {
      const { parameter } = use;
      const bound = parameter && bindings.get(parameter.scope)?.[parameter.index];
      return bound === undefined || bound < 0 ? this.#type(ANY_POINTER, -1) : bound;
    }
    if (which > ANY_POINTER) throw new SchemaError(`unknown type ${which}`);
    return this.#type(which, -1);
  }

  #bind(scopes: readonly Scope[], outer: Bindings, depth: number): Bindings {
    if (scopes.length === 0) return UNBOUND;
    const bindings = new Map<NodeId, readonly number[]>();
    for (const scope of scopes) {
      const bound = scope.bound()?.map((use) => (use ? this.typeOf(use, outer, depth + 1) : -1)) ?? outer.get(scope.id);
      if (bound) bindings.set(scope.id, bound);
    }
    return bindings;
  }

  #enum(id: NodeId): number {
    const known = this.#enumIndex.get(id);
    if (known !== undefined) return known;
    const node = this.#nodes.enum(id);
    if (!node) throw new SchemaError(`unknown enum 0x${id.toString(16)}`);
    const index = this.enums.push(node) - 1;
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
