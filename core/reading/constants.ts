import type { ConstantList } from './sink-methods.ts';
import type { Sink } from './sink.ts';

/**
 * Strings that are not part of the input, such as the names of an enum's values. Also stored as consecutive UTF-8, so
 * that a sink takes them like those of the input.
 */
export class Constants implements ConstantList {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  readonly #texts: readonly string[];
  readonly #ends: Int32Array;

  constructor(texts: readonly string[]) {
    this.#texts = texts;
    const encoder = new TextEncoder();
    const encoded = texts.map((text) => encoder.encode(text));
    this.#ends = new Int32Array(encoded.length);
    this.bytes = new Uint8Array(encoded.reduce((length, bytes) => length + bytes.length, 0));
    this.view = new DataView(this.bytes.buffer);
    let at = 0;
    for (const [index, bytes] of encoded.entries()) {
      this.bytes.set(bytes, at);
      this.#ends[index] = at += bytes.length;
    }
  }

  text(index: number): string {
    return this.#texts[index]!;
  }

  start(index: number): number {
    return index === 0 ? 0 : this.#ends[index - 1]!;
  }

  end(index: number): number {
    return this.#ends[index]!;
  }

  /** Sends a string. Returns true if the previous window must be announced again. */
  send(sink: Sink, index: number): boolean {
    if (sink.constant !== undefined) {
      sink.constant(this, index);
      return false;
    }
    sink.window(this.bytes, this.view, -1);
    sink.string(this.start(index), this.start(index), this.end(index));
    return true;
  }
}
