/**
 * Returns the engine's internalized copy of a string. `for … in` yields such strings, and comparing two of them
 * compares no characters.
 */
export function internalized(key: string): string {
  return Object.keys({ [key]: 0 })[0]!;
}
