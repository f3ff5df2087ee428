import * as t from '../../../core/formats/flatbuffers/schema/schema.ts';
import { NULL, type SpanData, SpanTree } from '../../../core/sinks/spans/tree.ts';
import { FlatBuffersDeclared, type Meaning } from '../../describe/with-schema/flatbuffers-types.ts';
import * as role from '../../describe/terms/roles.ts';
import { ExtentBuilder, placeEntry } from './extents.ts';

/**
 * Assigns each byte of FlatBuffers to an entry of the tree; offsets, vtables, lengths and padding count for the value they
 * serve (https://flatbuffers.dev/internals). The reader validated offsets up to its error. A shared target belongs to the
 * first offset. Moves the entries to the positions of their values.
 */
export function mapFlatBuffers(bytes: Uint8Array, data: SpanData): void {
  new Mapper(bytes, data).map();
}

class Mapper {
  readonly #data: SpanData;
  readonly #view: DataView;
  readonly #declared: FlatBuffersDeclared;
  readonly #extents: ExtentBuilder;
  /** Start of the next buffer in a sequence. */
  #next = 0;

  constructor(bytes: Uint8Array, data: SpanData) {
    this.#data = data;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#declared = new FlatBuffersDeclared(new SpanTree(data, bytes));
    this.#extents = new ExtentBuilder(bytes);
  }

  map(): void {
    const data = this.#data;
    for (let node = 1; node < data.count; node += 1) {
      const parent = data.parents[node]!;
      if (this.#declared.isSequence(node)) this.#put(node, 0, data.length, 0);
      else if (parent === 0 || this.#declared.isSequence(parent)) this.#root(node);
      else this.#inside(node, parent);
    }
    data.extents = this.#extents.finish(this.#declared.isSequence(1) ? 1 : 0);
  }

  /** Reads a buffer: `u32` size in a sequence, then the buffer. */
  #root(node: number): void {
    const { sequence, parents } = this.#data;
    let origin = 0;
    if (sequence && parents[node] !== 0) {
      const at = this.#next;
      this.#extents.claim(at, 4, node, role.SIZE_PREFIX);
      origin = at + 4;
      this.#next = origin + this.#view.getUint32(at, true);
    }
    this.#buffer(node, origin, this.#declared.schema.root);
  }

  /** Reads a buffer's header: `u32` root offset | optional file identifier of 4 bytes */
  #buffer(node: number, origin: number, object: number): void {
    this.#extents.claim(origin, 4, node, role.ROOT_OFFSET);
    if (this.#declared.schema.identifier !== '') this.#extents.claim(origin + 4, 4, node, role.IDENTIFIER);
    this.#object(node, object, this.#declared.follow(origin));
  }

  /** Reads a field or an item: its inline bytes and their target. */
  #inside(node: number, parent: number): void {
    const declared = this.#declared;
    const meaning = declared.meaning(node);
    const at = this.#inline(node, parent, meaning);
    if (at <= 0) {
      const { values } = this.#data;
      this.#put(node, values[parent]!, values[parent]!, 0);
      return;
    }
    const { type, ref, field, union } = meaning;
    const size = declared.inlineSize(meaning);
    const isStruct = type === t.OBJ && declared.object(ref).struct;
    if (t.isScalar(type) && union < 0) {
      this.#extents.claim(at, size, node, role.PAYLOAD);
      this.#put(node, at, at + size, 0);
    } else if (isStruct && union < 0) {
      this.#object(node, ref, at);
    } else if (type === t.ARRAY) {
      this.#list(node, at, at + size, 0, field!.length);
    } else {
      this.#extents.claim(at, size, node, role.OFFSET);
      if (this.#data.kinds[node] === NULL || type === t.NONE) this.#put(node, at, at + size, 0);
      else this.#target(node, meaning, declared.follow(at, field?.far === true && !meaning.isItem));
    }
  }

  /** Inline position of an entry or its offset; 0 if absent. */
  #inline(node: number, parent: number, { field, isItem }: Meaning): number {
    const { values, heads, keys } = this.#data;
    const declared = this.#declared;
    if (!field) return 0;
    if (isItem) return values[parent]! + heads[parent]! + keys[node]! * declared.itemSize(field);
    const parentObject = declared.objectOf(declared.meaning(parent));
    return declared.object(parentObject).struct ? values[parent]! + field.offset : declared.slot(values[parent]!, field.id);
  }

  #target(node: number, meaning: Meaning, target: number): void {
    const declared = this.#declared;
    const { type, ref, field } = meaning;
    if (type === t.OBJ) {
      this.#object(node, ref, target);
      return;
    }
    const wide = type === t.VECTOR64 ? 8 : 4;
    const length = this.#view.getUint32(target, true);
    this.#extents.claim(target, wide, node, role.LENGTH);
    const from = target + wide;
    if (type === t.STRING) {
      this.#extents.claim(from, length, node, role.PAYLOAD);
      this.#extents.claim(from + length, 1, node, role.TERMINATOR);
      this.#put(node, target, from + length, wide);
    } else if (declared.objectOf(meaning) >= 0) {
      this.#buffer(node, from, declared.objectOf(meaning));
    } else {
      this.#list(node, target, from + length * declared.itemSize(field!), wide, length);
    }
  }

  #list(node: number, at: number, end: number, head: number, length: number): void {
    if (this.#data.numbers[node]! < length) this.#extents.region(at, end, node, role.UNREAD);
    this.#put(node, at, end, head);
  }

  /** Reads a struct, or a table: `i32` distance back to its vtable, then fields. */
  #object(node: number, object: number, at: number): void {
    const view = this.#view;
    const extents = this.#extents;
    const { struct, size } = this.#declared.object(object);
    if (struct) {
      if (extents.isFree(at)) extents.region(at, at + size, node, role.UNKNOWN);
      this.#put(node, at, at + size, 0);
      return;
    }
    const isFirst = extents.claim(at, 4, node, role.VTABLE_OFFSET);
    const vtable = at - view.getInt32(at, true);
    let end = at + 4;
    if (vtable >= 0 && vtable + 4 <= view.byteLength) {
      extents.claim(vtable, view.getUint16(vtable, true), node, role.VTABLE);
      end = Math.max(end, Math.min(at + view.getUint16(vtable + 2, true), view.byteLength));
    }
    if (isFirst) extents.region(at, end, node, role.UNKNOWN);
    this.#put(node, at, end, 4);
  }

  #put(node: number, at: number, end: number, head: number): void {
    placeEntry(this.#data, this.#data.length, node, at, end, head);
  }
}
