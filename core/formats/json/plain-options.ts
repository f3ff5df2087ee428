import type { JsonWriteOptions } from './options.ts';

/** True if the text, or each item of a sequence, equals that of `JSON.stringify`. */
export function isPlain({ bigints = 'error', maps = 'empty', sets = 'empty', bytes = 'object', nonFinite = 'null' }: JsonWriteOptions): boolean {
  return bigints === 'error' && maps === 'empty' && sets === 'empty' && bytes === 'object' && nonFinite === 'null';
}
