import { out, room } from './output.ts';

/**
 * Makes room for `bytes` zeros. Returns the position of the first. A new chunk is zero already, so it is not filled:
 * filling a hundred megabytes would be a long task.
 */
export function zeros(at: number, bytes: number): number {
  const chunk = out;
  const start = room(at, bytes);
  if (out === chunk) out.fill(0, start, start + bytes);
  return start;
}
