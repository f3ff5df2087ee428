import { out, room } from './output.ts';

/**
 * Makes room for so many bytes that are 0. Returns the position of the first. Those of a chunk that begins with them are 0
 * already: to fill a hundred megabytes would be a long task.
 */
export function zeros(at: number, bytes: number): number {
  const chunk = out;
  const start = room(at, bytes);
  if (out === chunk) out.fill(0, start, start + bytes);
  return start;
}
