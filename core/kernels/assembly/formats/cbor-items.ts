// CBOR (RFC 8949): maps, one after another. Their content is validated and not read, and all of it or some parts are kept.
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

/** Number of values that may follow. */
let left: i32 = 0;

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
    const token = <u32>load<u8>(at++);
    const major = token >> 5;
    // In a map, an even number of remaining keys and values means that a key comes next.
    if ((open & 3) == 1 && major != 3) return 0;
    open -= 2;
    let argument = token & 31;
    if (argument >= 24) {
      if (argument > 27) return 0;
      const short = argument;
      if (short == 24) argument = <u32>load<u8>(at);
      else if (short == 25) argument = <u32>bswap<u16>(load<u16>(at));
      // An argument of 8 bytes is only supported for numbers.
      else argument = short == 26 ? bswap<u32>(load<u32>(at)) : 0xffffffff;
      at += 1 << (short - 24);
    }
    if (major < 2) continue;
    if (major == 7) {
      // false, true, null, undefined, or a float of 2, 4 or 8 bytes.
      if ((token < 0xf4 || token > 0xf7) && (token < 0xf9 || token > 0xfb)) return 0;
      continue;
    }
    if (major == 6) return 0;
    if (major > 3) {
      if (argument > <u32>left || depth == deepest || argument > MAX_ENTRIES) return 0;
      left -= argument;
      store<u32>(outer + 4 * depth, open);
      depth++;
      open = major == 5 ? (argument << 2) | 1 : argument << 1;
      continue;
    }
    if (argument > <u32>(major == 3 ? context.longest : context.binary) || at + argument > to) return 0;
    if (major == 3 && hasHighBits(at, argument) && !isUtf8(at, at + argument)) return 0;
    at += argument;
  }
  return 0;
}

/**
 * Skips any value of a record, and counts the values that it contains. Returns the position after it, or 0 if the reader must read
 * it.
 */
export function skipValue(at: usize, to: usize): usize {
  const token = <i32>load<u8>(at);
  // The frequent values: short strings in ASCII, doubles, null and booleans. The caller checks the end of a row.
  if (token >= 0x60 && token < 0x78) {
    if (token - 0x60 <= context.longest && !hasHighBits(at + 1, token - 0x60)) return at + 1 + (token - 0x60);
  } else if (token == 0x78) {
    const length = <i32>load<u8>(at, 1);
    if (length <= context.longest && at + 2 + length <= to && !hasHighBits(at + 2, length)) return at + 2 + length;
  } else if (token == 0xfb) return at + 9;
  else if (token >= 0xf4 && token <= 0xf7) return at + 1;
  left = context.most;
  const end = skipItem(at, to, min(context.depth, MAX_DEPTH));
  context.values += context.most - left;
  context.most = left;
  return end;
}

/** Bytes of the last head. */
let headBytes: i32 = 0;

/** The argument of the head at a position, which must not exceed 32 bits; sets `headBytes` to 0 for other heads. */
@inline function argumentAt(at: usize): u32 {
  const short = <u32>load<u8>(at) & 31;
  headBytes = short < 24 ? 1 : short < 27 ? 1 + (1 << (short - 24)) : 0;
  return short < 24 ? short : short == 24 ? <u32>load<u8>(at, 1) : short == 25 ? <u32>bswap<u16>(load<u16>(at, 1)) : bswap<u32>(load<u32>(at, 1));
}

/** Writes the number of entries of a map whose head has been written. */
@inline function setEntries(head: usize, size: i32, count: u32): void {
  if (size == 1) store<u8>(head, 0xa0 | count);
  else if (size == 2) store<u8>(head, count, 1);
  else if (size == 3) store<u16>(head, bswap<u16>(<u16>count), 1);
  else store<u32>(head, bswap<u32>(count), 1);
}

/**
 * Validates the value at a position, and writes what a node keeps of it. Returns the position after it, or 0 if the reader must
 * read it.
 */
function pickValue(from: usize, to: usize, node: usize, deepest: i32): usize {
  const major = load<u8>(from) >> 5;
  if (isWhole(node) || (major != 4 && major != 5)) {
    const end = skipItem(from, to, deepest);
    if (end) writeRange(from, end);
    return end;
  }
  const count = argumentAt(from);
  const size = headBytes;
  if (size == 0 || count > <u32>left || deepest < 1 || count > MAX_ENTRIES) return 0;
  left -= count;
  const head = written;
  writeRange(from, from + size);
  let kept: u32 = 0;
  let at = from + size;
  for (let entry: u32 = 0; entry < count; entry++) {
    if (at >= to) return 0;
    if (major == 4) {
      at = pickValue(at, to, node, deepest - 1);
      if (at == 0) return 0;
      continue;
    }
    const key = at;
    const length = argumentAt(at);
    if (load<u8>(at) >> 5 != 3 || headBytes == 0) return 0;
    const text = at + headBytes;
    if (length > <u32>context.longest || text + length > to) return 0;
    if (hasHighBits(text, length) && !isUtf8(text, text + length)) return 0;
    at = text + length;
    const inner = childOf(node, text, length);
    if (inner) {
      kept++;
      writeRange(key, at);
      at = pickValue(at, to, inner, deepest - 1);
    } else at = skipItem(at, to, deepest - 1);
    if (at == 0) return 0;
  }
  if (major == 5) setEntries(head, size, kept);
  return at > to ? 0 : at;
}

/** Validates up to `room` maps, from the head of one. Returns the number of valid ones. */
export function cborItems(from: usize, to: usize, room: i32): i32 {
  const deepest = min(context.depth, MAX_DEPTH);
  const node = context.pick;
  left = context.most;
  beginWriting();
  let at = from;
  for (let row = 0; row < room; row++) {
    const start = at;
    const before = left;
    const kept = written;
    if (load<u8>(at) >> 5 != 5) at = 0;
    else at = node ? pickValue(at, to, node, deepest) : skipItem(at, to, deepest);
    if (at == 0) return stopItems(row, start, STATUS_OTHER, before);
    if (node) setItem(row, kept, written);
    else setItem(row, start, at);
  }
  return stopItems(room, at, STATUS_ROOM, left);
}
