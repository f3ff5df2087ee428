import { BACKSLASH, QUOTE } from '../../bytes/text/json-bytes.ts';
import { invalidUtf8, validateUtf8 } from '../../bytes/text/text.ts';

const FIRST_BYTES = 64 * 1024;
const HEX = '0123456789abcdef';
/** Letters after the backslash for the control characters that have a short escape (RFC 8259 section 7). */
const LETTERS: Readonly<Record<number, number>> = { 8: 0x62, 9: 0x74, 10: 0x6e, 12: 0x66, 13: 0x72 };

/** Growing JSON text. */
export class JsonOutput {
  /** Length of the text, which may be reduced. */
  length = 0;
  #bytes = new Uint8Array(FIRST_BYTES);

  /** Removes the text up to `end` and returns it; undefined if it is empty. */
  take(end: number): Uint8Array<ArrayBuffer> | undefined {
    if (end === 0) return undefined;
    const text = this.#bytes.slice(0, end);
    this.#bytes.copyWithin(0, end, this.length);
    this.length -= end;
    return text;
  }

  byte(byte: number): void {
    this.#room(1);
    this.#bytes[this.length++] = byte;
  }

  append(bytes: Uint8Array): void {
    this.#room(bytes.length);
    this.#bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  ascii(text: string): void {
    const { length } = text;
    this.#room(length);
    const out = this.#bytes;
    let to = this.length;
    for (let at = 0; at < length; at += 1) out[to++] = text.charCodeAt(at);
    this.length = to;
  }

  /**
   * Appends the UTF-8 in `bytes` as a string. `base` is the offset of `bytes[0]` in the input. Throws a DecodeError.
   */
  utf8(bytes: Uint8Array, from: number, end: number, base: number): void {
    // A byte may become six.
    this.#room((end - from) * 6 + 2);
    const out = this.#bytes;
    let to = this.length;
    let all = 0;
    out[to++] = QUOTE;
    for (let at = from; at < end; at += 1) {
      const byte = bytes[at]!;
      all |= byte;
      if (byte >= 0x20 && byte !== QUOTE && byte !== BACKSLASH) out[to++] = byte;
      else to = escape(out, to, byte);
    }
    if (all >= 0x80) {
      const bad = validateUtf8(bytes, from, end);
      if (bad >= 0) throw invalidUtf8(bad, base);
    }
    out[to++] = QUOTE;
    this.length = to;
  }

  #room(bytes: number): void {
    const needed = this.length + bytes;
    if (needed <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
    larger.set(this.#bytes.subarray(0, this.length));
    this.#bytes = larger;
  }
}

/** Writes a short escape such as `\n`, or `\u001f`. Returns its end. */
function escape(out: Uint8Array, to: number, byte: number): number {
  out[to++] = BACKSLASH;
  const letter = byte < 0x20 ? LETTERS[byte] : byte;
  if (letter !== undefined) {
    out[to++] = letter;
    return to;
  }
  for (const character of `u00${HEX[byte >> 4]!}${HEX[byte & 15]!}`) out[to++] = character.charCodeAt(0);
  return to;
}
