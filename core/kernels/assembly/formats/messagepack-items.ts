// MessagePack: maps, one after another. Their content is validated and not read, and all of it or some parts are kept.
import { hasHighBits, isUtf8 } from "../bytes";
import { setItem, stopItems } from "../items";
import { STATUS_OTHER, STATUS_ROOM } from "../layout";
import { context } from "../memory";
import { beginWriting, childOf, isWhole, writeRange, written } from "../pick";

/** Maximum nesting, and maximum entries of a container, whose double plus one must fit a small integer. */
const MAX_DEPTH: i32 = 64;
const MAX_ENTRIES: u32 = 1 << 27;

/**
 * For each open container except the innermost: twice the number of keys and values that follow, plus one for a map.
 */
const outer: usize = memory.data(256, 16);

/** Bytes after the token of a number, nil or a boolean, from 0xc0 on; 255 for other tokens. */
const SIZES = memory.data<u8>([0, 255, 0, 0, 255, 255, 255, 255, 255, 255, 4, 8, 1, 2, 4, 8, 1, 2, 4, 8, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255]);

/** Number of values that may follow. */
let left: i32 = 0;

/** Reads an integer of 1, 2 or 4 bytes. */
@inline function lengthAt(at: usize, size: i32): u32 {
  return size == 1 ? <u32>load<u8>(at) : size == 2 ? <u32>bswap<u16>(load<u16>(at)) : bswap<u32>(load<u32>(at));
}

/** Skips the value that begins at `from`. Returns the position after it, or 0 if the reader must read it. */
function skipItem(from: usize, to: usize, deepest: i32): usize {
  let at = from;
  let depth = 0;
  // As in `outer`, for the innermost container. The first one stands for the container of the item.
  let open: u32 = 2;
  while (at <= to) {
    while (open < 2) {
      if (depth < 2) return at;
      open = load<u32>(outer + 4 * --depth);
    }
    if (at == to) break;
    const token = <i32>load<u8>(at++);
    // In a map, an even number of remaining keys and values means that a key comes next.
    const key = (open & 3) == 1;
    open -= 2;
    let length: u32 = 0;
    if (token >= 0xa0 && token < 0xc0) length = token - 0xa0;
    else if (token >= 0xd9 && token <= 0xdb) {
      const size = 1 << (token - 0xd9);
      length = lengthAt(at, size);
      at += size;
    } else {
      if (key) return 0;
      if (token < 0x80 || token >= 0xe0) {
        // The id of a record, not an integer.
        if (token >= 0x40 && token < 0x80 && (context.ids >> (token - 0x40)) & 1) return 0;
        continue;
      }
      if (token < 0xa0 || token >= 0xdc) {
        // A container: fixmap, fixarray, array 16 and 32, map 16 and 32.
        let count: u32 = token & 15;
        if (token >= 0xa0) {
          const size = token & 1 ? 4 : 2;
          count = lengthAt(at, size);
          at += size;
        }
        if (count > <u32>left || depth == deepest || count > MAX_ENTRIES) return 0;
        left -= count;
        store<u32>(outer + 4 * depth, open);
        depth++;
        open = (token < 0xa0 ? token < 0x90 : token >= 0xde) ? (count << 2) | 1 : count << 1;
        continue;
      }
      if (token >= 0xc4 && token <= 0xc6) {
        const size = 1 << (token - 0xc4);
        length = lengthAt(at, size);
        at += size;
        if (length > <u32>context.binary || at + length > to) return 0;
        at += length;
        continue;
      }
      if (token == 0xd6 || token == 0xd7) {
        // Only timestamps: uint32 seconds, or uint30 nanoseconds and uint34 seconds.
        const size = token == 0xd6 ? 4 : 8;
        if (load<u8>(at) != 0xff || size > context.binary) return 0;
        if (size == 8 && lengthAt(at + 1, 4) >> 2 > 999999999) return 0;
        at += 1 + size;
        continue;
      }
      const size = <i32>load<u8>(SIZES + token - 0xc0);
      if (size == 255) return 0;
      at += size;
      continue;
    }
    if (length > <u32>context.longest || at + length > to) return 0;
    if (hasHighBits(at, length) && !isUtf8(at, at + length)) return 0;
    at += length;
  }
  return 0;
}

/**
 * Skips any value of a record, and counts the values that it contains. Returns the position after it, or 0 if the reader must read
 * it.
 */
