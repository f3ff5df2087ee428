import type { Limits } from '../../core/limits.ts';
import { CARRIAGE_RETURN, LINE_FEED, RECORD_SEPARATOR, SPACE, TAB } from './bytes.ts';
import { isDeep } from './values.ts';

/** The most bytes of UTF-8 that a unit of a string's text stands for. */
const MOST_UTF8 = 3;

/**
 * Adds the values of a text's lines to `items`, each parsed by itself: white space in it is the grammar's, and no value is
 * in two lines. Returns how many lines are one value each, or none, up to the first that is not, or that may pass a limit.
 * `bytes`: how many the text takes.
 */
export function parseLines(text: string, bytes: number, { depth, stringLength }: Limits, items: unknown[]): number {
  const unit = bytes > stringLength ? MOST_UTF8 : 0;
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
    // The values of this line are read one by one.
  }
  return lines;
}

/** What may stand before a value of a sequence: a record separator (RFC 7464), and white space. */
function isSeparator(code: number): boolean {
  return code <= SPACE && (code === SPACE || code === RECORD_SEPARATOR || code === TAB || code === CARRIAGE_RETURN);
}

/** The position of the line feed that ends the line at `from`; `to` where there is none before. */
export function lineEnd(bytes: Uint8Array, from: number, to: number): number {
  const feed = bytes.subarray(from, to).indexOf(LINE_FEED);
  return feed < 0 ? to : from + feed;
}
