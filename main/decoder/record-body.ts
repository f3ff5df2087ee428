import { registry } from './observe.ts';

/** Of bodies that are kept: the least size, and the number. */
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
