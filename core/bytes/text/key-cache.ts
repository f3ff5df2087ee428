import { decodeUtf8 } from './text.ts';

/** Slots of the cache, a power of two, and the bytes of the longest cached key. */
const SLOTS = 2048;
const WIDTH = 32;

const stored = new Uint8Array(SLOTS * WIDTH);
const lengths = new Uint8Array(SLOTS);
const texts = Array.from({ length: SLOTS }, () => '');
/** By slot: the slot of the key that followed it last. */
const followers = new Uint16Array(SLOTS);
/** The slot of the key read last. */
let latest = 0;

/**
 * The string of an object key in `from..end`. Keys repeat in the same order, so the key that followed the previous one
 * last time is compared first, byte for byte: a repeated key is neither hashed, validated nor decoded. The cache
 * belongs to the thread and does not depend on one input.
 */
export function internKey(bytes: Uint8Array, from: number, end: number, base: number): string {
  const length = end - from;
  const slot = followers[latest]!;
  if (lengths[slot] === length && length > 0) {
    let at = slot * WIDTH;
    let position = from;
    while (position < end && stored[at] === bytes[position]) {
      at += 1;
      position += 1;
    }
    if (position === end) {
      latest = slot;
      return texts[slot]!;
    }
  }
  return length === 0 || length > WIDTH ? decodeUtf8(bytes, from, end, base) : lookUp(bytes, from, end, base);
}

function lookUp(bytes: Uint8Array, from: number, end: number, base: number): string {
  let hash = end - from;
  for (let at = from; at < end; at += 1) hash = Math.imul(hash ^ bytes[at]!, 0x01000193);
  const slot = (hash ^ (hash >>> 15)) & (SLOTS - 1);
  const start = slot * WIDTH;
  if (lengths[slot] !== end - from || !matches(start, bytes, from, end)) {
    // Decoded first: a key that is not UTF-8 leaves the slot unchanged.
    texts[slot] = decodeUtf8(bytes, from, end, base);
    lengths[slot] = end - from;
    for (let at = from; at < end; at += 1) stored[start + at - from] = bytes[at]!;
  }
  followers[latest] = slot;
  latest = slot;
  return texts[slot]!;
}

function matches(start: number, bytes: Uint8Array, from: number, end: number): boolean {
  for (let at = from; at < end; at += 1) {
    if (stored[start + at - from] !== bytes[at]) return false;
  }
  return true;
}
