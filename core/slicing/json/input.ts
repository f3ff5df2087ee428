import type { Limits } from '../../limits.ts';
import { ByteWindow } from '../byte-window.ts';
import { mayBeDeep, mayExceed, nestsDeeper, NOT_PLAIN, textOf } from './values.ts';
import type { PieceSize } from '../piece-size.ts';
import type { HeldInput } from '../sliced-decode.ts';
import type { JsonTree } from './tree.ts';
import { MIN_WAITING_BYTES } from '../tuning.ts';

/**
 * Number of pieces whose brackets are not counted after a piece with too many brackets to rule out deep nesting. They
 * are likely to be similar, and counting takes longer than walking the values.
 */
const SIMILAR_PIECES = 15;

/** Bytes of a JSON text received so far, and the engine's parser for pieces of them. */
export class JsonInput {
  readonly limits: Limits;
  /** Adapts the size of the pieces. */
  readonly size: PieceSize;
  readonly held: HeldInput;
  readonly window = new ByteWindow();
  /** False once the text needs the JSON reader. */
  plain = true;
  /** True if no more bytes come. */
  isLast = false;
  /** True while input stalls: reads everything available, however little. */
  isIdle = false;
  /** Bytes to wait for before trying again, unless the input ends. */
  wanted = 0;
  /** Bytes received, and bytes parsed. */
  received = 0;
  parsed = 0;
  #frame = new Uint8Array(0);
  /** Remaining pieces that are assumed to have as many brackets as the last counted one. */
  #similarPieces = 0;

  constructor(limits: Limits, size: PieceSize, held: HeldInput) {
    this.limits = limits;
    this.size = size;
    this.held = held;
  }

  /** Takes the next chunk. */
  push(chunk: Uint8Array): void {
    this.held.push(chunk);
    this.received += chunk.length;
    if (mayExceed(this.received, this.limits)) this.fail();
    else if (this.plain && chunk.length > 0) this.window.push(chunk);
  }

  /** Releases the items before the current position, which is between two items. */
  pass({ innermost, rows }: JsonTree): void {
    if (innermost.isConsumer) this.held.pass?.(this.received - this.window.unread, innermost, rows);
  }

  /** True if it is better to wait for more bytes after `at`. */
  isShort(at: number): boolean {
    return !this.isLast && this.window.end - at < (this.isIdle ? 1 : Math.min(this.size.bytes, MIN_WAITING_BYTES));
  }

  /** Latest end of a piece that begins at `at`. */
  pieceEnd(at: number): number {
    return Math.min(this.window.end, at + this.size.bytes);
  }

  fail(): false {
    this.plain = false;
    return false;
  }

  /** Waits until the unread bytes have doubled, so that none are scanned often. */
  wait(): false {
    this.wanted = this.window.left * 2;
    return false;
  }

  /** Advances to `to`. */
  advance(to: number): void {
    const count = to - this.window.at;
    this.parsed += count;
    this.window.at = to;
    this.wanted = 0;
    this.size.count(count);
  }

  /**
   * Parses the bytes `at..to` between two ASCII texts; returns `NOT_PLAIN` if they do not parse. If `levels` is given,
   * deeper values are left to the JSON reader.
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

  /** True if the value nests deeper than `levels`. */
  #isDeep(text: string, value: unknown, levels: number): boolean {
    if (this.#similarPieces > 0) this.#similarPieces -= 1;
    else if (mayBeDeep(text, value, levels)) this.#similarPieces = SIMILAR_PIECES;
    else return false;
    return nestsDeeper(value, levels);
  }

  /**
   * Text of the bytes `at..to` between two ASCII texts. Copies the bytes: concatenating strings would copy the decoded
   * text, in the collector's memory and often with two bytes per character.
   */
  #framed(before: string, at: number, to: number, after: string): string {
    const start = before.length;
    const end = start + to - at;
    const length = end + after.length;
    if (this.#frame.length < length) this.#frame = new Uint8Array(Math.max(length, MIN_WAITING_BYTES, this.#frame.length * 2));
    for (let index = 0; index < start; index += 1) this.#frame[index] = before.charCodeAt(index);
    this.#frame.set(this.window.bytes.subarray(at, to), start);
    for (let index = end; index < length; index += 1) this.#frame[index] = after.charCodeAt(index - end);
    return textOf(this.#frame, 0, length);
  }
}
