import { copy, hasHighBits, isUtf8, same } from "./bytes";
import { ENTRY_BYTES, FOLLOWERS, PROBES } from "./layout";
import { Column, context } from "./memory";

/** Returned by `intern` instead of an index: the string is too long or not UTF-8. */
const NO_ENTRY = -1;
/** Returned by `intern`: the dictionary has no room for another entry. */
export const NO_ROOM = -2;

/** Mixes a string 8 bytes at a time; the last 8 may overlap those before. */
@inline function hashOf(from: usize, length: i32): u32 {
  let hash: u64 = context.seed ^ <u64>length;
  if (length >= 8) {
    let at: i32 = 0;
    for (; at + 8 < length; at += 8) {
      hash = (hash ^ load<u64>(from + at)) * 0x9e3779b97f4a7c15;
      hash ^= hash >> 29;
    }
    hash = (hash ^ load<u64>(from + length - 8)) * 0xbf58476d1ce4e5b9;
  } else if (length > 0) {
    hash = (hash ^ (load<u64>(from) << (64 - 8 * length))) * 0xbf58476d1ce4e5b9;
  }
  hash ^= hash >> 32;
  hash *= 0x94d049bb133111eb;
  return <u32>(hash >> 32);
}

@inline function startOf(c: Column, index: i32): u32 {
  return index == 0 ? 0 : load<u32>(c.ends + 4 * (index - 1));
}

/**
 * The index of a string in a column's dictionary. Adds the string if it is new; returns `NO_ENTRY` or `NO_ROOM` if that
 * fails.
 */
export function intern(c: Column, from: usize, length: i32): i32 {
  if (length > ENTRY_BYTES) return NO_ENTRY;
  const hash = hashOf(from, length);
  const mask = c.mask;
  let slot = <i32>hash & mask;
  let free: usize = 0;
  for (let probe = 0; probe < PROBES; probe++, slot = (slot + 1) & mask) {
    const at = c.slots + 8 * slot;
    const entry = load<u32>(at);
    if (entry == 0) {
      free = at;
      break;
    }
    if (load<u32>(at, 4) != hash) continue;
    const index = <i32>entry - 1;
    const start = startOf(c, index);
    if (load<u32>(c.ends + 4 * index) - start == <u32>length && same(c.text + start, from, length)) return index;
  }
  if (c.count >= c.capacity || c.textLength + length + 16 > c.textCapacity) return NO_ROOM;
  if (hasHighBits(from, length)) {
    if (!isUtf8(from, from + length)) return NO_ENTRY;
    c.notAscii = 1;
  }
  copy(c.text + c.textLength, from, length);
  c.textLength += length;
  store<u32>(c.ends + 4 * c.count, c.textLength);
  c.count++;
  if (free) {
    store<u32>(free, c.count);
    store<u32>(free, hash, 4);
  }
  return c.count - 1;
}

/** Adds the entries from `first` on to a dictionary's slots. */
export function enter(c: Column, first: i32): void {
  for (let index = first; index < c.count; index++) {
    const start = startOf(c, index);
    const hash = hashOf(c.text + start, load<u32>(c.ends + 4 * index) - start);
    let slot = <i32>hash & c.mask;
    for (let probe = 0; probe < PROBES; probe++, slot = (slot + 1) & c.mask) {
      const at = c.slots + 8 * slot;
      if (load<u32>(at)) continue;
      store<u32>(at, index + 1);
      store<u32>(at, hash, 4);
      break;
    }
  }
}

/** The index in the preceding column of a row; −1 if it predicts nothing. */
@inline export function indexBefore(c: Column, row: i32): i32 {
  if (c.before == 0) return -1;
  const index = load<i32>(changetype<Column>(c.before).cells + 4 * row);
  return index < FOLLOWERS ? index : -1;
}

/**
 * The entry that followed an index of the preceding column last: names and ids of one thing occur together. −1 if none
 * did.
 */
@inline export function follower(c: Column, before: i32): i32 {
  c.tried++;
  return load<i32>(c.followers + 4 * before) - 1;
}

@inline export function lengthOf(c: Column, index: i32): i32 {
  return load<u32>(c.ends + 4 * index) - startOf(c, index);
}

@inline export function isEntry(c: Column, index: i32, from: usize, length: i32): bool {
  return same(c.text + startOf(c, index), from, length);
}
