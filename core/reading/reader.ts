import { DecodeError, LimitError } from '../errors.ts';
import type { Limits } from '../limits.ts';
import type { Sink } from './sink.ts';

const EMPTY = new Uint8Array(0);
const EMPTY_VIEW = new DataView(EMPTY.buffer);
/** Bytes of the next chunk appended to a cut token of unknown length. */
const FIRST_JOIN = 64;
/** Longer chunks are read in parts, so that positions in a window are 32-bit integers. */
const MAX_SIZE = 2 ** 30;

/**
 * Base of every reader: a resumable state machine that is pushed chunks of any size. A format's reader implements
 * `read`, which consumes complete tokens only. The bytes of a token cut by the end of a chunk are kept and joined with
 * as much of the next chunk as the token needs, so that its rest is read without a copy.
 *
 * A reader that has thrown cannot be used again.
 */
export abstract class Reader {
  /** Smallest number of bytes that the current token needs; 0 if unknown. Set by `read` when it stops. */
  protected needed = 0;
  /** Offset of the current window's first byte in the complete input. */
  protected base = 0;
  /**
   * True if nothing is read before all of the input has arrived, which is then best passed to `end`, where it is not
   * copied.
   */
  readonly readsWhole: boolean = false;
  /** Values after which a reader that reads a whole input at its end pauses, so that others can use the thread. */
  stepValues = Infinity;
  /** True for a text format: JSON. */
  readonly isText: boolean = false;
  protected readonly sink: Sink;
  protected readonly limits: Limits;
  #carry: Uint8Array = EMPTY;
  #carried = 0;
  #received = 0;

  constructor(sink: Sink, limits: Limits) {
    this.sink = sink;
    this.limits = limits;
    sink.checkText = (length, start) => {
      if (length > limits.stringLength) this.exceed('stringLength', start);
    };
  }

  /** Bytes pushed so far. */
  get received(): number {
    return this.#received;
  }

  /** Bytes of the token that the input so far cuts. Valid until the next push. */
  get cutToken(): Uint8Array {
    return this.#carry.subarray(0, this.#carried);
  }

  /** Position of the text in `cutToken`, if that is a string and a value; 0 otherwise. */
  cutTextStart(_token: Uint8Array): number {
    return 0;
  }

  /**
   * Consumes the complete tokens in `from..to` of the window and returns the position after the last. `bytes` may be
   * longer than `to`; nothing past `to` may be read. `last` says that no more input follows: a token that ends only
   * with the input (a JSON number at the root) is then complete.
   */
  protected abstract read(bytes: Uint8Array, view: DataView, from: number, to: number, last: boolean): number;

  /** Called once after all bytes are consumed. Checks that the value is complete, and closes open containers. */
  protected abstract finish(): void;

  /** Takes more input. The chunk is only read during the call. */
  push(chunk: Uint8Array): void {
    for (let from = 0; from < chunk.length; from += MAX_SIZE) {
      this.#take(chunk.length > MAX_SIZE ? chunk.subarray(from, from + MAX_SIZE) : chunk);
    }
  }

  /** Counts `length` bytes as read that change nothing, such as items of a list before another item. No token may be cut. */
  skip(length: number): void {
    this.base += length;
    this.#received += length;
  }

  #take(chunk: Uint8Array): void {
    this.#receive(chunk.length);
    let at = 0;
    let join = FIRST_JOIN;
    while (this.#carried > 0 && at < chunk.length) {
      const before = this.#carried;
      const take = Math.min(chunk.length - at, Math.max(this.needed - before, join));
      this.#append(chunk, at, at + take);
      at += take;
      if (this.#carried < this.needed) return;
      const used = this.#consume(this.#carry, this.#carried, false);
      if (used >= before) {
        // The cut token is complete: continue in the chunk itself, from the first byte that was not consumed.
        at -= this.#carried - used;
        this.#carried = 0;
      } else {
        // A long token in small chunks: none of it is consumed before its end.
        if (used > 0) this.#carry.copyWithin(0, used, this.#carried);
        this.#carried -= used;
        join *= 2;
      }
    }
    if (at < chunk.length) {
      const rest = at === 0 ? chunk : chunk.subarray(at);
      const used = this.#consume(rest, rest.length, false);
      if (used < rest.length) this.#append(rest, used, rest.length);
    }
  }

  /**
   * Ends the input after `chunk`. Throws if the value is incomplete. An input without any bytes, which is valid for
   * some schemas, otherwise fails with the code `empty`.
   */
  end(chunk: Uint8Array = EMPTY): void {
    try {
      this.#end(chunk);
    } catch (error) {
      if (this.#received > 0 || !(error instanceof DecodeError) || error.code !== 'truncated') throw error;
      throw new DecodeError('empty', 'the payload is empty', { offset: 0 });
    }
  }

  #end(chunk: Uint8Array): void {
    // With no bytes carried over, the last chunk is read without a copy.
    const inPlace = this.#carried === 0 && chunk.length <= MAX_SIZE;
    if (inPlace) this.#receive(chunk.length);
    else this.push(chunk);
    const bytes = inPlace ? chunk : this.#carry;
    const length = inPlace ? chunk.length : this.#carried;
    const used = this.#consume(bytes, length, true);
    if (used < length) this.fail('truncated', 'the input ends inside a value', length - used);
    this.#carried = 0;
    if (!this.isPaused) this.finish();
  }

  /** True if `end` or `resume` has paused after `stepValues` values: `resume` reads on. */
  get isPaused(): boolean {
    return false;
  }

  /** Reads on after a pause. */
  resume(): void {
    try {
      this.readOn();
    } finally {
      this.sink.flush?.();
    }
    if (!this.isPaused) this.finish();
  }

  /** Reads further values of the window after a pause. */
  protected readOn(): void {}

  #receive(count: number): void {
    this.#received += count;
    const { bytes } = this.limits;
    if (this.#received > bytes) {
      throw new LimitError('bytes', `bytes limit exceeded (${bytes})`, { offset: bytes });
    }
  }

  /** Throws a DecodeError at a position of the current window. */
  protected fail(code: DecodeError['code'], reason: string, position: number): never {
    throw new DecodeError(code, reason, { offset: this.base + position });
  }

  /** Throws a LimitError at a position of the current window. */
  protected exceed(limit: LimitError['limit'], position: number): never {
    throw new LimitError(limit, `${limit} limit exceeded (${this.limits[limit as keyof Limits]})`, {
      offset: this.base + position,
    });
  }

  #consume(bytes: Uint8Array, to: number, last: boolean): number {
    const view = bytes === EMPTY ? EMPTY_VIEW : new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.needed = 0;
    this.sink.window(bytes, view, this.base);
    let used: number;
    try {
      used = this.read(bytes, view, 0, to, last);
    } catch (error) {
      this.sink.flush?.();
      throw error;
    }
    this.sink.flush?.();
    this.base += used;
    return used;
  }

  #append(chunk: Uint8Array, from: number, to: number): void {
    const length = this.#carried + to - from;
    if (length > this.#carry.length) {
      const grown = new Uint8Array(Math.max(length, Math.min(this.needed, length * 2), this.#carry.length * 2, 256));
      grown.set(this.#carry.subarray(0, this.#carried));
      this.#carry = grown;
    }
    this.#carry.set(chunk.subarray(from, to), this.#carried);
    this.#carried = length;
  }
}
