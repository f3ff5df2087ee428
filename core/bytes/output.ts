import { joined } from './byte-input.ts';

/**
 * Where encoded bytes go. A writer's functions take the position in `out` and return the next one, so that it stays in a
 * register; they write to `out` and `view` as they are at that moment, and ask for room before they write.
 *
 * The output is a list of chunks that are never copied: a full chunk is put aside and the next one begins. One encode at
 * a time is current; another may begin while it waits for its next turn, or inside it (a getter that encodes).
 */

/** Fixed-size values of so many bytes may be written at any position up to `soft`, without asking for room. */
export const SLACK = 1024;

const FIRST_CHUNK = 1 << 16;
const SECOND_CHUNK = 1 << 18;
const LARGEST_CHUNK = 1 << 20;
/** After so many bytes loops ask whether the turn has ended, unless chunks are smaller. */
const TURN_BYTES = 1 << 17;

/** What a function returns in place of a position: the turn has ended, see `Turn`. */
export const STOPPED = -1;

/** Says whether the writer should stop here, and go on in a later turn. */
export type Turn = () => boolean;

/** The current chunk. */
export let out: Uint8Array<ArrayBuffer> = new Uint8Array(FIRST_CHUNK);
/** The current chunk. */
export let view: DataView<ArrayBuffer> = new DataView(out.buffer);
/**
 * Up to this position there is room for `SLACK` bytes. There may be more room where writing is to stop when its turn ends: the
 * next loop that passes the position asks. It is negative where a chunk has begun since the last loop asked.
 */
export let soft: number = out.length - SLACK;

let current: Output | undefined;
/** The first chunk of the last encode, where it was small enough to be copied: most encodes need no other. */
let spare: Uint8Array<ArrayBuffer> | undefined = out;

/** The output of one encode. */
export class Output {
  /** Full chunks that have not been taken, in order. */
  #chunks: Uint8Array<ArrayBuffer>[] = [];
  /** Bytes before the current chunk, those that were taken included. */
  #before = 0;
  /** Bytes that were taken. */
  #taken = 0;
  #next = SECOND_CHUNK;
  #most = LARGEST_CHUNK;
  #chunk: Uint8Array<ArrayBuffer>;
  #at = 0;
  #outer: Output | undefined;
  readonly #turn: Turn | undefined;
  /** After so many bytes loops ask whether the turn has ended. */
  readonly turnBytes: number = TURN_BYTES;
  #isFirst = true;

  /**
   * Where a `turn` is given, loops may be stopped when a chunk is full: see `pass`. `chunk` are the bytes of all chunks but
   * for what one value at a time needs beyond; by default they grow.
   */
  constructor(turn?: Turn, chunk?: number) {
    this.#turn = turn;
    if (chunk !== undefined) {
      this.#next = this.#most = chunk + SLACK;
      this.turnBytes = chunk >> 1;
      this.#chunk = new Uint8Array(this.#next);
      this.#isFirst = false;
      return;
    }
    this.#chunk = spare ?? new Uint8Array(FIRST_CHUNK);
    spare = undefined;
  }

  /** Makes this output the current one; returns the position to write at. */
  enter(): number {
    this.#outer = current;
    if (current !== undefined) current.#chunk = out;
    this.#use();
    this.askAt(this.#at + this.turnBytes);
    return this.#at;
  }

  /** Lets the next loop that passes a position ask whether the turn has ended, where that is to be asked. */
  askAt(at: number): void {
    if (this.#turn) soft = Math.min(soft, at);
  }

  /** Writing stops at `at` for now, or for good; what was current before is so again. */
  leave(at: number): void {
    this.#chunk = out;
    this.#at = at;
    current = this.#outer;
    this.#outer = undefined;
    if (current !== undefined) current.#use();
  }

  /** How many bytes come before position `at` of the current chunk. */
  offset(at: number): number {
    return this.#before + at;
  }

  /** Puts the current chunk aside; the next one has room for `need` bytes and the slack. Returns the position in it. */
  next(at: number, need: number): number {
    if (at > 0) this.#chunks.push(out.subarray(0, at));
    this.#before += at;
    this.#isFirst = false;
    use(new Uint8Array(Math.max(this.#next, need + SLACK)));
    this.#next = Math.min(this.#next * 2, this.#most);
    return 0;
  }

  /** Whether the turn has ended. */
  get isOver(): boolean {
    return this.#turn?.() === true;
  }

  /** Bytes in all, while it is not current. */
  get written(): number {
    return this.#before + this.#at;
  }

  /** Where writing goes on after a stop. */
  get at(): number {
    return this.#at;
  }

  stop(at: number): number {
    this.#at = at;
    return STOPPED;
  }

  /**
   * Replaces `length` bytes at an offset, which have not been taken, by others, of another length too. `at` is the position
   * in the current chunk, or `STOPPED`; returns what it is after that.
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
    // From the last chunk back: most of what is replaced lies in it, however many wait for the end of a length.
    let index = this.#chunks.length;
    while (place < 0) place += this.#chunks[--index]!.length;
    const chunk = this.#chunks[index]!;
    // Nobody replaces bytes that lie across the end of a chunk: they were written where there was room for all of them.
    if (by === 0) chunk.set(bytes, place);
    else {
      // Each chunk keeps a buffer of its own: whoever gets it may transfer it.
      const parts = [chunk.subarray(0, place), bytes.slice(), chunk.slice(place + length)];
      this.#chunks.splice(index, 1, ...parts.filter((part) => part.length > 0));
      this.#before += by;
    }
    return at;
  }

  /**
   * Takes the bytes from an offset on, none of which were taken, back out of the output: writing goes on at `offset`. `at`
   * is the position in the current chunk; `continueAt` what it is then.
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

  /** Takes the chunks before an offset that are full: those behind it may change. Not to be called while it is current. */
  take(before = Infinity): Uint8Array<ArrayBuffer>[] {
    let count = 0;
    while (count < this.#chunks.length && this.#taken + this.#chunks[count]!.length <= before) this.#taken += this.#chunks[count++]!.length;
    return this.#chunks.splice(0, count);
  }

  /** Takes all chunks. Each has no bytes but its own in its buffer, or few. */
  finish(): Uint8Array<ArrayBuffer>[] {
    const chunks = this.take();
    if (this.#at > 0) {
      const last = this.#chunk.subarray(0, this.#at);
      // The first chunk is kept for the next encode.
      if (this.#isFirst) spare = this.#chunk;
      chunks.push(this.#isFirst || this.#at < this.#chunk.length >> 1 ? last.slice() : last);
    } else if (this.#isFirst) spare = this.#chunk;
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

/** Makes sure that `need` bytes and the slack fit at the position it returns. */
export function room(at: number, need: number): number {
  if (at + need <= out.length - SLACK) return at;
  const next = current!.next(at, need);
  current!.askAt(-1);
  return next;
}

/**
 * For loops that find `at > soft`: makes room. Returns the position; or STOPPED where the turn has ended, and then the
 * writer says what is left to be written, and returns STOPPED.
 */
export function pass(at: number): number {
  const output = current!;
  soft = out.length - SLACK;
  const next = at > soft ? output.next(at, 0) : at;
  if (output.isOver) return output.stop(next);
  output.askAt(next + output.turnBytes);
  return next;
}

/** How many bytes of the current output come before the position: see `replaceAt`. */
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
