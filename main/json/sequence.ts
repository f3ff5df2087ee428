import { BRACE_BIT, isWhite, LINE_FEED, OPEN_BRACE, RECORD_SEPARATOR } from './bytes.ts';
import type { JsonInput } from './input.ts';
import { lineEnd, parseLines } from './lines.ts';
import type { RunReader } from './runs.ts';
import type { JsonTree } from './tree.ts';
import { NOT_PLAIN, textOf } from './values.ts';

/** Bytes of lines to look at together, at least and at most. */
const LEAST_LINES = 1024;
const MOST_LINES = 2 ** 30;

/** Reads a sequence of values with white space or record separators between them, by lines where each line is one. */
export class SequenceReader {
  /** A number, string, true, false or null has just been read, which the next value must not touch. */
  isAfterScalar = false;
  readonly #input: JsonInput;
  readonly #tree: JsonTree;
  readonly #runs: RunReader;
  /** Before this position a line is not a value. */
  #noLine = 0;
  /** Bytes of lines to look at together. */
  #lineBytes = MOST_LINES;

  constructor(input: JsonInput, tree: JsonTree, runs: RunReader) {
    this.#input = input;
    this.#tree = tree;
    this.#runs = runs;
  }

  /** Positions in the window have changed. */
  forget(): void {
    this.#noLine = 0;
  }

  /** Reads values; `'value'` where the next one must be opened; false where more bytes must come, or there are no more. */
  read(): boolean | 'value' {
    const { window } = this.#input;
    const { bytes, end } = window;
    const start = window.at;
    let at = start;
    while (at < end && (isWhite(bytes[at]) || bytes[at] === RECORD_SEPARATOR)) at += 1;
    window.at = at;
    if (at > start) this.isAfterScalar = false;
    if (at === end) {
      if (this.#input.isLast) this.#tree.close();
      return false;
    }
    if (this.isAfterScalar) return this.#input.fail();
    if (this.#input.isShort(at)) return false;
    const to = this.#input.pieceEnd(at);
    const lines = Math.min(to, at + this.#lineBytes);
    const lastLine = this.#input.isLast && lines === end ? end : bytes.lastIndexOf(LINE_FEED, lines - 1);
    if (at >= this.#noLine && this.#readLines(at, lastLine)) return true;
    return (bytes[at]! | BRACE_BIT) === OPEN_BRACE ? this.#readContainer(at, to, end) : 'value';
  }

  /** Reads a list or object, as a whole where it ends within a piece. */
  #readContainer(at: number, to: number, end: number): boolean | 'value' {
    const { scan } = this.#runs;
    scan.look(this.#input.window.bytes, at + 1, to, this.#tree.levels.length + 1);
    if (this.#runs.passesLimit()) return this.#input.fail();
    if (scan.closed >= 0) {
      const value = this.#input.parse('', at, scan.closed + 1, '');
      if (value === NOT_PLAIN) return this.#input.fail();
      this.#input.taken(scan.closed + 1);
      this.#tree.add(value);
      return true;
    }
    if (!this.#input.isLast && end - at < this.#input.size.bytes) return this.#input.wait();
    return this.#input.isLast && to === end ? this.#input.fail() : 'value';
  }

  /** Reads lines that are one value each, as far as they are; false where the first is not. */
  #readLines(at: number, to: number): boolean {
    if (to <= at) return false;
    const { bytes } = this.#input.window;
    let text: string;
    try {
      text = textOf(bytes, at, to);
    } catch {
      this.#noLine = to;
      return false;
    }
    const items: unknown[] = [];
    const lines = parseLines(text, to - at, this.#input.limits, items);
    let after = at;
    for (let line = 0; line < lines; line += 1) after = lineEnd(bytes, after, to) + 1;
    if (after <= to) this.#noLine = lineEnd(bytes, after, to);
    // A line that is not one value is met again by the next look: it should not have cost much.
    this.#lineBytes = after <= to ? LEAST_LINES : Math.min(this.#lineBytes * 2, MOST_LINES);
    if (lines === 0) return false;
    this.#tree.addRun(0, 0, items);
    this.#input.taken(Math.min(after, to));
    return true;
  }
}
