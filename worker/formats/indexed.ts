/**
 * Where a value of a sequence begins, at `near` or behind it, by what the caller says: see `Cutting`. In formats such as
 * MessagePack nothing tells the first byte of a value from any other.
 */
export function find(_bytes: Uint8Array, near: number, options: object, index: ArrayLike<number> = []): number {
  const { sequence, deterministic } = options as { sequence?: boolean; deterministic?: unknown };
  // What is to be checked as a whole is read by one worker.
  if (!sequence || deterministic) return -1;
  let low = 0;
  for (let high = index.length; low < high;) {
    const middle = (low + high) >>> 1;
    if (index[middle]! < near) low = middle + 1;
    else high = middle;
  }
  const at = index[low];
  return Number.isSafeInteger(at) ? at! : -1;
}
