import { messageOfAny } from '../../describe/with-schema/protobuf-types.ts';
import { REPLACED, LENGTH, PAYLOAD, FIELD_TAG } from '../../describe/terms/roles.ts';
import * as type from '../../../core/formats/protobuf/schema/schema.ts';
import type { FieldSchema, ProtobufSchema } from '../../../core/formats/protobuf/schema/schema.ts';
import * as is from '../../../core/sinks/spans/tree.ts';
import { NONE, type SpanData, SpanTree } from '../../../core/sinks/spans/tree.ts';
import { Columns } from './columns.ts';
import { runsOf } from './extents.ts';

/** No message type: the fields have numbers instead of names. */
const UNTYPED = -1;

/**
 * Arranges the fields of Protocol Buffers messages as a decoder does, where `walkProtobuf` lists them in the order of
 * their bytes: the values of a repeated field form a list, those of a map an object; of a field that occurs several times
 * the last value counts, and messages are merged (https://protobuf.dev/programming-guides/encoding/#last-one-wins). Fields
 * without a type form a list if they repeat. If a list's bytes are not consecutive, the result has extents.
 */
export function groupFields(data: SpanData, bytes: Uint8Array, schema: ProtobufSchema | undefined): SpanData {
  return new Grouping(data, bytes, schema).run();
}

/** A key's values in a message, in the order of their bytes. */
type Occurrences = number[];

class Grouping {
  readonly #data: SpanData;
  readonly #tree: SpanTree;
  readonly #schema: ProtobufSchema | undefined;
  readonly #fields: readonly ReadonlyMap<string, FieldSchema>[];
  readonly #names: string[];
  readonly #nameIndices: Map<string, number>;
  /** Columns of the result. */
  readonly #out: Columns;
  /** New entry of each old one; the entry that owns its bytes, if it is left out. */
  readonly #moved: Uint32Array;
  readonly #replaced = new Set<number>();
  #isInOrder = true;
  /** End of the last leaf that was placed. */
  #last = 0;

  constructor(data: SpanData, bytes: Uint8Array, schema: ProtobufSchema | undefined) {
    this.#data = data;
    this.#tree = new SpanTree(data, bytes);
    this.#schema = schema;
    this.#fields = schema?.messages.map(({ fields }) => new Map(fields.map((field) => [field.name, field]))) ?? [];
    this.#names = [...data.names];
    this.#nameIndices = new Map(data.names.map((name, index) => [name, index]));
    this.#out = new Columns(data.count);
    this.#moved = new Uint32Array(data.count);
  }

  run(): SpanData {
    const { count, sequence, roots } = this.#data;
    if (count < 2) return this.#data;
    this.#out.numbers[0] = this.#data.numbers[0]!;
    this.#out.ends[0] = this.#data.ends[0]!;
    this.#out.keys[0] = NONE;
    if (roots) this.#copy(1, 0, NONE);
    else if (sequence) this.#container(1, 0, NONE, this.#tree.children(1), this.#root);
    else this.#place(1, 0, NONE, this.#root);
    this.#out.nexts[0] = this.#out.count;
    return this.#result();
  }

