import { registry } from '../observe.ts';

/** Least size of a body that is kept, in bytes, and the number of kept bodies. */
const LARGE_BODY = 8 * 1024 * 1024;
const MOST_BODIES = 3;

/** Keeps a copy of a large body. */
export function recordBody(id: number, bytes: Uint8Array<ArrayBuffer>): void {
  if (bytes.length < LARGE_BODY) return;
  const { bodies } = registry();
  bodies.set(id, bytes.slice().buffer);
  for (const oldest of bodies.keys()) {
    if (bodies.size <= MOST_BODIES) break;
    bodies.delete(oldest);
  }
}
