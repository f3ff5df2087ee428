/**
 * The same string as engines keep it that is a property's name: `for … in` gives such strings, and comparing two of them
 * compares no characters.
 */
export function internalized(key: string): string {
  return Object.keys({ [key]: 0 })[0]!;
}
