import * as t from '../../../core/formats/jsbinary/schema.ts';
import type { JsBinarySchema } from '../../../core/formats/jsbinary/schema.ts';
import * as is from '../../../core/sinks/spans/tree.ts';
import type { SpanTree } from '../../../core/sinks/spans/tree.ts';
import { Declared, declaredOf, UNDECLARED } from '../terms/declared.ts';
import type { Description, Place } from '../terms/description.ts';
import { describeJson } from '../without-schema/json.ts';

const NAMES = ['uint', 'int', 'date', 'float', 'boolean', 'oid', 'string', 'Buffer', 'json', 'regex', 'array', 'object'];

/** Type numbers are those of the schema's tables. */
class JsBinaryDeclared extends Declared {
  get schema(): JsBinarySchema {
    return this.tree.data.schema as JsBinarySchema;
  }

  protected root(): number {
    return 0;
  }

  protected child(node: number, _parent: number, parentType: number): number {
    const { kinds, first, fieldTypes } = this.schema;
    if (kinds[parentType] === t.ARRAY) return first[parentType]!;
    return kinds[parentType] === t.OBJECT ? (fieldTypes[this.fieldOf(node, parentType)] ?? UNDECLARED) : UNDECLARED;
  }

  /** Field number of an entry in an object of type `parentType`. */
  fieldOf(node: number, parentType: number): number {
    return this.schema.first[parentType]! + this.schema.keys[parentType]!.indexOf(String(this.tree.key(node)));
  }

  /** Type of the object that an entry is a field of, or `UNDECLARED`. */
  #objectAround(node: number): number {
    const parent = this.tree.data.parents[node]!;
    const parentType = parent > 0 ? this.typeOf(parent) : UNDECLARED;
    return parentType !== UNDECLARED && this.schema.kinds[parentType] === t.OBJECT ? parentType : UNDECLARED;
  }

  isOptional(node: number): boolean {
    const parentType = this.#objectAround(node);
    return parentType !== UNDECLARED && this.schema.optional[this.fieldOf(node, parentType)] === 1;
  }

  /** Field of an entry, with its type. */
  note(node: number): string {
    const type = this.typeOf(node);
    if (type === UNDECLARED) return '';
    if (this.#objectAround(node) === UNDECLARED) return this.text(type);
    return `${String(this.tree.key(node))}${this.isOptional(node) ? '?' : ''}: ${this.text(type)}`;
  }

  text(type: number): string {
    const { kinds, first } = this.schema;
    return kinds[type] === t.ARRAY ? `[${this.text(first[type]!)}]` : NAMES[kinds[type]!]!;
  }
}

/** Field of an entry, with its type. */
export function noteJsBinary(tree: SpanTree, node: number): string {
  return declaredOf(tree, JsBinaryDeclared).note(node);
}

/** Describes the encoding of a value (https://www.npmjs.com/package/js-binary). */
export function describeJsBinary(place: Place): Description {
  const { tree, node, bytes, at, end } = place;
  const declared = declaredOf(tree, JsBinaryDeclared);
  if (declared.isSequence(node)) return { name: 'sequence of values', type: 0, length: 0 };
  const { schema } = declared;
  const type = declared.typeOf(node);
  if (type === UNDECLARED) return describeInner(place);
  const kind = schema.kinds[type]!;
  const optional = declared.isOptional(node);
  if (optional && tree.data.kinds[node] === is.UNDEFINED) return { name: 'optional, absent', type: end - at, length: 0 };
  const name = NAMES[kind]!;
  const size = kind === t.OBJECT || at >= end ? 0 : bytes[at]! < 0x80 ? 1 : bytes[at]! < 0xc0 ? 2 : bytes[at]! < 0xe0 ? 4 : 8;
  switch (kind) {
    case t.UINT:
    case t.INT:
    case t.DATE:
      return { name: `${name} in ${size} ${size === 1 ? 'byte' : 'bytes'}`, family: name, type: 0, length: 0 };
    case t.STRING:
    case t.BUFFER:
    case t.JSON_TEXT:
    case t.REGEX:
    case t.ARRAY:
      return { name: `${name} ${uint(bytes, at, size)}`, family: name, type: 0, length: size };
    default:
      return { name, type: 0, length: 0 };
  }
}

/** Describes values that the schema does not cover: inside JSON text, or a regular expression's source and flags. */
function describeInner(place: Place): Description {
  const { tree, node, bytes } = place;
  const parent = tree.data.parents[node]!;
  if (tree.data.kinds[parent] === is.TAGGED) return { name: 'source and flags', type: 0, length: 0 };
  if (tree.data.kinds[tree.data.parents[parent]!] === is.TAGGED) {
    return { name: tree.key(node) === 0 ? 'source' : 'flags', type: 0, length: 0 };
  }
  // The entry starts with the commas, colons and white space before the value.
  let { at } = place;
  while (at < place.end && ' \t\r\n,:'.includes(String.fromCharCode(bytes[at]!))) at += 1;
  if (tree.data.kinds[node] === is.STRING) {
    return { name: `string ${place.end - tree.payload(node)}`, family: 'string', type: tree.payload(node) - place.at, length: 0 };
  }
  const { name, family, type } = describeJson({ ...place, at });
  return { name, family: family ?? name, type: at - place.at + type, length: 0 };
}

function uint(bytes: Uint8Array, at: number, size: number): number {
  let value = bytes[at]! & (size === 1 ? 0x7f : size === 2 ? 0x3f : 0x1f);
  for (let i = 1; i < size; i += 1) value = value * 256 + (bytes[at + i] ?? 0);
  return value;
}
