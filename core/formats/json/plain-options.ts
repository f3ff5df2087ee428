import type { JsonWriteOptions } from './options.ts';

/** Whether the text is what `JSON.stringify` gives, of the whole value or of each item of a sequence. */
export function isPlain({ bigints = 'error', maps = 'empty', sets = 'empty', bytes = 'object', nonFinite = 'null' }: JsonWriteOptions): boolean {
  return bigints === 'error' && maps === 'empty' && sets === 'empty' && bytes === 'object' && nonFinite === 'null';
}
