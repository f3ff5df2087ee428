// CBOR (RFC 8949): maps, one after another. Their content is validated but not read.
import { hasHighBits, isUtf8 } from "../bytes";
import { setItem, stopItems } from "../items";
import { STATUS_OTHER, STATUS_ROOM } from "../layout";
import { context } from "../memory";

/** Maximum nesting, and maximum entries of a container, whose double plus one must fit a small integer. */
const MOST_DEPTH: i32 = 64;
const MOST_ENTRIES: u32 = 1 << 27;

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
      if (argument > <u32>left || depth == deepest || argument > MOST_ENTRIES) return 0;
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
  const end = skipItem(at, to, min(context.depth, MOST_DEPTH));
  context.values += context.most - left;
  context.most = left;
  return end;
}

/** Validates up to `room` maps, from the head of one. Returns the number of valid ones. */
export function cborItems(from: usize, to: usize, room: i32): i32 {
  const deepest = min(context.depth, MOST_DEPTH);
  left = context.most;
  let at = from;
  for (let row = 0; row < room; row++) {
    const start = at;
    const before = left;
    at = load<u8>(at) >> 5 == 5 ? skipItem(at, to, deepest) : 0;
    if (at == 0) return stopItems(row, start, STATUS_OTHER, before);
    setItem(row, start, at);
  }
  return stopItems(room, at, STATUS_ROOM, left);
}
