import { CAPABILITY, COMPOSITE, Message, NULL_POINTER, POINTERS, STRUCT_POINTER } from '../../../core/formats/capnproto/read/message.ts';
import * as t from '../../../core/formats/capnproto/schema/schema.ts';
import { type SpanData, SpanTree } from '../../../core/sinks/spans/tree.ts';
import { CapnProtoDeclared } from '../../describe/with-schema/capnproto-types.ts';
import * as role from '../../describe/terms/roles.ts';
import { ExtentBuilder, placeEntry } from './extents.ts';

// Kinds of containers: a struct or group, a list, an untyped struct, or a default without bytes.
const STRUCT = 0;
const LIST = 1;
const UNTYPED = 2;
const ABSENT = 3;

/** An open container: the position of its data or first item, and the layout of its pointers or items. */
interface Frame {
  node: number;
  kind: number;
  /** Declared type. */
  code: number;
  at: number;
  dataBytes: number;
  pointers: number;
  segment: number;
  /** For a list: distance between items, and the item size from the pointer. */
  step: number;
  itemSize: number;
}

/**
 * Assigns each byte of Cap'n Proto messages to an entry of the tree; pointers, tags and padding count for the value they
 * serve (https://capnproto.org/encoding.html). The reader validated pointers up to its error. A shared target belongs to
 * the first pointer. Moves the entries to the positions of their values. `bytes` are unpacked.
 */
export function mapCapnProto(bytes: Uint8Array, data: SpanData): void {
  new Mapper(bytes, data).map();
}

class Mapper {
  readonly #data: SpanData;
  readonly #length: number;
  readonly #declared: CapnProtoDeclared;
  readonly #extents: ExtentBuilder;
  readonly #message = new Message();
  readonly #frames: Frame[] = [];
  /** Start of the next message. */
  #next = 0;

  constructor(bytes: Uint8Array, data: SpanData) {
    this.#data = data;
    this.#length = bytes.length;
    this.#declared = new CapnProtoDeclared(new SpanTree(data, bytes));
    this.#extents = new ExtentBuilder(bytes);
    this.#message.useWindow(bytes, new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), 0);
  }

  map(): void {
    const { count, parents } = this.#data;
    for (let node = 1; node < count; node += 1) {
      const parent = parents[node]!;
      if (this.#declared.isSequence(node)) {
        this.#put(node, 0, this.#length, 0);
        continue;
      }
      while (this.#frames.length > 0 && this.#frames.at(-1)!.node !== parent) this.#frames.pop();
      const frame = this.#frames.at(-1);
      const code = this.#declared.typeOf(node);
      if (!frame) this.#root(node, code);
      else if (frame.kind === STRUCT) this.#field(node, code, frame);
      else if (frame.kind === LIST) this.#item(node, code, frame);
      else if (frame.kind === UNTYPED) this.#part(node, code, frame);
      else this.#absent(node, frame.at);
    }
    this.#data.extents = this.#extents.finish(this.#declared.isSequence(1) ? 1 : 0);
  }

  /** Reads the segment table and the root pointer. */
  #root(node: number, code: number): void {
    const message = this.#message;
    const from = this.#next;
    this.#next = message.frame(from, this.#length);
    const at = message.starts[0]!;
    this.#extents.claim(from, at - from, node, role.SEGMENT_TABLE);
    this.#pointer(node, code, at, 0);
  }

