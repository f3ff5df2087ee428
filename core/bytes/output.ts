import { joined } from './byte-input.ts';

/**
 * Destination of encoded bytes. A writer's functions take the position in `out` and return the next one, so that it
 * stays in a register. They use the current `out` and `view`, and call `room` before they write.
 *
 * The output is a list of chunks that are never copied: a full chunk is put aside and the next one begins. One encode
 * at a time is current. Another may begin while it waits for its next slice, or inside it (a getter that encodes).
 */

/** Bytes of fixed-size values that may be written at any position up to `soft` without a call of `room`. */
export const SLACK = 1024;

const FIRST_CHUNK = 1 << 16;
const SECOND_CHUNK = 1 << 18;
const MAX_CHUNK = 1 << 20;
/** Bytes after which loops check the time, unless chunks are smaller. */
const SLICE_BYTES = 1 << 17;

/** Returned instead of a position if the slice has ended: see `SliceEnded`. */
export const STOPPED = -1;

/** True if the writer should stop here and continue in a later slice. */
export type SliceEnded = () => boolean;

/** The current chunk. */
export let out: Uint8Array<ArrayBuffer> = new Uint8Array(FIRST_CHUNK);
/** A view of the current chunk. */
export let view: DataView<ArrayBuffer> = new DataView(out.buffer);
/**
 * Up to this position there is room for `SLACK` bytes. It may be lower than the room allows, if writing may stop at the
 * end of a slice: the next loop that passes the position checks the time. It is negative if a chunk has begun since the
 * last check.
 */
export let soft: number = out.length - SLACK;

let current: Output | undefined;
/** The first chunk of the last encode, if it was small enough to be copied: most encodes need no other. */
let freeChunk: Uint8Array<ArrayBuffer> | undefined = out;

/** The output of one encode. */
export class Output {
  /** Full chunks that have not been taken, in order. */
  #chunks: Uint8Array<ArrayBuffer>[] = [];
  /** Bytes before the current chunk, including taken ones. */
  #before = 0;
  /** Bytes taken. */
  #taken = 0;
  #next = SECOND_CHUNK;
  #most = MAX_CHUNK;
  #chunk: Uint8Array<ArrayBuffer>;
  #at = 0;
  #outer: Output | undefined;
  readonly #sliceEnded: SliceEnded | undefined;
  /** Bytes after which loops check the time. */
  readonly sliceBytes: number = SLICE_BYTES;
  #isFirst = true;

  /**
   * With `sliceEnded`, loops may stop when a chunk is full: see `pass`. `chunk` is the fixed size of a chunk, which only a
   * value that needs more exceeds; by default chunks grow.
   */
  constructor(sliceEnded?: SliceEnded, chunk?: number) {
    this.#sliceEnded = sliceEnded;
    if (chunk !== undefined) {
      this.#next = this.#most = chunk + SLACK;
      this.sliceBytes = chunk >> 1;
      this.#chunk = new Uint8Array(this.#next);
      this.#isFirst = false;
      return;
    }
    this.#chunk = freeChunk ?? new Uint8Array(FIRST_CHUNK);
    freeChunk = undefined;
  }

