/** Room for the bytes that one chunk leaves to the next. */
const LEAST_ROOM = 128 * 1024;

const NO_BYTES = new Uint8Array(0);

/**
 * The bytes that are still to be read, in one piece, however the chunks come. A chunk is read where it lies; only what
 * is left of it is copied in front of a part of the next.
 */
export class ByteWindow {
  /** What is to be read is `at..end`, and nothing lies behind `end`. */
  bytes: Uint8Array = NO_BYTES;
  at = 0;
  end = 0;
  #room = NO_BYTES;
  /** The chunk that came last, and how much of it is in `bytes`. */
  #chunk: Uint8Array = NO_BYTES;
  #copied = 0;

  get left(): number {
    return this.end - this.at;
  }

  /** Takes the next chunk. All of the last must be in `bytes`. */
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

  /** Adds more of the chunk to what can be read, as much again as there is; false where there is no more of it. */
  grow(): boolean {
    const { left } = this;
    const count = Math.min(this.#chunk.length - this.#copied, Math.max(left, LEAST_ROOM / 2));
    if (count === 0) return false;
    if (this.end + count > this.#room.length) this.#move((left + count) * 2);
    this.#room.set(this.#chunk.subarray(this.#copied, this.#copied + count), this.end);
    this.#copied += count;
    this.end += count;
    this.bytes = this.#room.subarray(0, this.end);
    return true;
  }

  /** Reads on in the chunk itself, where all that was left before it has been read. Returns whether positions have changed. */
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

  /** Moves what is left to the beginning of a room for so many bytes, or of the one that there is. */
  #move(bytes: number): void {
    const rest = this.bytes.subarray(this.at, this.end);
    if (this.#room.length < bytes) this.#room = new Uint8Array(Math.max(bytes, LEAST_ROOM));
    this.#room.set(rest);
    this.end = rest.length;
    this.bytes = this.#room.subarray(0, this.end);
    this.at = 0;
  }
}
