import { DecodeError, type DecodeErrorCode, LimitError } from '../../../errors.ts';
import type { Sink } from '../../../reading/sink.ts';
import type { Limits } from '../../../limits.ts';
import type { KeptBytes } from './kept-bytes.ts';
import { EGROUP, I32, I64, LEN, SGROUP, VARINT } from '../schema/schema.ts';

const NOTHING = new Uint8Array(0);
const NO_VIEW = new DataView(NOTHING.buffer);
const TWO_28 = 0x1000_0000;
const TWO_32 = 0x1_0000_0000;

/**
 * The bytes being read (a window of the input, or bytes kept from it), with readers for numbers, lengths and groups.
 * Positions are indices into `bytes`.
 */
export class Input {
  bytes: Uint8Array = NOTHING;
  view: DataView = NO_VIEW;
  /** Current piece: its range of positions, and the input offset of position 0. */
  #pieceFrom = 0;
  #pieceTo = 0;
  #base = 0;
  /** Position after the number read last. */
  next = 0;
  readonly #sink: Sink;
  readonly #limits: Limits;
  #kept: KeptBytes | undefined;
  /** Ends of nested groups by start, so that each group is skipped once, however many groups contain it. */
  #groupEnds: Map<number, number> | undefined;
  /** Halves of the last 64-bit number, as signed integers. */
  low = 0;
  high = 0;

  /** The sink's. */
  readonly repairedText: Sink['repairedText'];

  constructor(sink: Sink, limits: Limits) {
    this.#sink = sink;
    this.repairedText = sink.repairedText;
    this.#limits = limits;
  }

  /** Reads a window already announced to the sink. */
  useWindow(bytes: Uint8Array, view: DataView, base: number): void {
    this.bytes = bytes;
    this.view = view;
    this.#base = base;
    this.#pieceFrom = 0;
    this.#pieceTo = 2 ** 31;
    this.#kept = undefined;
    this.#groupEnds = undefined;
  }

  /** Reads kept bytes; `seek` announces each piece to the sink. */
  useKept(kept: KeptBytes): void {
    // Other windows are announced before this one is announced again, so the sink must flush now.
    this.#sink.flush?.();
    this.bytes = kept.bytes;
    this.view = new DataView(kept.bytes.buffer);
    this.#kept = kept;
    this.#groupEnds = undefined;
    this.#moveTo(0);
  }

  /** Announces the piece of kept bytes that contains a position, unless it is the current one. */
  seek(position: number): void {
    if (position < this.#pieceFrom || position >= this.#pieceTo) this.#moveTo(position);
  }

  #moveTo(position: number): void {
    const kept = this.#kept;
    if (!kept) return;
    const piece = kept.pieceOf(position);
    this.#pieceFrom = kept.starts[piece] ?? 0;
    this.#pieceTo = kept.starts[piece + 1] ?? 2 ** 31;
    this.#base = kept.bases[piece] ?? kept.origin;
    this.announce();
  }

  /** Announces the current bytes to the sink: initially, or after bytes from outside the input. */
  announce(): void {
    this.#sink.window(this.bytes, this.view, this.#base);
  }

  /** Input offset of a position. */
  offsetOf(position: number): number {
    const kept = this.#kept;
    return (kept ? (kept.bases[kept.pieceOf(position)] ?? kept.origin) : this.#base) + position;
  }

  /** Throws a DecodeError at a position. */
  fail(reason: string, position: number, code: DecodeErrorCode = 'malformed'): never {
    throw new DecodeError(code, reason, { offset: this.offsetOf(position) });
  }

  /** Throws a LimitError at a position. */
  exceed(limit: keyof Limits, position: number): never {
    const offset = this.offsetOf(position);
    throw new LimitError(limit, `${limit} limit exceeded (${this.#limits[limit]})`, { offset });
  }

  /**
   * Reads a tag or length in `at..end`: groups of seven bits, lowest first, at most five bytes. The top bit of a byte
   * says that another follows. Sets `next`.
   */
  varint(at: number, end: number): number {
    const { bytes } = this;
    let value = 0;
    let scale = 1;
    for (let p = at; p < end; p += 1) {
      const byte = bytes[p]!;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) {
        this.next = p + 1;
        return value;
      }
      if (p === at + 4) this.fail('a tag or a length has more than 5 bytes', at);
      scale *= 128;
    }
    return this.cut(at);
  }

  /** Position after a varint value of at most ten bytes. Bits beyond 64 are ignored. */
  pastVarint(at: number, end: number): number {
    this.int32(at, end);
    return this.next;
  }

  /** Reads the low 32 bits of a varint as a signed integer. Sets `next`. */
  int32(at: number, end: number): number {
    const { bytes } = this;
    let value = 0;
    let shift = 0;
    for (let p = at; p < end; p += 1) {
      const byte = bytes[p]!;
      if (shift < 32) value |= (byte & 0x7f) << shift;
      shift += 7;
      if (byte < 0x80) {
        this.next = p + 1;
        return value;
      }
      if (shift === 70) this.fail('a varint has more than 10 bytes', at);
    }
    return this.cut(at);
  }

