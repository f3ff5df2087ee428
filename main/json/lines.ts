import type { Limits } from '../../core/limits.ts';
import { CARRIAGE_RETURN, LINE_FEED, RECORD_SEPARATOR, SPACE, TAB } from './bytes.ts';
import { isDeep } from './values.ts';

/** Maximum UTF-8 bytes per UTF-16 unit. */
const MOST_UTF8 = 3;

/**
 * Parses a text's lines one by one and adds their values to `items`. Returns the number of lines before the first that
 * is not exactly one value or no value, or that may exceed a limit. `bytes` is the length of the text in UTF-8.
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
    // The sequence reader continues with this line, value by value.
  }
  return lines;
}

/** True for bytes allowed before a value of a sequence: a record separator (RFC 7464) or white space. */
function isSeparator(code: number): boolean {
  return code <= SPACE && (code === SPACE || code === RECORD_SEPARATOR || code === TAB || code === CARRIAGE_RETURN);
}

/** Position of the line feed that ends the line at `from`; `to` if there is none before. */
export function lineEnd(bytes: Uint8Array, from: number, to: number): number {
  const feed = bytes.subarray(from, to).indexOf(LINE_FEED);
  return feed < 0 ? to : from + feed;
}
