/** Maximum number of values with all references expanded; equals the limit of a tree. */
const MAX_VALUES = 12_000_000;

/**
 * Throws if a value contains itself, or has too many values once references are expanded. A few bytes of references may
 * expand beyond any memory, and inferred schemas and other forms need a tree.
 */
export function checkReferences(value: unknown): void {
  /** Number of values in each container; 0 while it is being counted. */
  const counts = new Map<object, number>();
  const count = (item: unknown): number => {
    if (typeof item !== 'object' || item === null || ArrayBuffer.isView(item)) return 1;
    const known = counts.get(item);
    if (known === 0) throw new Error('The value contains itself.');
    if (known !== undefined) return known;
    counts.set(item, 0);
    let sum = 1;
    if (item instanceof Map) for (const [key, inner] of item) sum += count(key) + count(inner);
    else if (item instanceof Set) for (const inner of item) sum += count(inner);
    else for (const key of Object.keys(item)) sum += count((item as Record<string, unknown>)[key]);
    counts.set(item, sum);
    return sum;
  };
  if (count(value) > MAX_VALUES) throw new Error('The value has too many values once its references are written out.');
}
