import { CLOSE_BRACE, CLOSE_BRACKET, OPEN_BRACE, OPEN_BRACKET, QUOTE, SPACE } from '../../bytes/text/json-bytes.ts';

/**
 * Finds the JSON in a text: an object whose brace is followed by a key or by its end, or an array whose bracket is followed by
 * an object, an array, a string or its end. White space may come between. Other brackets belong to the text.
 */
export class ProseFilter {
  /** True once the value has begun. */
  begun = false;
  /** Bytes seen so far. */
  skipped = 0;
  /** A bracket that may begin the value, and its offset. */
  #bracket = 0;
  #offset = 0;

  /** The bytes to read: none before the value begins; then spaces instead of the text, which keeps offsets true. */
  skip(bytes: Uint8Array): Uint8Array {
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at]!;
      if (byte <= SPACE) continue;
      if (this.#begins(byte)) {
        this.begun = true;
        const from = this.skipped + at;
        const read = new Uint8Array(this.skipped + bytes.length).fill(SPACE, 0, from);
        read[this.#offset] = this.#bracket;
        read.set(bytes.subarray(at), from);
        return read;
      }
      this.#bracket = byte === OPEN_BRACE || byte === OPEN_BRACKET ? byte : 0;
      this.#offset = this.skipped + at;
    }
    this.skipped += bytes.length;
    return new Uint8Array(0);
  }

  /** True if the bracket, followed by this byte, begins JSON. */
  #begins(byte: number): boolean {
    if (this.#bracket === OPEN_BRACE) return byte === QUOTE || byte === CLOSE_BRACE;
    return this.#bracket === OPEN_BRACKET && (byte === OPEN_BRACE || byte === OPEN_BRACKET || byte === QUOTE || byte === CLOSE_BRACKET);
  }
}
