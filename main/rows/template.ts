/**
 * Creates an object with these keys, to be spread and then filled with values like the `samples`. Uses `JSON.parse`,
 * since V8 then reserves slots for all keys. Keys added to `{}` after the fourth would go to a separate store, and many
 * keys to a slow hash table, in copies of the object too.
 */
export function makeTemplate(keys: readonly string[], samples: readonly unknown[]): Record<string, unknown> {
  const fields = keys.map((key, index) => `${JSON.stringify(key)}:${similarJson(samples[index])}`);
  return JSON.parse(`{${fields.join()}}`) as Record<string, unknown>;
}

/** JSON of a value that engines represent in the same way. */
function similarJson(sample: unknown): string {
  if (typeof sample === 'string') return '""';
  if (typeof sample === 'number') return Number.isInteger(sample) ? '0' : '0.5';
  return 'null';
}
