import { WINDOW_BYTES } from './tuning.ts';

const NO_BYTES = new Uint8Array(0);

/**
 * The unread bytes as one contiguous range, however the chunks arrive. Chunks are read where they are; only their
 * unread rest is copied in front of a part of the next chunk.
 */
export class ByteWindow {
  /** The unread range is `at..end`; `bytes` ends at `end`. */
  bytes: Uint8Array = NO_BYTES;
  at = 0;
  end = 0;
  #room = NO_BYTES;
  /** The latest chunk, and how much of it `bytes` contains. */
  #chunk: Uint8Array = NO_BYTES;
  #copied = 0;

  get left(): number {
    return this.end - this.at;
  }

  /** Bytes of all chunks that have not been read, including those of the latest one that `bytes` does not contain. */
  get unread(): number {
    return this.left + this.#chunk.length - this.#copied;
  }

  /** Adds the next chunk. `bytes` must already contain all of the last one. */
  push(chunk: Uint8Array): void {
    if (this.at === this.end) {
      this.#use(chunk, 0);
      return;
    }
    if (this.bytes.buffer !== this.#room.buffer || this.at > this.#room.length / 2) this.#move(this.left * 2);
    this.#chunk = chunk;
    this.#copied = 0;
    this.grow();
  }

  /** Appends more of the chunk, up to doubling the unread range; false if the chunk is used up. */
  grow(): boolean {
    const { left } = this;
    const count = Math.min(this.#chunk.length - this.#copied, Math.max(left, WINDOW_BYTES / 2));
    if (count === 0) return false;
    if (this.end + count > this.#room.length) this.#move((left + count) * 2);
    this.#room.set(this.#chunk.subarray(this.#copied, this.#copied + count), this.end);
    this.#copied += count;
    this.end += count;
    this.bytes = this.#room.subarray(0, this.end);
    return true;
  }

  /**
   * Switches to reading from the chunk itself once everything before it has been read. Returns true if positions
   * changed.
   */
  settle(): boolean {
    if (this.bytes === this.#chunk || this.end - this.at > this.#copied) return false;
    this.#use(this.#chunk, this.#copied - (this.end - this.at));
    return true;
  }

  #use(chunk: Uint8Array, at: number): void {
    this.bytes = this.#chunk = chunk;
    this.#copied = this.end = chunk.length;
    this.at = at;
  }

  /** Moves the unread bytes to the start of the buffer, enlarged to hold `bytes` if needed. */
  #move(bytes: number): void {
    const rest = this.bytes.subarray(this.at, this.end);
    if (this.#room.length < bytes) this.#room = new Uint8Array(Math.max(bytes, WINDOW_BYTES));
    this.#room.set(rest);
    this.end = rest.length;
    this.bytes = this.#room.subarray(0, this.end);
    this.at = 0;
  }
}
