/** Nodes of a value that the engine writes in one go: some hundred kilobytes of text, a millisecond or two. */
export const MOST_NODES = 4_096;
/** Containers inside one another that the engine is given. */
const DEEPEST = 64;
/** UTF-16 units of a string that count as a node. */
const UNITS = 64;

/**
 * About how many nodes a value has, more than `MOST_NODES` where it has more, is deep, or has a `toJSON` that may ask for
 * its key: such a value is walked.
 */
export function weigh(value: unknown): number {
  try {
    return add(value, 0, 0);
  } catch {
    // A getter has thrown: where that is, is found when the value is walked.
    return Infinity;
  }
}

function add(value: unknown, nodes: number, depth: number): number {
  if (typeof value === 'string') return nodes + 1 + value.length / UNITS;
  if (typeof value !== 'object' || value === null) return nodes + 1;
  if (depth === DEEPEST) return Infinity;
  if (Array.isArray(value)) {
    let sum = nodes + 1;
    if (value.length > MOST_NODES) return Infinity;
    for (let index = 0; index < value.length && sum <= MOST_NODES; index += 1) sum = add(value[index], sum, depth + 1);
    return sum;
  }
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === 'function' && toJSON.length > 0 && !(value instanceof Date)) return Infinity;
  let sum = nodes + 1;
  for (const key in value) {
    sum = add((value as Record<string, unknown>)[key], sum, depth + 1);
    if (sum > MOST_NODES) break;
  }
  return sum;
}
