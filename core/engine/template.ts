// V8 reserves slots for all keys of an object that `JSON.parse` made, and in copies of it. Keys added to `{}` after the
// fourth go to a separate store, and many keys to a slow hash table. Records are therefore copies of a template.
// Benchmark: --engine-switches, `templates`.

import { OFF } from './switches.ts';

/** Creates an object with these keys, to be spread and then filled with values like the `samples`. */
export function makeTemplate(keys: readonly string[], samples: readonly unknown[]): Record<string, unknown> {
  if (OFF.templates) return Object.fromEntries(keys.map((key) => [key, null]));
  const fields = keys.map((key, index) => `${JSON.stringify(key)}:${similarJson(samples[index])}`);
  return JSON.parse(`{${fields.join()}}`) as Record<string, unknown>;
}

/** JSON of a value that engines represent in the same way. */
function similarJson(sample: unknown): string {
  if (typeof sample === 'string') return '""';
  if (typeof sample === 'number') return Number.isInteger(sample) ? '0' : '0.5';
  return 'null';
}