  get #root(): number {
    return this.#schema?.root ?? UNTYPED;
  }

  /** Copies framing, up to the payloads inside. */
  #copy(node: number, parent: number, key: number): void {
    if (this.#data.roots!.has(node)) return void this.#place(node, parent, key, this.#root);
    const made = this.#add(node, parent, key);
    for (const child of this.#tree.children(node)) this.#copy(child, made, this.#data.keys[child]!);
    this.#out.nexts[made] = this.#out.count;
  }

  /** Places a value and its descendants. `message` is its type, if it is a message. */
  #place(node: number, parent: number, key: number, message: number): number {
    const children = this.#tree.isContainer(node) ? this.#tree.children(node) : [];
    if (this.#data.kinds[node] === is.OBJECT) return this.#message([node], parent, key, message);
    return this.#container(node, parent, key, children, UNTYPED);
  }

  /** Places a list's items. */
  #container(node: number, parent: number, key: number, children: readonly number[], message: number): number {
    const made = this.#add(node, parent, key);
    children.forEach((child, index) => this.#place(child, made, index, message));
    this.#out.nexts[made] = this.#out.count;
    return made;
  }

  /** Places a message; several are merged. */
  #message(nodes: readonly number[], parent: number, key: number, message: number): number {
    const made = this.#add(nodes[0]!, parent, key);
    for (const node of nodes) this.#moved[node] = made;
    const all = nodes.flatMap((node) => this.#tree.children(node));
    const found = this.#occurrences(all, message);
    this.#out.numbers[made] = found.size;
    for (const [name, values] of found) this.#field(made, name, values, this.#fieldOf(message, name), message);
    for (const child of all) if (this.#replaced.has(child)) this.#give(child, made);
    this.#out.nexts[made] = this.#out.count;
    return made;
  }

  #fieldOf(message: number, name: number): FieldSchema | undefined {
    return this.#fields[message]?.get(this.#data.names[name]!);
  }

  /** Values by key. Of a oneof, only those of the member that came last. */
  #occurrences(children: readonly number[], message: number): Map<number, Occurrences> {
    const found = new Map<number, Occurrences>();
    const chosen = new Map<number, number>();
    for (const child of children) {
      const key = this.#data.keys[child]!;
      const oneof = this.#fieldOf(message, key)?.oneof ?? -1;
      const before = chosen.get(oneof);
      if (oneof >= 0 && before !== undefined && before !== key) {
        for (const value of found.get(before) ?? []) this.#replaced.add(value);
        found.delete(before);
      }
      if (oneof >= 0) chosen.set(oneof, key);
      const values = found.get(key);
      if (values) values.push(child);
      else found.set(key, [child]);
    }
    return found;
  }

  #field(parent: number, name: number, values: Occurrences, field: FieldSchema | undefined, message: number): void {
    const { kinds } = this.#data;
    if (field?.repeated && this.#isMap(field)) return this.#map(parent, name, values, field);
    const inner = this.#typeOf(field, message, values[0]!);
    const isList = field?.repeated ?? values.length > 1;
    // A packed list is a list already.
    const isPacked = isList && values.length === 1 && kinds[values[0]!] === is.ARRAY;
    if (isList && !isPacked) return this.#list(parent, name, values, inner, field !== undefined);
    const last = values.at(-1)!;
    if (values.length > 1 && values.every((value) => kinds[value] === is.OBJECT)) {
      this.#message(values, parent, name, inner);
      return;
    }
    for (const value of values.slice(0, -1)) this.#replaced.add(value);
    this.#place(last, parent, name, inner);
  }

  /** Type of a field's messages. */
  #typeOf(field: FieldSchema | undefined, message: number, node: number): number {
    if (!this.#schema || !field) return UNTYPED;
    if (field.type === type.MESSAGE || field.type === type.GROUP) return field.ref;
    return this.#data.kinds[node] === is.OBJECT ? messageOfAny(this.#tree, this.#schema, node, message) : UNTYPED;
  }

  #isMap({ ref, type: kind }: FieldSchema): boolean {
    return kind === type.MESSAGE && this.#schema!.messages[ref]!.mapEntry;
  }

  #list(parent: number, name: number, values: Occurrences, message: number, isTyped: boolean): void {
    const { kinds, starts, ends } = this.#data;
    const list = this.#begin(is.ARRAY, parent, name, starts[values[0]!]!, ends[values.at(-1)!]!);
    let index = 0;
    for (const value of values) {
      if (isTyped && kinds[value] === is.ARRAY) {
        this.#moved[value] = list;
        for (const item of this.#tree.children(value)) this.#place(item, list, index++, UNTYPED);
      } else {
        this.#place(value, list, index++, message);
      }
    }
    this.#out.numbers[list] = index;
    this.#out.nexts[list] = this.#out.count;
  }

  /** Map entries as the keys of an object. */
  #map(parent: number, name: number, values: Occurrences, { ref }: FieldSchema): void {
    const { starts, ends, keys, names } = this.#data;
    const entry = this.#schema!.messages[ref]!;
    const [keyField, valueField] = [1, 2].map((number) => entry.fields.find((field) => field.number === number)!);
    const object = this.#begin(is.OBJECT, parent, name, starts[values[0]!]!, ends[values.at(-1)!]!);
    const entries = new Map<string, { entry: number; parts: Occurrences }>();
    for (const value of values) {
      const children = this.#tree.children(value);
      const key = children.findLast((child) => names[keys[child]!] === keyField!.name);
      const text = key === undefined ? defaultKey(keyField!) : this.#keyText(key);
      const before = entries.get(text);
      if (before) this.#replaced.add(before.entry);
      entries.set(text, { entry: value, parts: children.filter((child) => names[keys[child]!] === valueField!.name) });
    }
    this.#out.numbers[object] = entries.size;
    for (const [text, { entry: node, parts }] of entries) {
      const made = this.#mapValue(object, node, parts, valueField!);
      this.#out.keys[made] = this.#nameIndex(text);
      this.#out.starts[made] = starts[node]!;
      this.#moved[node] = made;
      for (const child of this.#tree.children(node)) if (!parts.includes(child) || this.#replaced.has(child)) this.#give(child, made);
    }
    for (const value of values) if (this.#replaced.has(value)) this.#give(value, object);
    this.#out.nexts[object] = this.#out.count;
  }

  /** Value of a map entry, whose bytes may hold it several times, or not at all. */
  #mapValue(parent: number, entry: number, parts: Occurrences, field: FieldSchema): number {
    const last = parts.at(-1);
    if (last === undefined) return this.#absent(parent, entry, field);
    if (this.#data.kinds[last] === is.OBJECT) return this.#message(parts, parent, 0, valueTypeOf(field));
    for (const part of parts.slice(0, -1)) this.#replaced.add(part);
    return this.#place(last, parent, 0, UNTYPED);
  }

  /** Value of a map entry without one: the default of its type. */
  #absent(parent: number, entry: number, { type: kind }: FieldSchema): number {
    const at = this.#data.ends[entry]!;
    const kinds: Readonly<Record<number, number>> = {
      [type.BOOL]: is.FALSE,
      [type.STRING]: is.STRING,
      [type.BYTES]: is.BINARY,
      [type.MESSAGE]: is.OBJECT,
      [type.GROUP]: is.OBJECT,
      [type.DOUBLE]: is.FLOAT,
      [type.FLOAT]: is.FLOAT,
    };
    return this.#begin(kinds[kind] ?? is.INTEGER, parent, 0, at, at);
  }

  #keyText(node: number): string {
    const { kinds, numbers, storedValues } = this.#data;
    switch (kinds[node]) {
      case is.STRING:
      case is.TEXT:
        return this.#tree.text(node);
      case is.BIGINT:
        return String(storedValues.get(node));
      case is.TRUE:
      case is.FALSE:
        return String(kinds[node] === is.TRUE);
      default:
        return String(numbers[node]);
    }
  }

  #nameIndex(name: string): number {
    let index = this.#nameIndices.get(name);
    if (index === undefined) {
      index = this.#names.push(name) - 1;
      this.#nameIndices.set(name, index);
    }
    return index;
  }

  /** Gives the bytes of an omitted value, and of its descendants, to an entry. */
  #give(node: number, owner: number): void {
    this.#moved.fill(owner, node, this.#data.nexts[node]);
  }

  #add(node: number, parent: number, key: number): number {
    const { kinds, starts, ends } = this.#data;
    const made = this.#out.copy(this.#data, node, parent, key);
    this.#moved[node] = made;
    if (starts[node]! < this.#last) this.#isInOrder = false;
    if (kinds[node]! < is.ARRAY) this.#last = ends[node]!;
    return made;
  }

  #begin(kind: number, parent: number, key: number, start: number, end: number): number {
    if (start < this.#last || end < start) this.#isInOrder = false;
    return this.#out.begin(kind, parent, key, start, end);
  }

  #result(): SpanData {
    const { length, tail } = this.#data;
    const moved = <T>(values: ReadonlyMap<number, T>): Map<number, T> => new Map([...values].map(([node, value]) => [this.#moved[node]!, value]));
    const { storedValues, elsewhere, shell, roots, schema, format, sequence } = this.#data;
    return {
      ...this.#out.columns(),
      length,
      tail,
      names: this.#names,
      storedValues: moved(storedValues),
      elsewhere: moved(elsewhere),
      ...(shell && { shell: moved(shell) }),
      ...(roots && { roots: new Set([...roots].map((node) => this.#moved[node]!)) }),
      ...(schema !== undefined && { schema }),
      ...(format !== undefined && { format }),
      ...(sequence !== undefined && { sequence }),
      ...(!(this.#isInOrder && this.#areNested()) && { extents: this.#extents() }),
    };
  }

  /** True if every entry lies in its container, after the entries before it. */
  #areNested(): boolean {
    const { count, starts, values, ends, parents } = this.#out;
    const lastEnd = new Uint32Array(count);
    for (let node = 1; node < count; node += 1) {
      const parent = parents[node]!;
      if (starts[node]! < Math.max(values[parent]!, lastEnd[parent]!) || ends[node]! > ends[parent]!) return false;
      lastEnd[parent] = ends[node]!;
    }
    return true;
  }

  /** Owners of all bytes: of the tag, the length and the payload of each value as read. */
  #extents(): SpanData['extents'] {
    const { starts, values, heads, ends, count, length } = this.#data;
    const owners = new Uint32Array(length);
    const roles = new Uint8Array(length);
    for (let node = 1; node < count; node += 1) {
      const owner = this.#moved[node]!;
      const payload = values[node]! + heads[node]!;
      owners.fill(owner, starts[node], ends[node]);
      const isKept = !this.#replaced.has(node);
      roles.fill(isKept ? FIELD_TAG : REPLACED, starts[node], values[node]);
      roles.fill(isKept ? LENGTH : REPLACED, values[node], payload);
      roles.fill(isKept ? PAYLOAD : REPLACED, payload, ends[node]);
    }
    return runsOf(owners, roles);
  }
}

function valueTypeOf({ type: kind, ref }: FieldSchema): number {
  return kind === type.MESSAGE || kind === type.GROUP ? ref : UNTYPED;
}

/** Key of a map entry that has none: the default of its type. */
function defaultKey({ type: kind }: FieldSchema): string {
  return kind === type.STRING ? '' : kind === type.BOOL ? 'false' : '0';
}
