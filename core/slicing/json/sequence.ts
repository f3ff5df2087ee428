import type { Limits } from '../../limits.ts';
import { BRACE_BIT, CLOSE_BRACE, isWhite, LINE_FEED, OPEN_BRACE, QUOTE, RECORD_SEPARATOR } from '../../bytes/text/json-bytes.ts';
import type { JsonInput } from './input.ts';
import type { RunReader } from './runs.ts';
import type { JsonTree } from './tree.ts';
import { isDeep, NOT_PLAIN, textOf } from './values.ts';

/** Minimum and maximum bytes of lines parsed together. */
const MIN_LINES = 1024;
const MAX_LINES = 2 ** 30;

/** Maximum bytes without an attempt to read lines. */
const MAX_SKIPPED = 2 ** 20;

/** Maximum UTF-8 bytes per UTF-16 unit. */
const MAX_UTF8 = 3;

/** Reads a sequence of values separated by white space or record separators, line by line if each line is one value. */
export class SequenceReader {
  /** True right after a number, string, boolean or null, which the next value must not touch. */
  isAfterScalar = false;
  /** True in a sequence with record separators. */
  #isSeparated = false;
  readonly #input: JsonInput;
  readonly #tree: JsonTree;
  readonly #runs: RunReader;
  /** Position before which no line is one value. */
  #noLineBefore = 0;
  /** Bytes of lines parsed together. */
  #lineBytes = MAX_LINES;
  /** Bytes after the last line that was tried in vain before another is tried. */
  #skipped = 0;

  constructor(input: JsonInput, tree: JsonTree, runs: RunReader) {
    this.#input = input;
    this.#tree = tree;
    this.#runs = runs;
  }

  /** Forgets positions after the window moved. */
  forget(): void {
    this.#noLineBefore = 0;
  }

  /**
   * Reads values. Returns `'value'` if the next one must be opened; false if more bytes are needed, or the sequence has
   * ended.
   */
  read(): boolean | 'value' {
    const { window } = this.#input;
    const { bytes, end } = window;
    const start = window.at;
    let at = start;
    while (at < end && isSeparator(bytes[at])) at += 1;
    window.at = at;
    if (at > start) this.isAfterScalar = false;
    if (bytes[at - 1] === RECORD_SEPARATOR) this.#isSeparated = true;
    // A scalar without a separator after it is not complete yet.
    if (isSeparator(bytes[at - 1]) || (bytes[at - 1]! | BRACE_BIT) === CLOSE_BRACE) this.#input.pass(this.#tree);
    if (at === end) {
      if (this.#input.isLast) this.#tree.close();
      return false;
    }
    if (this.isAfterScalar) return this.#input.fail();
    if (this.#input.isShort(at)) return false;
    const to = this.#input.pieceEnd(at);
    if (at >= this.#noLineBefore && this.#readLines(at, Math.min(to, at + this.#lineBytes))) return true;
    return (bytes[at]! | BRACE_BIT) === OPEN_BRACE ? this.#readContainer(at, to, end) : 'value';
  }

  /** True if a scalar in `at..to` may be cut: a record separator, or nothing, follows it instead of white space (RFC 7464 section 2.4). */
  mayBeCut(at: number, to: number): boolean {
    const { bytes, end } = this.#input.window;
    return this.#isSeparated && bytes[at] !== QUOTE && (to === end || bytes[to] === RECORD_SEPARATOR);
  }

  /** Reads a list or object in one piece if it ends within a piece. */
  #readContainer(at: number, to: number, end: number): boolean | 'value' {
    const { scan } = this.#runs;
    scan.run(this.#input.window.bytes, at + 1, to, this.#tree.levels.length + 1);
    if (this.#runs.passesLimit()) return this.#input.fail();
    if (scan.closed >= 0) {
      const value = this.#input.parse('', at, scan.closed + 1, '');
      if (value === NOT_PLAIN) return this.#input.fail();
      this.#input.advance(scan.closed + 1);
      this.#tree.add(value);
      return true;
    }
    if (!this.#input.isLast && end - at < this.#input.size.bytes) return this.#input.wait();
    return this.#input.isLast && to === end ? this.#input.fail() : 'value';
  }

  /** Reads lines in `at..end` that hold one value each; false if the first does not. */
  #readLines(at: number, end: number): boolean {
    const { bytes, end: last } = this.#input.window;
    const to = this.#input.isLast && end === last && !this.#isSeparated ? end : at + bytes.subarray(at, end).lastIndexOf(LINE_FEED);
    this.#noLineBefore = end;
    if (to <= at) return false;
    let text: string;
    try {
      text = textOf(bytes, at, to);
    } catch {
      return false;
    }
    const items: unknown[] = [];
    const lines = parseLines(text, to - at, this.#input.limits, items);
    let after = at;
    for (let line = 0; line < lines; line += 1) after = lineEnd(bytes, after, to) + 1;
    // Where most lines are not one value each, few are tried.
    this.#skipped = lines > 0 ? 0 : Math.min(2 * this.#skipped + MIN_LINES, MAX_SKIPPED);
    this.#noLineBefore = after <= to ? Math.max(lineEnd(bytes, after, to), at + this.#skipped) : 0;
    // The next attempt parses the failing line again, so it should be cheap.
    this.#lineBytes = after <= to ? MIN_LINES : Math.min(this.#lineBytes * 2, MAX_LINES);
    if (lines === 0) return false;
    this.#tree.addRun(0, 0, items);
    this.#input.advance(Math.min(after, to));
    return true;
  }
}

/**
 * Parses a text's lines one by one and adds their values to `items`. Returns the number of lines before the first that
 * is not exactly one value or no value, or that may exceed a limit. `bytes` is the length of the text in UTF-8.
 */
function parseLines(text: string, bytes: number, { depth, stringLength }: Limits, items: unknown[]): number {
  const unit = bytes > stringLength ? MAX_UTF8 : 0;
  let lines = 0;
  try {
    for (let from = 0; from <= text.length; lines += 1) {
      const feed = text.indexOf('\n', from);
      const end = feed < 0 ? text.length : feed;
      while (from < end && isSeparator(text.charCodeAt(from))) from += 1;
      if (from < end) {
        const line = text.slice(from, end);
        const value: unknown = JSON.parse(line);
        if (line.length * unit > stringLength || isDeep(line, value, depth)) break;
        items.push(value);
      }
      from = end + 1;
    }
  } catch {
    // The sequence reader continues with this line, value by value.
  }
  return lines;
}

/** True for bytes allowed between values of a sequence: a record separator (RFC 7464) or white space. */
function isSeparator(code: number | undefined): boolean {
  return isWhite(code) || code === RECORD_SEPARATOR;
}

/** Position of the line feed that ends the line at `from`; `to` if not found before. */
function lineEnd(bytes: Uint8Array, from: number, to: number): number {
  const feed = bytes.subarray(from, to).indexOf(LINE_FEED);
  return feed < 0 ? to : from + feed;
}
