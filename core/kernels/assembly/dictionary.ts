import { copy, hasHighBits, isUtf8, same } from "./bytes";
import { ENTRY_BYTES, FOLLOWERS, PROBES } from "./layout";
import { Column, context } from "./memory";

/** `intern` gives these in place of an index. The string is not UTF-8, or too long: */
export const NO_ENTRY = -1;
/** There is no room for another entry. */
export const NO_ROOM = -2;

/** Mixes all of a string, 8 bytes at a time, the last of which overlap. */
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

/** The index of a string in a column's dictionary, to which it is added if it is new: `NO_ENTRY` or `NO_ROOM` where it cannot be. */
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

/** Enters the entries from `first` on in a dictionary's slots. */
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

/** The index that the column before has in a row; −1 where nothing is predicted by it. */
@inline export function indexBefore(c: Column, row: i32): i32 {
  if (c.before == 0) return -1;
  const index = load<i32>(changetype<Column>(c.before).cells + 4 * row);
  return index < FOLLOWERS ? index : -1;
}

/** What followed an index of the column before last: names and ids of one thing go together. −1 where nothing has. */
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