  /** Makes this output the current one. Returns the position to write at. */
  enter(): number {
    this.#outer = current;
    if (current !== undefined) current.#chunk = out;
    this.#use();
    this.askAt(this.#at + this.sliceBytes);
    return this.#at;
  }

  /** Makes the next loop that passes `at` check the time, if the output has a `sliceEnded`. */
  askAt(at: number): void {
    if (this.#sliceEnded) soft = Math.min(soft, at);
  }

  /** Stops writing at `at`, for now or for good, and restores the output that was current before. */
  leave(at: number): void {
    this.#chunk = out;
    this.#at = at;
    current = this.#outer;
    this.#outer = undefined;
    if (current !== undefined) current.#use();
  }

  /** Bytes before position `at` of the current chunk. */
  offset(at: number): number {
    return this.#before + at;
  }

  /**
   * Puts the current chunk aside and begins one with room for `need` bytes and the slack. Returns the position in the
   * new one.
   */
  next(at: number, need: number): number {
    if (at > 0) this.#chunks.push(out.subarray(0, at));
    this.#before += at;
    this.#isFirst = false;
    use(new Uint8Array(Math.max(this.#next, need + SLACK)));
    this.#next = Math.min(this.#next * 2, this.#most);
    return 0;
  }

  /** True if the slice has ended. */
  get isOver(): boolean {
    return this.#sliceEnded?.() === true;
  }

  /** Bytes written; valid while the output is not current. */
  get written(): number {
    return this.#before + this.#at;
  }

  /** Position at which writing continues after a stop. */
  get at(): number {
    return this.#at;
  }

  stop(at: number): number {
    this.#at = at;
    return STOPPED;
  }

  /** True if writing stopped although the slice has not ended. */
  isPostponed = false;

  /**
   * Replaces `length` bytes at an offset, none of which were taken, by bytes of any length. `at` is the position in the
   * current chunk, or `STOPPED`. Returns the position afterwards.
   */
  replace(offset: number, length: number, bytes: Uint8Array, at: number): number {
    if (at === STOPPED) return (this.#at = this.replace(offset, length, bytes, this.#at));
    const by = bytes.length - length;
    let place = offset - this.#before;
    if (place >= 0) {
      if (by !== 0) {
        if (at + by > out.length) return this.replace(offset, length, bytes, this.next(at, 0));
        out.copyWithin(place + bytes.length, place + length, at);
      }
      out.set(bytes, place);
      return at + by;
    }
    // Searches from the last chunk back, which holds most replaced bytes even if many lengths are pending.
    let index = this.#chunks.length;
    while (place < 0) place += this.#chunks[--index]!.length;
    const chunk = this.#chunks[index]!;
    // Replaced bytes never cross the end of a chunk: they were written with room for all of them.
    if (by === 0) chunk.set(bytes, place);
    else {
      // Each chunk keeps its own buffer, which the receiver may transfer.
      const parts = [chunk.subarray(0, place), bytes.slice(), chunk.slice(place + length)];
      this.#chunks.splice(index, 1, ...parts.filter((part) => part.length > 0));
      this.#before += by;
    }
    return at;
  }

  /**
   * Removes the bytes from an offset on, none of which were taken, from the output and returns them. `at` is the
   * position in the current chunk, `continueAt` the position afterwards.
   */
  withdraw(offset: number, at: number): { bytes: Uint8Array<ArrayBuffer>; continueAt: number } {
    const place = offset - this.#before;
    if (place >= 0) return { bytes: out.slice(place, at), continueAt: place };
    const parts = [out.slice(0, at)];
    while (this.#before > offset) {
      const chunk = this.#chunks.pop()!;
      this.#before -= chunk.length;
      const from = Math.max(0, offset - this.#before);
      parts.unshift(chunk.subarray(from));
      if (from === 0) continue;
      this.#chunks.push(chunk.subarray(0, from));
      this.#before += from;
    }
    return { bytes: joined(parts), continueAt: 0 };
  }

  /**
   * Takes the full chunks before an offset, after which bytes may still change. Not to be called while the output is
   * current.
   */
  take(before = Infinity): Uint8Array<ArrayBuffer>[] {
    let count = 0;
    while (count < this.#chunks.length && this.#taken + this.#chunks[count]!.length <= before) this.#taken += this.#chunks[count++]!.length;
    return this.#chunks.splice(0, count);
  }

  /** Takes all chunks. Each buffer holds little beyond its chunk's bytes. */
  finish(): Uint8Array<ArrayBuffer>[] {
    const chunks = this.take();
    if (this.#at > 0) {
      const last = this.#chunk.subarray(0, this.#at);
      // The first chunk is reused by the next encode.
      if (this.#isFirst) freeChunk = this.#chunk;
      chunks.push(this.#isFirst || this.#at < this.#chunk.length >> 1 ? last.slice() : last);
    } else if (this.#isFirst) freeChunk = this.#chunk;
    return chunks;
  }

  #use(): void {
    current = this;
    use(this.#chunk);
  }
}

function use(chunk: Uint8Array<ArrayBuffer>): void {
  out = chunk;
  if (view.buffer !== chunk.buffer) view = new DataView(chunk.buffer);
  soft = chunk.length - SLACK;
}

/** Makes room for `need` bytes and the slack. Returns the position to write them at. */
export function room(at: number, need: number): number {
  if (at + need <= out.length - SLACK) return at;
  const next = current!.next(at, need);
  current!.askAt(-1);
  return next;
}

/**
 * For loops that find `at > soft`: makes room. Returns the position, or STOPPED if the slice has ended; the writer then
 * saves its state and returns STOPPED too.
 */
export function pass(at: number): number {
  const output = current!;
  soft = out.length - SLACK;
  const next = at > soft ? output.next(at, 0) : at;
  if (output.isOver) return output.stop(next);
  output.askAt(next + output.sliceBytes);
  return next;
}

/** Stops at a position because too many calls are open: the session resumes at once. */
export function postponeAt(at: number): number {
  current!.isPostponed = true;
  return current!.stop(at);
}

/** Bytes of the current output before a position: see `replaceAt`. */
export function offsetOf(at: number): number {
  return current!.offset(at);
}

/** `Output.replace` of the current output. */
export function replaceAt(offset: number, length: number, bytes: Uint8Array, at: number): number {
  return current!.replace(offset, length, bytes, at);
}

/** `Output.withdraw` of the current output. */
export function withdrawFrom(offset: number, at: number): { bytes: Uint8Array<ArrayBuffer>; continueAt: number } {
  return current!.withdraw(offset, at);
}

/**
 * Makes room for `bytes` zeros. Returns the position of the first. A new chunk is zero already, so it is not filled:
 * filling a hundred megabytes would be a long task.
 */
export function zeros(at: number, bytes: number): number {
  const chunk = out;
  const start = room(at, bytes);
  if (out === chunk) out.fill(0, start, start + bytes);
  return start;
}
