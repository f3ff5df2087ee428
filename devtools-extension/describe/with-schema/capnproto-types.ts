import * as t from '../../../core/formats/capnproto/schema/schema.ts';
import type { CapnProtoSchema, FieldSchema } from '../../../core/formats/capnproto/schema/schema.ts';
import * as is from '../../../core/sinks/spans/tree.ts';
import type { SpanTree } from '../../../core/sinks/spans/tree.ts';
import { Declared, UNDECLARED } from '../terms/declared.ts';

const NAMES = [
  'Void',
  'Bool',
  'Int8',
  'Int16',
  'Int32',
  'Int64',
  'UInt8',
  'UInt16',
  'UInt32',
  'UInt64',
  'Float32',
  'Float64',
  'Text',
  'Data',
  'List',
  'enum',
  'struct',
  'interface',
  'AnyPointer',
  'group',
];

/** Type numbers are those of the schema's table, followed by the structs and the targets of untyped pointers. */
export class CapnProtoDeclared extends Declared {
  readonly schema: CapnProtoSchema;
  readonly #fields: ReadonlyMap<string, FieldSchema>[];
  readonly #any: number;

  constructor(tree: SpanTree) {
    super(tree);
    this.schema = tree.data.schema as CapnProtoSchema;
    const { structs, types } = this.schema;
    this.#fields = structs.map(({ fields }) => new Map(fields.map((field) => [field.name, field])));
    this.#any = types.length + structs.length;
  }

  protected root(): number {
    return this.schema.types.length + this.schema.root;
  }

  protected child(node: number, parent: number, parentType: number): number {
    const { types } = this.schema;
    const struct = this.structOf(parentType);
    if (struct >= 0) return this.#fields[struct]!.get(String(this.tree.key(node)))?.type ?? UNDECLARED;
    if (types[parentType]?.type === t.LIST) return types[parentType].ref;
    if (this.kindOf(parentType) !== t.ANY_POINTER) return UNDECLARED;
    // An untyped value is an object of `data` and `pointers`, or a list.
    return this.tree.data.kinds[parent] === is.OBJECT ? this.#any + 1 : this.#any;
  }

  /** Kind of a type. For untyped pointers, the value shows whether it is `DATA` or a list. */
  kindOf(code: number): number {
    if (code >= this.#any) return t.ANY_POINTER;
    return code >= this.schema.types.length ? t.STRUCT : (this.schema.types[code]?.type ?? t.VOID);
  }

  /** True for the two parts of an untyped struct. */
  isPart(code: number): boolean {
    return code === this.#any + 1;
  }

  /** Index of a struct or group; −1 for other types. */
  structOf(code: number): number {
    const { types } = this.schema;
    if (code >= types.length) return code < this.#any ? code - types.length : -1;
    const type = types[code];
    return type?.type === t.STRUCT || type?.type === t.GROUP ? type.ref : -1;
  }

  /** Field of a struct for an entry. */
  field(node: number, struct: number): FieldSchema | undefined {
    return this.#fields[struct]!.get(String(this.tree.key(node)));
  }

  /** Type in the schema's notation. */
  text(code: number): string {
    const { types, structs, enums } = this.schema;
    const struct = this.structOf(code);
    if (struct >= 0) return structs[struct]!.name;
    const type = types[code];
    if (!type) return 'AnyPointer';
    if (type.type === t.LIST) return `List(${this.text(type.ref)})`;
    return type.type === t.ENUM ? enums[type.ref]!.name : NAMES[type.type]!;
  }

  /** Field of an entry, with its type. */
  note(node: number): string {
    const code = this.typeOf(node);
    if (code === UNDECLARED) return '';
    const parent = this.tree.data.parents[node]!;
    const struct = parent > 0 ? this.structOf(this.typeOf(parent)) : -1;
    return struct < 0 ? this.text(code) : `${this.schema.structs[struct]!.name}.${String(this.tree.key(node))} :${this.text(code)}`;
  }
}
