// V8 collects its young generation only when it is full, and copies what survives in one pause, a
// long task where many objects are built. Transferring a large ArrayBuffer makes V8 collect at once, so the collector
// runs at the start of a slice whenever a few megabytes were built, and building waits while V8 marks.
// Benchmark: --engine-switches, `minorGc`.

import { OFF } from '../engine/switches.ts';
import { isChromium } from '../engine/chromium.ts';
import type { Building } from './slicer.ts';
import {
  BUILT_BYTES,
  COLLECTING_BYTES,
  COLLECTING_IDLE_MS,
  COLLECTION_MS,
  MARKING_BYTES,
  MARKING_WAITS,
  MARKING_WAIT_MS,
  VALUE_BYTES,
} from './tuning.ts';

/** Declares `transfer`, which engines before 2024 lack. */
type Movable = ArrayBuffer & { transfer(length?: number): Movable };

const canCollect = !OFF.minorGc && isChromium && 'transfer' in ArrayBuffer.prototype;

/** Bytes built since the last collection, and at the last attempt to collect. */
let built = 0;
let tried = 0;
/** True once an attempt has made V8 collect. */
let isProven = false;
let buffer: Movable | undefined;
let idle: ReturnType<typeof setTimeout> | undefined;

/** Adds to the number of values built since the last collection. */
export function countBuilt(values: number): void {
  built += values * VALUE_BYTES;
}

/**
 * Keeps V8's young generation small while many surviving objects are built; otherwise V8 copies it in one long pause.
 * Call it often: it does nothing until enough was built, or in other engines.
 */
export function collectMinor(): void {
  if (canCollect && built - tried >= BUILT_BYTES) collect();
}

/**
 * Waits until V8 finishes marking, if the pause at the end would be noticeable: V8 copies the
 * young generation then, and not earlier.
 */
export async function roomToBuild(): Promise<void> {
  if (!isProven || built < MARKING_BYTES || (globalThis as { document?: { visibilityState: string } }).document?.visibilityState !== 'visible')
    return;
  for (let wait = 0; wait < MARKING_WAITS && built > 0; wait++) {
    await new Promise((resolve) => setTimeout(resolve, MARKING_WAIT_MS));
    collect();
  }
  // Other versions of V8 may never collect.
  if (built > 0) isProven = false;
  built = tried = 0;
}

/** Building hooks for a slicer whose work creates surviving objects. */
export const MINOR_GC: Building = { count: countBuilt, collect: collectMinor, room: roomToBuild };

function collect(): void {
  tried = built;
  const start = performance.now();
  try {
    // Transferring assigns the memory to a new object of the young generation. Reuses the same memory, since V8 starts
    // marking more often if the page's memory grows.
    buffer = (buffer ?? (new ArrayBuffer(COLLECTING_BYTES) as Movable)).transfer();
    buffer.slice(0, 1);
    if (performance.now() - start >= COLLECTION_MS) {
      built = tried = 0;
      isProven = true;
    }
  } catch {
    // Allocation failed, after V8 collected as much as it could.
    built = tried = 0;
  }
  clearTimeout(idle);
  idle = setTimeout(() => {
    buffer?.transfer(0);
    buffer = undefined;
  }, COLLECTING_IDLE_MS);
}
