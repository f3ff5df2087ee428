import { DecodeError, type DecodeErrorCode, LimitError } from '../../errors.ts';
import type { Limits } from '../../limits.ts';
import type { Sink } from '../../events/sink.ts';

const NOTHING = new Uint8Array(0);
const NO_VIEW = new DataView(NOTHING.buffer);

/** Bytes of the input that are kept for later, in pieces that need not have been next to each other. */
export class Kept {
  bytes: Uint8Array<ArrayBuffer> = NOTHING;
  length = 0;
  /** The offset in the input where nothing has been kept. */
  readonly origin: number;
  /** By piece its first position, and the offset in the input that position 0 would have. */
  readonly starts: number[] = [];
  readonly bases: number[] = [];
  readonly #room: number;

  /** `room` is for how many bytes there is room from the first on. */
  constructor(origin: number, room = 256) {
    this.origin = origin;
    this.#room = room;
  }

  /** Adds `from..to` of a window, where `base` is the offset in the input of position 0. */
  append(source: Uint8Array, from: number, to: number, base: number): void {
    const at = this.length;
    const grown = at + to - from;
    if (grown > this.bytes.length) {
      const larger = new Uint8Array(Math.max(grown, this.bytes.length * 2, this.#room));
      larger.set(this.bytes.subarray(0, at));
      this.bytes = larger;
    }
    if (to - from < 16) for (let i = from; i < to; i += 1) this.bytes[at + i - from] = source[i]!;
    else this.bytes.set(source.subarray(from, to), at);
    this.length = grown;
    const shifted = base + from - at;
    if (this.bases.at(-1) !== shifted) {
      this.starts.push(at);
      this.bases.push(shifted);
    }
  }

  /** The piece that a position lies in. */
  pieceOf(position: number): number {
    let low = 0;
    let high = this.starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.starts[middle]! <= position) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** The bytes being read: a window of the input, or bytes kept from it. Positions are indices into `bytes`. */
export class Memory {
  bytes: Uint8Array = NOTHING;
  view: DataView = NO_VIEW;
  /** The piece at hand: its positions, and the offset in the input of position 0. */
  protected pieceFrom = 0;
  protected pieceTo = 0;
  protected base = 0;
  /** Where the last number read ended. */
  next = 0;
  protected readonly sink: Sink;
  protected readonly limits: Limits;
  #kept: Kept | undefined;

  constructor(sink: Sink, limits: Limits) {
    this.sink = sink;
    this.limits = limits;
  }

  /** Reads a window that has been announced to the sink. */
  useWindow(bytes: Uint8Array, view: DataView, base: number): void {
    this.bytes = bytes;
    this.view = view;
    this.base = base;
    this.pieceFrom = 0;
    this.pieceTo = 2 ** 31;
    this.#kept = undefined;
  }

  /** Reads kept bytes; a piece is announced to the sink when it is come to. */
  useKept(kept: Kept): void {
    // The window is announced again later, but until then others are: what the sink has of it must not wait.
    this.sink.leave?.();
    this.bytes = kept.bytes;
    this.view = new DataView(kept.bytes.buffer);
    this.#kept = kept;
    this.move(0);
  }

  /** Announces the piece that a position lies in. */
  protected move(position: number): void {
    const kept = this.#kept;
    if (!kept) return;
    const piece = kept.pieceOf(position);
    this.pieceFrom = kept.starts[piece] ?? 0;
    this.pieceTo = kept.starts[piece + 1] ?? 2 ** 31;
    this.base = kept.bases[piece] ?? kept.origin;
    this.announce();
  }

  /** Announces the bytes at hand to the sink, for the first time or after bytes that are not part of the input. */
  protected announce(): void {
    this.sink.window(this.bytes, this.view, this.base);
  }

  offsetOf(position: number): number {
    const kept = this.#kept;
    return (kept ? (kept.bases[kept.pieceOf(position)] ?? kept.origin) : this.base) + position;
  }

  fail(reason: string, position: number, code: DecodeErrorCode = 'malformed'): never {
    throw new DecodeError(code, reason, { offset: this.offsetOf(position) });
  }

  exceed(limit: keyof Limits, position: number): never {
    const offset = this.offsetOf(position);
    throw new LimitError(limit, `more than the limit of ${limit} (${this.limits[limit]})`, { offset });
  }

  /**
   * A tag or a length in `at..end`; `next` is the position after it. Groups of seven bits, the lowest first; the top bit of a
   * byte tells that more follow, at most five in all.
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
      if (p === at + 4) this.fail('a tag or length of more than 5 bytes', at);
      scale *= 128;
    }
    return this.fail('a value goes past the end of its message', at);
  }

  /** The position after a varint of at most ten bytes, which is a value; of its bits those beyond 64 do not count. */
  protected pastVarint(at: number, end: number): number {
    this.int32(at, end);
    return this.next;
  }

  /** The low 32 bits of a varint, as a signed integer; `next` is the position after it. */
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
      if (shift === 70) this.fail('a varint of more than 10 bytes', at);
    }
    return this.fail('a value goes past the end of its message', at);
  }
}
