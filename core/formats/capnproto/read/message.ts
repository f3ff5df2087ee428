import { DecodeError, type DecodeErrorCode } from '../../../errors.ts';

// Kinds of pointers, as returned by `follow`.
export const NULL_POINTER = 0;
export const STRUCT_POINTER = 1;
export const LIST_POINTER = 2;
export const CAPABILITY = 3;

/** Bits per item for each item size of a list (https://capnproto.org/encoding.html#lists); 7 is a list of structs. */
const ITEM_BITS = Uint8Array.of(0, 1, 8, 16, 32, 64, 64, 0);
/** Item sizes of lists of pointers and of structs. */
export const POINTERS = 6;
export const COMPOSITE = 7;

const NO_BYTES: Uint8Array = new Uint8Array(0);
const NO_VIEW: DataView = new DataView(NO_BYTES.buffer);

/**
 * One message: segments in a window. Follows pointers and checks that each stays inside its segment. `follow` stores
 * its result in fields to avoid an allocation per pointer.
 */
export class Message {
  bytes = NO_BYTES;
  view = NO_VIEW;
  /** Input offset of the window's first byte. */
  base = 0;
  /** Start and end of each segment in the window. */
  starts: Int32Array = new Int32Array(1);
  ends: Int32Array = new Int32Array(1);
  segments = 0;

  /** Segment of the target. */
  segment = 0;
  /** Position of the struct's data or of the list's first item. */
  at = 0;
  /** Bytes of the data section of the struct, or of each item of a list of structs. */
  dataBytes = 0;
  /** Number of pointers after it. */
  pointers = 0;
  /** Item size of a list. */
  itemSize = 0;
  /** Distance in bits between items of a list. */
  itemBits = 0;
  /** Bytes of a schema read so far; bytes with several pointers to them count each time. */
  traversed = 0;
  count = 0;

  useWindow(bytes: Uint8Array, view: DataView, base: number): void {
    this.bytes = bytes;
    this.view = view;
    this.base = base;
  }

  /** Reads `from..to` as one segment. */
  useFlat(from: number, to: number): void {
    if ((to - from) % 8 !== 0) this.fail('a segment that ends inside a word', to, 'truncated');
    this.segments = 1;
    this.starts[0] = from;
    this.ends[0] = to;
  }

  /**
   * Finds the segments of the message at `from`; `to` is the end of the available bytes. Returns the message's end,
   * which may be after `to`, or −1 if the table is incomplete.
   *
   *     u32 number of segments − 1 | u32 words of each | padding to 8 bytes | the segments
   */
  frame(from: number, to: number): number {
    const { view } = this;
    if (from + 4 > to) return -1;
    const count = view.getUint32(from, true) + 1;
    let at = from + (count >> 1) * 8 + 8;
    if (count > 0x1000000 || at > to) return count > 0x1000000 ? Infinity : -1;
    if (count > this.starts.length) {
      this.starts = new Int32Array(count);
      this.ends = new Int32Array(count);
    }
    this.segments = count;
    for (let index = 0; index < count; index += 1) {
      this.starts[index] = at;
      at += view.getUint32(from + 4 + index * 4, true) * 8;
      if (at > 0x7fffffff) return at;
      this.ends[index] = at;
    }
    return at;
  }

  /** Follows the pointer at `at` of a segment and stores the target in the fields. Returns the kind of pointer. */
  follow(at: number, segment: number): number {
    const low = this.view.getInt32(at, true);
    const high = this.view.getUint32(at + 4, true);
    if ((low & 3) === 2) return this.#far(at, low, high);
    if (low === 0 && high === 0) return NULL_POINTER;
    return this.#target(low, high, at + 8 + (low >> 2) * 8, at, segment);
  }

  /** Same as `follow`, with a fast path for a text in the same segment. */
  followText(at: number, segment: number): number {
    const low = this.view.getInt32(at, true);
    const high = this.view.getUint32(at + 4, true);
    const target = at + 8 + (low >> 2) * 8;
    const count = high >>> 3;
    if ((low & 3) !== 1 || (high & 7) !== 2 || target < this.starts[segment]! || target + count > this.ends[segment]!) {
      return this.follow(at, segment);
    }
    this.at = target;
    this.count = count;
    this.itemSize = 2;
    return LIST_POINTER;
  }

