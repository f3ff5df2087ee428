import { encodeWtf8 } from '../../bytes/text/encode-wtf8.ts';
import { decodeWtf8 } from '../../bytes/text/wtf8.ts';

/** An encoded key, ready to be compared with a range. */
export class Key {
  readonly length: number;
  readonly view: DataView;
  readonly #bytes: Uint8Array;
  /** Words of 4 bytes; the last one overlaps if the length is no multiple of 4. */
  readonly #words: Int32Array;

  constructor(source: DataView, from: number, to: number) {
    this.length = to - from;
    this.#bytes = new Uint8Array(source.buffer, source.byteOffset + from, this.length).slice();
    this.view = new DataView(this.#bytes.buffer);
    this.#words = new Int32Array(this.length < 4 ? 0 : (this.length + 3) >>> 2);
    for (let word = 0; word < this.#words.length; word++) {
      this.#words[word] = source.getInt32(Math.min(from + word * 4, to - 4), true);
    }
  }

  static of(text: string): Key {
    const bytes = encodeWtf8(text);
    return new Key(new DataView(bytes.buffer, bytes.byteOffset, bytes.length), 0, bytes.length);
  }

  /** The key's text, for error messages. */
  toString(): string {
    return decodeWtf8(this.#bytes);
  }

  matches(source: DataView, from: number, to: number): boolean {
    const { length } = this;
    if (to - from !== length) return false;
    const words = this.#words;
    const last = words.length - 1;
    if (last >= 0) {
      let at = from;
      for (let word = 0; word < last; word++, at += 4) {
        if (source.getInt32(at, true) !== words[word]) return false;
      }
      return source.getInt32(to - 4, true) === words[last];
    }
    for (let at = 0; at < length; at++) {
      if (source.getUint8(from + at) !== this.#bytes[at]) return false;
    }
    return true;
  }
}