export function skipValue(at: usize, to: usize): usize {
  const token = <i32>load<u8>(at);
  // The frequent values: short strings in ASCII, doubles, nil and booleans. The caller checks the end of a row.
  if (token >= 0xa0 && token < 0xc0) {
    const end = at + 1 + (token - 0xa0);
    if (token - 0xa0 <= context.longest && !hasHighBits(at + 1, token - 0xa0)) return end;
  } else if (token == 0xd9) {
    const length = <i32>load<u8>(at, 1);
    if (length <= context.longest && at + 2 + length <= to && !hasHighBits(at + 2, length)) return at + 2 + length;
  } else if (token == 0xcb) return at + 9;
  else if (token == 0xc0 || token == 0xc2 || token == 0xc3) return at + 1;
  left = context.most;
  const end = skipItem(at, to, min(context.depth, MAX_DEPTH));
  context.values += context.most - left;
  context.most = left;
  return end;
}

/** Bytes of a container's head, and the number of its entries. */
let headBytes: i32 = 0;
let entries: u32 = 0;

/** Reads the head of a map or an array. Returns false for anything else. */
@inline function readHead(at: usize): bool {
  const token = <i32>load<u8>(at);
  if (token >= 0x80 && token < 0xa0) {
    headBytes = 1;
    entries = token & 15;
    return true;
  }
  if (token < 0xdc || token > 0xdf) return false;
  headBytes = token & 1 ? 5 : 3;
  entries = lengthAt(at + 1, headBytes - 1);
  return true;
}

/** Writes the number of entries of a map whose head has been written. */
@inline function setEntries(head: usize, size: i32, count: u32): void {
  if (size == 1) store<u8>(head, 0x80 | count);
  else if (size == 3) store<u16>(head, bswap<u16>(<u16>count), 1);
  else store<u32>(head, bswap<u32>(count), 1);
}

/**
 * Validates the value at a position, and writes what a node keeps of it. Returns the position after it, or 0 if the reader must
 * read it.
 */
function pickValue(from: usize, to: usize, node: usize, deepest: i32): usize {
  if (isWhole(node) || !readHead(from)) {
    const end = skipItem(from, to, deepest);
    if (end) writeRange(from, end);
    return end;
  }
  const count = entries;
  const size = headBytes;
  if (count > <u32>left || deepest < 1 || count > MAX_ENTRIES) return 0;
  left -= count;
  const token = load<u8>(from);
  const isMap = token < 0x90 || token >= 0xde;
  const head = written;
  writeRange(from, from + size);
  let kept: u32 = 0;
  let at = from + size;
  for (let entry: u32 = 0; entry < count; entry++) {
    if (at >= to) return 0;
    if (!isMap) {
      at = pickValue(at, to, node, deepest - 1);
      if (at == 0) return 0;
      continue;
    }
    const key = at;
    const first = <i32>load<u8>(at++);
    let length: u32 = first - 0xa0;
    if (first < 0xa0 || first >= 0xc0) {
      if (first < 0xd9 || first > 0xdb) return 0;
      const bytes = 1 << (first - 0xd9);
      length = lengthAt(at, bytes);
      at += bytes;
    }
    const text = at;
    if (length > <u32>context.longest || at + length > to) return 0;
    if (hasHighBits(at, length) && !isUtf8(at, at + length)) return 0;
    at += length;
    const inner = childOf(node, text, length);
    if (inner) {
      kept++;
      writeRange(key, at);
      at = pickValue(at, to, inner, deepest - 1);
    } else at = skipItem(at, to, deepest - 1);
    if (at == 0) return 0;
  }
  if (isMap) setEntries(head, size, kept);
  return at > to ? 0 : at;
}

/** Validates up to `room` maps, from the head of one. Returns the number of valid ones. */
export function messagepackItems(from: usize, to: usize, room: i32): i32 {
  const deepest = min(context.depth, MAX_DEPTH);
  const node = context.pick;
  left = context.most;
  beginWriting();
  let at = from;
  for (let row = 0; row < room; row++) {
    const start = at;
    const before = left;
    const kept = written;
    const token = load<u8>(at);
    if ((token & 0xf0) != 0x80 && (token & 0xfe) != 0xde) at = 0;
    else at = node ? pickValue(at, to, node, deepest) : skipItem(at, to, deepest);
    if (at == 0) return stopItems(row, start, STATUS_OTHER, before);
    if (node) setItem(row, kept, written);
    else setItem(row, start, at);
  }
  return stopItems(room, at, STATUS_ROOM, left);
}
