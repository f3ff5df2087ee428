import { isChromium } from '../engine.ts';

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

/** Time without building after which the buffer goes, in milliseconds. */
const IDLE_MS = 1000;

/** With the method that engines lack which are older than 2024. */
type Movable = ArrayBuffer & { transfer(length?: number): Movable };

const canCollect = isChromium && 'transfer' in ArrayBuffer.prototype;

let built = 0;
let buffer: Movable | undefined;
let idle: ReturnType<typeof setTimeout> | undefined;

/** So many values of objects that stay were built. */
export function countBuilt(values: number): void {
  built += values * VALUE_BYTES;
}

/**
 * Keeps V8's young generation small while many objects are built that all stay: where it is left alone, V8 copies 16 to
 * 32 MB at once, which takes 30 to 100 ms. To be called often; it does nothing before enough was built, nor in other
 * engines. V8 does not collect so while it marks what is alive: what is built meanwhile is copied at the end of that.
 */
export function collectYoung(): void {
  if (!canCollect || built < BUILT_BYTES) return;
  built = 0;
  try {
    // Moved, the memory belongs to a new object of the young generation. It is the same all the time: V8 begins to mark
    // when the memory of a page grows, and did three times as often where each collection had buffers of its own.
    buffer = (buffer ?? (new ArrayBuffer(BUFFER_BYTES) as Movable)).transfer();
    buffer.slice(0, 1);
  } catch {
    // There is no memory for it, and V8 has collected all it could.
  }
  clearTimeout(idle);
  idle = setTimeout(() => {
    buffer?.transfer(0);
    buffer = undefined;
  }, IDLE_MS);
}
