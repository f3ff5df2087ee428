import type { Limits } from '../../core/limits.ts';
import { ByteWindow } from '../slicing/byte-window.ts';
import { mayBeDeep, nestsDeeper, NOT_PLAIN, textOf } from './values.ts';
import type { PieceSize } from '../slicing/piece-size.ts';

/** While bytes are still to come, so many are waited for. */
const LEAST_PIECE = 64 * 1024;

/**
 * After a piece with so many brackets that they do not show how deep it is, the brackets of this many pieces are not
 * counted: they are likely to be as many, and counting them takes longer than looking at the values.
 */
const ALIKE = 15;

/** The bytes of a JSON text that are there, and the engine's parser for pieces of them. */
export class JsonInput {
  readonly limits: Limits;
  /** How much is parsed at once. */
  readonly size: PieceSize;
  readonly window = new ByteWindow();
  /** False as soon as it is known that the text is for the JSON reader. */
  plain = true;
  /** No more bytes come. */
  isLast = false;
  /** What there is is read, however little that is. */
  isIdle = false;
  /** Bytes that must be there before it is worth while to look again, unless no more come. */
  wanted = 0;
  /** Bytes that have come, and those that were parsed. */
  received = 0;
  parsed = 0;
  #frame = new Uint8Array(0);
  /** How many pieces are thought to be like one that has many brackets. */
  #alike = 0;

  constructor(limits: Limits, size: PieceSize) {
    this.limits = limits;
    this.size = size;
  }

  /** Whether more bytes are better waited for than those read that follow `at`. */
  isShort(at: number): boolean {
    return !this.isLast && this.window.end - at < (this.isIdle ? 1 : Math.min(this.size.bytes, LEAST_PIECE));
  }

  /** Where a piece ends that begins at `at`, at the latest. */
  pieceEnd(at: number): number {
    return Math.min(this.window.end, at + this.size.bytes);
  }

  fail(): false {
    this.plain = false;
    return false;
  }

  /** More is needed: as much again as there is, so that nothing is looked at often. */
  wait(): false {
    this.wanted = this.window.left * 2;
    return false;
  }

  /** What came before `to` was read. */
  taken(to: number): void {
    const count = to - this.window.at;
    this.parsed += count;
    this.window.at = to;
    this.wanted = 0;
    this.size.count(count);
  }

  /**
   * What the bytes at `at..to` are with something around them; `NOT_PLAIN` where they do not parse. More than so many
   * `levels`, where they are given, are for the JSON reader.
   */
  parse(before: string, at: number, to: number, after: string, levels = 0): unknown {
    try {
      const text = before === '' && after === '' ? textOf(this.window.bytes, at, to) : this.#framed(before, at, to, after);
      const value: unknown = JSON.parse(text);
      if (levels > 0 && this.#isDeep(text, value, levels)) this.fail();
      return this.plain ? value : NOT_PLAIN;
    } catch {
      return NOT_PLAIN;
    }
  }

  /** Whether the value of a text has more than so many levels. */
  #isDeep(text: string, value: unknown, levels: number): boolean {
    if (this.#alike > 0) this.#alike -= 1;
    else if (mayBeDeep(text, value, levels)) this.#alike = ALIKE;
    else return false;
    return nestsDeeper(value, levels);
  }

  /**
   * The text of the bytes at `at..to` between two texts of ASCII. The bytes are copied, since strings that are joined are
   * copied as well, after they were decoded: all of them again, in the collector's memory, and often with two bytes each.
   */
  #framed(before: string, at: number, to: number, after: string): string {
    const start = before.length;
    const end = start + to - at;
    const length = end + after.length;
    if (this.#frame.length < length) this.#frame = new Uint8Array(Math.max(length, LEAST_PIECE, this.#frame.length * 2));
    for (let index = 0; index < start; index += 1) this.#frame[index] = before.charCodeAt(index);
    this.#frame.set(this.window.bytes.subarray(at, to), start);
    for (let index = end; index < length; index += 1) this.#frame[index] = after.charCodeAt(index - end);
    return textOf(this.#frame, 0, length);
  }
}
