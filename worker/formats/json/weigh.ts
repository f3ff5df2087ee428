/** Nodes of a value that the engine writes in one go: some hundred kilobytes of text, a millisecond or two. */
export const MOST_NODES = 4_096;
/** Containers inside one another that the engine is given. */
const DEEPEST = 64;
/** By so many bits the length of a string is shifted for the nodes that it counts as. */
const UNIT_BITS = 6;

/**
 * About how many nodes a value has, more than `MOST_NODES` where it has more, is deep, or has a `toJSON` that may ask for
 * its key: such a value is walked. `levels` is how many containers inside one another there may be.
 */
export function weigh(value: unknown, levels: number): number {
  try {
    return nodesOf(value, Math.min(levels, DEEPEST));
  } catch {
    // A getter has thrown: where that is, is found when the value is walked.
    return Infinity;
  }
}

function nodesOf(value: unknown, levels: number): number {
  if (typeof value === 'string') return 1 + (value.length >> UNIT_BITS);
  return typeof value === 'object' && value !== null ? nodesIn(value, levels) : 1;
}

function nodesIn(container: object, levels: number): number {
  if (levels === 0) return Infinity;
  let sum = 1;
  if (Array.isArray(container)) {
    if (container.length > MOST_NODES) return Infinity;
    for (let index = 0; index < container.length && sum <= MOST_NODES; index += 1) sum += nodesOf(container[index], levels - 1);
    return sum;
  }
  const { toJSON } = container as { toJSON?: unknown };
  if (typeof toJSON === 'function' && toJSON.length > 0 && !(container instanceof Date)) return Infinity;
  for (const key in container) {
    const value = (container as Record<string, unknown>)[key];
    // Every value of every record comes here, and most need no call.
    if (typeof value === 'string') sum += 1 + (value.length >> UNIT_BITS);
    else sum += typeof value === 'object' && value !== null ? nodesIn(value, levels - 1) : 1;
    if (sum > MOST_NODES) break;
  }
  return sum;
}