  /**
   * Follows a far pointer (https://capnproto.org/encoding.html#inter-segment-pointers):
   *
   *     2 | 1 bit double | 29 bits offset | 32 bits segment
   *
   * It leads to a pointer in another segment, or to another far pointer and a word that describes the target.
   */
  #far(at: number, low: number, segment: number): number {
    const { view } = this;
    const isDouble = (low & 4) !== 0;
    const pad = this.#inside(low, segment, isDouble ? 16 : 8, at);
    const first = view.getInt32(pad, true);
    const second = view.getUint32(pad + 4, true);
    if (!isDouble) {
      if ((first & 3) === 2) this.fail('a far pointer leads to another', at);
      if (first === 0 && second === 0) return NULL_POINTER;
      return this.#target(first, second, pad + 8 + (first >> 2) * 8, pad, segment);
    }
    if ((first & 7) !== 2) this.fail('a double far pointer does not lead to a far pointer', pad);
    const start = this.#inside(first, second, 0, pad);
    const tag = view.getInt32(pad + 8, true);
    if ((tag & 3) > 1 || tag >> 2 !== 0) this.fail('a double far pointer refers to a value without a type', pad + 8);
    return this.#target(tag, view.getUint32(pad + 12, true), start, pad, second);
  }

  /** Target of a far pointer, with at least `size` bytes there. */
  #inside(low: number, segment: number, size: number, at: number): number {
    if (segment >= this.segments) this.fail(`a pointer refers to segment ${segment} of ${this.segments}`, at);
    const target = this.starts[segment]! + (low >>> 3) * 8;
    if (target + size > this.ends[segment]!) this.fail('a pointer leads out of its segment', at);
    return target;
  }

  /**
   *     struct:     0 | 30 bits offset | 16 bits words of data | 16 bits pointers
   *     list:       1 | 30 bits offset | 3 bits size of the items | 29 bits number of items (of words for structs)
   *     capability: 3 | 30 bits 0 | 32 bits index
   */
  #target(low: number, high: number, target: number, at: number, segment: number): number {
    const kind = low & 3;
    this.segment = segment;
    this.at = target;
    if (kind === 0) {
      this.dataBytes = (high & 0xffff) * 8;
      this.pointers = high >>> 16;
      this.#check(target, this.dataBytes + this.pointers * 8, at, segment);
      return STRUCT_POINTER;
    }
    if (kind === 3) {
      if (low !== 3) this.fail('a pointer of unknown kind', at);
      return CAPABILITY;
    }
    const size = high & 7;
    const count = high >>> 3;
    this.itemSize = size;
    if (size !== COMPOSITE) {
      this.count = count;
      this.itemBits = ITEM_BITS[size]!;
      this.dataBytes = size < POINTERS ? this.itemBits >> 3 : 0;
      this.pointers = size === POINTERS ? 1 : 0;
      this.#check(target, Math.ceil((count * this.itemBits) / 8), at, segment);
      return LIST_POINTER;
    }
    // The word before the items has the form of a struct pointer, with the number of items as the offset.
    this.#check(target, 8 + count * 8, at, segment);
    const tag = this.view.getUint32(target, true);
    const sizes = this.view.getUint32(target + 4, true);
    if ((tag & 3) !== 0) this.fail('a list of structs has no structs', target);
    this.at = target + 8;
    this.count = tag >>> 2;
    this.dataBytes = (sizes & 0xffff) * 8;
    this.pointers = sizes >>> 16;
    this.itemBits = (this.dataBytes + this.pointers * 8) * 8;
    if ((this.count * this.itemBits) / 64 > count) this.fail(`${this.count} structs do not fit their list`, target);
    return LIST_POINTER;
  }

  #check(target: number, size: number, at: number, segment: number): void {
    if (target < this.starts[segment]! || target + size > this.ends[segment]!) this.fail('a pointer leads out of its segment', at);
  }

  fail(reason: string, position: number, code: DecodeErrorCode = 'malformed'): never {
    throw new DecodeError(code, reason, { offset: this.base + position });
  }
}