  #field(node: number, code: number, frame: Frame): void {
    const declared = this.#declared;
    const field = declared.field(node, declared.structOf(frame.code));
    const kind = declared.kindOf(code);
    if (!field) {
      this.#absent(node, frame.at);
    } else if (kind === t.GROUP) {
      this.#struct(node, code, frame.at, frame.dataBytes, frame.pointers, frame.segment, true);
    } else if (t.isPointer(kind)) {
      const at = frame.at + frame.dataBytes + field.offset * 8;
      if (field.offset >= frame.pointers) {
        this.#absent(node, frame.at);
      } else if (this.#message.follow(at, frame.segment) === NULL_POINTER) {
        this.#pointerBytes(node, at);
        this.#absent(node, frame.at);
      } else {
        this.#pointer(node, code, at, frame.segment);
      }
    } else {
      const bits = t.BITS[kind]!;
      const isThere = bits > 0 && (field.offset + 1) * bits <= frame.dataBytes * 8;
      if (isThere) this.#scalar(node, frame.at + Math.floor((field.offset * bits) / 8), Math.ceil(bits / 8));
      else this.#absent(node, frame.at);
    }
  }

  #item(node: number, code: number, frame: Frame): void {
    const kind = this.#declared.kindOf(code);
    const index = this.#data.keys[node]!;
    const at = frame.at + index * frame.step;
    const isInline = kind === t.ANY_POINTER && frame.itemSize !== POINTERS;
    if (isInline && frame.itemSize === COMPOSITE && this.#declared.kindOf(frame.code) === t.ANY_POINTER) {
      this.#untyped(node, code, at, frame.dataBytes, frame.pointers, frame.segment);
    } else if (kind === t.BOOL || (isInline && frame.itemSize === 1)) {
      this.#scalar(node, frame.at + (index >> 3), 1);
    } else if (isInline && frame.itemSize === 0) {
      this.#absent(node, frame.at);
    } else if (kind === t.STRUCT) {
      this.#struct(node, code, at, frame.dataBytes, frame.pointers, frame.segment, false);
    } else if (t.isPointer(kind)) {
      this.#pointer(node, code, at + frame.dataBytes, frame.segment);
    } else {
      this.#scalar(node, at, t.BITS[kind]! / 8);
    }
  }

  /** Reads the data section of an untyped struct, or the list of its pointers. */
  #part(node: number, code: number, frame: Frame): void {
    const { at, dataBytes, pointers } = frame;
    if (this.#declared.tree.key(node) === 'data') {
      this.#scalar(node, at, dataBytes);
      return;
    }
    const end = at + dataBytes + pointers * 8;
    if (this.#data.numbers[node]! < pointers) this.#extents.region(at + dataBytes, end, node, role.UNREAD);
    this.#put(node, at + dataBytes, end, 0);
    this.#frames.push({ ...frame, node, code, kind: LIST, at: at + dataBytes, dataBytes: 0, step: 8, itemSize: POINTERS });
  }

  /** Reads the target of the pointer at `at`. */
  #pointer(node: number, code: number, at: number, segment: number): void {
    const message = this.#message;
    const kind = this.#declared.kindOf(code);
    this.#pointerBytes(node, at);
    const found = message.follow(at, segment);
    if (found === NULL_POINTER || found === CAPABILITY || kind === t.INTERFACE) {
      if (kind === t.TEXT || kind === t.DATA) this.#put(node, at, at, 0);
      else this.#put(node, at, at + 8, 8);
      this.#frames.push({ node, kind: ABSENT, code, at, dataBytes: 0, pointers: 0, segment, step: 0, itemSize: 0 });
    } else if (found === STRUCT_POINTER) {
      if (kind === t.ANY_POINTER) this.#untyped(node, code, message.at, message.dataBytes, message.pointers, message.segment);
      else this.#struct(node, code, message.at, message.dataBytes, message.pointers, message.segment, false);
    } else {
      this.#list(node, code, kind);
    }
  }

  /** Claims a pointer, and the landing pad of a far one. */
  #pointerBytes(node: number, at: number): void {
    const { view, starts } = this.#message;
    const extents = this.#extents;
    const low = view.getInt32(at, true);
    const high = view.getUint32(at + 4, true);
    if ((low & 3) !== 2) {
      extents.claim(at, 8, node, low === 0 && high === 0 ? role.NULL_POINTER : role.POINTER);
      return;
    }
    extents.claim(at, 8, node, role.FAR_POINTER);
    extents.claim(starts[high]! + (low >>> 3) * 8, (low & 4) === 0 ? 8 : 16, node, role.LANDING_PAD);
  }

  /** Reads the list that was followed last. */
  #list(node: number, code: number, kind: number): void {
    const { at, count, itemBits, itemSize, dataBytes, pointers, segment } = this.#message;
    const extents = this.#extents;
    const size = Math.ceil((count * itemBits) / 8);
    if (kind === t.TEXT) {
      extents.claim(at, count - 1, node, role.PAYLOAD);
      extents.claim(at + count - 1, 1, node, role.TERMINATOR);
      this.#put(node, at, at + count - 1, 0);
      return;
    }
    if (kind === t.DATA || (kind === t.ANY_POINTER && itemSize > 1 && itemSize < POINTERS)) {
      this.#scalar(node, at, size);
      return;
    }
    const tag = itemSize === COMPOSITE ? 8 : 0;
    extents.claim(at - tag, tag, node, role.TAG);
    if (this.#data.numbers[node]! < count) extents.region(at, at + size, node, role.UNREAD);
    this.#put(node, at - tag, at + size, tag);
    this.#frames.push({ node, kind: LIST, code, at, dataBytes, pointers, segment, step: itemBits / 8, itemSize });
  }

  #struct(node: number, code: number, at: number, dataBytes: number, pointers: number, segment: number, isGroup: boolean): void {
    const extents = this.#extents;
    const { union, discriminantOffset } = this.#declared.schema.structs[this.#declared.structOf(code)]!;
    const end = at + dataBytes + pointers * 8;
    if (!isGroup && extents.isFree(at)) extents.region(at, end, node, role.UNKNOWN);
    if (union && discriminantOffset * 2 + 2 <= dataBytes) extents.claim(at + discriminantOffset * 2, 2, node, role.DISCRIMINANT);
    this.#put(node, at, isGroup ? at : end, 0);
    this.#frames.push({ node, kind: STRUCT, code, at, dataBytes, pointers, segment, step: 0, itemSize: 0 });
  }

  #untyped(node: number, code: number, at: number, dataBytes: number, pointers: number, segment: number): void {
    if (this.#data.numbers[node]! < 2) this.#extents.region(at, at + dataBytes + pointers * 8, node, role.UNREAD);
    this.#put(node, at, at + dataBytes + pointers * 8, 0);
    this.#frames.push({ node, kind: UNTYPED, code, at, dataBytes, pointers, segment, step: 0, itemSize: 0 });
  }

  #scalar(node: number, at: number, size: number): void {
    this.#extents.claim(at, size, node, role.PAYLOAD);
    this.#put(node, at, at + size, 0);
  }

  /** Marks a default, which has no bytes, nor do its fields. */
  #absent(node: number, at: number): void {
    this.#put(node, at, at, 0);
    this.#frames.push({ node, kind: ABSENT, code: 0, at, dataBytes: 0, pointers: 0, segment: 0, step: 0, itemSize: 0 });
  }

  #put(node: number, at: number, end: number, head: number): void {
    placeEntry(this.#data, this.#length, node, at, end, head);
  }
}
