import type { Sink } from '../../../reading/sink.ts';
import { invalidUtf8, validateUtf8 } from '../../../bytes/text/text.ts';
import { textFor } from '../../../bytes/text/text-for.ts';
import type { Content } from '../tags/content.ts';
import type { Input } from './input.ts';

/** The string has no tag and is a value. */
export const NO_TAG = -1;
/** The string is a key. */
export const KEY = -2;

const NO_BYTES = new Uint8Array(0);

/**
 * Strings of indefinite length (RFC 8949 section 3.2.3): a head, chunks that are strings of definite length and of the
 * same major type, and a break. The chunks are collected, since a sink takes complete strings.
 *
 *     0x5f, byte strings…, 0xff
 *     0x7f, text strings…, 0xff
 */
export class Chunks {
  /** True while a string is being read. */
  open = false;
  #bytes: Uint8Array<ArrayBuffer> = NO_BYTES;
  #length = 0;
  #text = false;
  #tag = NO_TAG;
  /** Offset in the input of the tag or the string. */
  #start = 0;
  readonly #input: Input;
  readonly #content: Content;
  readonly #sink: Sink;

  constructor(input: Input, content: Content, sink: Sink) {
    this.#input = input;
    this.#content = content;
    this.#sink = sink;
  }

  /**
   * Begins a string of the major type `major`, whose tag or head is at `at`: the content of `tag`, or NO_TAG, or KEY.
   */
  begin(major: number, tag: number, at: number): void {
    this.open = true;
    this.#text = major === 3;
    this.#tag = tag;
    this.#length = 0;
    this.#start = this.#input.base + at;
  }

  /** Reads the chunk or the break at `at`. False if it is cut. Sends the string once it is complete. */
  read(at: number): boolean {
    const input = this.#input;
    const token = input.bytes[at]!;
    if (token === 0xff) {
      input.next = at + 1;
      this.open = false;
      this.#send(at + 1);
      return true;
    }
    if (token >> 5 !== (this.#text ? 3 : 2)) input.fail('malformed', 'a chunk is of a different type than its string', at);
    if ((token & 31) === 31) input.fail('malformed', 'a chunk must not have an indefinite length', at);
    const limit = this.#text ? 'stringLength' : 'binaryLength';
    if (!input.head(at)) return false;
    const { bytes, base, next: from } = input;
    const next = from + input.value;
    if (this.#length + input.value > input[limit]) input.exceed(limit, at);
    input.reach = input.next = next;
    if (next > input.to) return false;
    if (from === next) return true;
    if (this.#text) {
      // Chunks must not split characters.
      const bad = validateUtf8(bytes, from, next);
      if (bad >= 0 && this.#sink.repairedText === undefined) throw invalidUtf8(bad, base);
    }
    this.#append(bytes, from, next);
    return true;
  }

  /** True if the string is a key. */
  get isKey(): boolean {
    return this.#tag === KEY;
  }

  #send(end: number): void {
    const { bytes: window, view, base } = this.#input;
    const sink = this.#sink;
    const length = this.#length;
    // Negative if the string began before the window.
    const start = this.#start - base;
    if (this.#tag >= 0) {
      if (this.#text) this.#content.text(this.#tag, textFor(this.#sink, this.#bytes, 0, length, -1), start, end);
      else this.#content.bytes(this.#tag, this.#bytes, 0, length, start);
    } else if (this.#tag === KEY) {
      sink.keyText(textFor(this.#sink, this.#bytes, 0, length, -1), start, end);
    } else {
      sink.window(this.#bytes, new DataView(this.#bytes.buffer), -1);
      if (this.#text) sink.string(0, 0, length);
      else sink.binary(0, 0, 0, length);
      sink.window(window, view, base);
    }
  }

  #append(bytes: Uint8Array, from: number, end: number): void {
    const length = this.#length + end - from;
    if (length > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(length, this.#bytes.length * 2, 256));
      grown.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = grown;
    }
    this.#bytes.set(bytes.subarray(from, end), this.#length);
    this.#length = length;
  }
}