  /**
   * Reads the varint at `at`. Returns −1 if it has more than 7 bytes, or if fewer than 7 bytes are available. Sets
   * `next`.
   */
  small(at: number, end: number): number {
    if (end - at < 7) return -1;
    const { bytes } = this;
    let byte = bytes[at]!;
    let p = at + 1;
    let low = byte & 0x7f;
    for (let shift = 7; byte >= 0x80 && shift < 28; shift += 7) {
      byte = bytes[p]!;
      p += 1;
      low |= (byte & 0x7f) << shift;
    }
    let high = 0;
    for (let shift = 0; byte >= 0x80 && shift < 21; shift += 7) {
      byte = bytes[p]!;
      p += 1;
      high |= (byte & 0x7f) << shift;
    }
    this.next = p;
    return byte < 0x80 ? high * TWO_28 + low : -1;
  }

  /** Reads a varint of up to 64 bits into `low` and `high`. Sets `next`. */
  varint64(at: number, end: number): void {
    const { bytes } = this;
    let p = at;
    // Three parts, each of which fits an integer: bits 0 to 27, 28 to 55 and 56 to 63.
    let part = 0;
    let shift = 0;
    let low = 0;
    let middle = 0;
    for (; p < end;) {
      const byte = bytes[p]!;
      p += 1;
      part |= (byte & 0x7f) << shift;
      if (byte < 0x80) {
        const count = p - at;
        if (count <= 4) {
          this.low = part;
          this.high = 0;
        } else if (count <= 8) {
          this.low = low | (part << 28);
          this.high = part >>> 4;
        } else {
          this.low = low | (middle << 28);
          this.high = (middle >>> 4) | (part << 24);
        }
        this.next = p;
        return;
      }
      shift += 7;
      if (shift === 28) {
        if (p === at + 4) low = part;
        else middle = part;
        part = shift = 0;
      }
      if (p === at + 10) this.fail('a varint has more than 10 bytes', at);
    }
    this.cut(at);
  }

  /** Decodes zig-zag: 0, 1, 2, 3 … stand for 0, −1, 1, −2 … */
  unzigzag(): void {
    const sign = -(this.low & 1);
    const low = (this.low >>> 1) | (this.high << 31);
    this.high = (this.high >>> 1) ^ sign;
    this.low = low ^ sign;
  }

  /** Reads a signed 64-bit varint as the nearest number. Sets `next`. */
  int64(at: number, end: number): number {
    this.varint64(at, end);
    return this.high * TWO_32 + (this.low >>> 0);
  }

  /** Position after the length at `at`. Sets `next` to the end of the payload. */
  length(at: number, end: number): number {
    const byte = this.bytes[at]!;
    if (byte < 0x80 && at < end) {
      this.next = at + 1 + byte;
      if (this.next > end) this.cut(at);
      return at + 1;
    }
    const length = this.varint(at, end);
    const from = this.next;
    this.next = from + length;
    if (this.next > end) this.cut(at);
    return from;
  }

  /** Payload of a length-delimited field whose tag begins at `start`. */
  payload(start: number, end: number): { at: number; from: number; end: number } {
    this.varint(start, end);
    const at = this.next;
    const length = this.varint(at, end);
    return { at, from: this.next, end: this.next + length };
  }

  /** Throws: the value at `at` is truncated. */
  cut(at: number): never {
    return this.fail('a value extends past its message', at);
  }

  /** Position after the value at `at` of the given tag; `start` is the tag's position. */
  skip(tag: number, at: number, end: number, start: number): number {
    let next = at;
    switch (tag & 7) {
      case VARINT:
        return this.pastVarint(at, end);
      case LEN:
        next = this.varint(at, end);
        next += this.next;
        break;
      case I64:
        next += 8;
        break;
      case I32:
        next += 4;
        break;
      case SGROUP:
        return this.skipGroup(at, end, tag >>> 3, start);
      default:
        this.fail(`invalid wire type ${tag & 7} at the start of a field`, start);
    }
    if (next > end) this.fail('a value extends past its message', start);
    return next;
  }

  /** Position after the end tag of the group whose fields begin at `from`. */
  skipGroup(from: number, end: number, number: number, start: number): number {
    const known = this.#groupEnds?.get(from);
    if (known !== undefined) return known;
    const open = [number];
    const starts = [from];
    let at = from;
    while (at < end) {
      const tag = this.varint(at, end);
      const value = this.next;
      if (tag < 8 || tag > 0xffffffff) this.fail(tag < 8 ? 'invalid field number 0' : 'a tag has more than 32 bits', at);
      if ((tag & 7) === SGROUP) {
        if (open.length >= this.#limits.depth) this.exceed('depth', at);
        open.push(tag >>> 3);
        starts.push(value);
        at = value;
      } else if ((tag & 7) === EGROUP) {
        if (tag >>> 3 !== open.pop()) this.fail('end of a group that is not open', at);
        at = value;
        const began = starts.pop()!;
        if (open.length === 0) return at;
        (this.#groupEnds ??= new Map()).set(began, at);
      } else {
        at = this.skip(tag, value, end, at);
      }
    }
    return this.fail('unterminated group', start);
  }
}
