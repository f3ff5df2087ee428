import { isChromium } from '../block/engine.ts';
import type { Building } from './slicer.ts';

/**
 * Before V8 makes an ArrayBuffer, it collects its young generation where the buffers in it have 64 MB together (32 MB in
 * older versions). One of so much, whose memory nobody touches, is enough for that.
 */
const BUFFER_BYTES = 64 * 1024 * 1024;

/** What a value of a record takes about: its place, and for most of some columns a number or a string. */
const VALUE_BYTES = 14;

/**
 * What is built between two collections. V8 copies what survives, twice before it is old, in 2 to 3 ms for each MB, and
 * less for each the more there are.
 */
const BUILT_BYTES = 2.5 * 1024 * 1024;

/** What is built while V8 marks, about 1 ms of copying for each MB, before building waits for it. */
const MARKING_BYTES = 8 * 1024 * 1024;

/** How often, and how many milliseconds each, building waits for V8's marking. */
const WAITS = 40;
const WAIT_MS = 4;

/** A call that takes less has collected nothing. */
const COLLECTION_MS = 0.25;

/** Time without building after which the buffer goes, in milliseconds. */
const IDLE_MS = 1000;

/** With the method that engines lack which are older than 2024. */
type Movable = ArrayBuffer & { transfer(length?: number): Movable };

const canCollect = isChromium && 'transfer' in ArrayBuffer.prototype;

/** Bytes that were built since the last collection, and how many of them there were at the last attempt. */
let built = 0;
let tried = 0;
/** V8 has collected so. */
let isProven = false;
let buffer: Movable | undefined;
let idle: ReturnType<typeof setTimeout> | undefined;

/** So many values of objects that stay were built. */
export function countBuilt(values: number): void {
  built += values * VALUE_BYTES;
}

/**
 * Keeps V8's young generation small while many objects are built that all stay: where it is left alone, V8 copies 16 to
 * 32 MB at once, which takes 30 to 100 ms. To be called often; it does nothing before enough was built, nor in other
 * engines.
 */
export function collectMinor(): void {
  if (canCollect && built - tried >= BUILT_BYTES) collect();
}

/**
 * Waits until V8 has marked what is alive, where so much was built meanwhile that its pause at the end would be seen: it
 * copies the young generation then, and does not before.
 */
export async function roomToBuild(): Promise<void> {
  if (!isProven || built < MARKING_BYTES || (globalThis as { document?: { visibilityState: string } }).document?.visibilityState !== 'visible')
    return;
  for (let wait = 0; wait < WAITS && built > 0; wait++) {
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
    collect();
  }
  // Another version of V8 may never do what is waited for.
  if (built > 0) isProven = false;
  built = tried = 0;
}

/** For a slicer whose work builds objects that stay. */
export const MINOR_GC: Building = { count: countBuilt, collect: collectMinor, room: roomToBuild };

function collect(): void {
  tried = built;
  const start = performance.now();
  try {
    // Moved, the memory belongs to a new object of the young generation. It is the same all the time: V8 begins to mark
    // when the memory of a page grows, and did twice as often where each collection had buffers of its own.
    buffer = (buffer ?? (new ArrayBuffer(BUFFER_BYTES) as Movable)).transfer();
    buffer.slice(0, 1);
    if (performance.now() - start >= COLLECTION_MS) {
      built = tried = 0;
      isProven = true;
    }
  } catch {
    // There is no memory for it, and V8 has collected all it could.
    built = tried = 0;
  }
  clearTimeout(idle);
  idle = setTimeout(() => {
    buffer?.transfer(0);
    buffer = undefined;
  }, IDLE_MS);
}
