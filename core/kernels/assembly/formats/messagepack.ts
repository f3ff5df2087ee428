// MessagePack: the head of a map, then a key and a value per entry. Records of msgpackr: the id, then the values.
import { ROWS_FLOAT32 } from "../../../reading/rows/flags";
import { same } from "../bytes";
import { KIND_BOOLEAN, KIND_DATE, KIND_DICTIONARY, KIND_FLOAT64, KIND_SKIP, learn, next, refuse, setAbsent, setDouble, setInteger, setLong, setNull, setString, setWord, stop, why } from "../cells";
import { skipValue } from "./messagepack-items";
import { PATTERN_BYTES, STATUS_OTHER, STATUS_ROOM } from "../layout";
import { Column, context } from "../memory";

/** Count of the last head read: entries of a map, or bytes of a string. */
let count: i32 = 0;

@inline function uint16(at: usize): i32 {
  return bswap<u16>(load<u16>(at));
}

@inline function uint32(at: usize): u32 {
  return bswap<u32>(load<u32>(at));
}

/** Reads the head of a map. Returns the position after it, or 0 for any other value. */
function readMapHead(at: usize): usize {
  const byte = load<u8>(at);
  if ((byte & 0xf0) == 0x80) {
    count = byte & 15;
    return at + 1;
  }
  if (byte != 0xde) return 0;
  count = uint16(at + 1);
  return at + 3;
}

/** Reads the head of a string of up to 65,535 bytes. Returns the position after it, or 0 for any other value. */
@inline function readStringHead(at: usize): usize {
  const byte = load<u8>(at);
  if ((byte & 0xe0) == 0xa0) {
    count = byte & 31;
    return at + 1;
  }
  if (byte == 0xd9) {
    count = load<u8>(at, 1);
    return at + 2;
  }
  if (byte != 0xda) return 0;
  count = uint16(at + 1);
  return at + 3;
}

/** Reads a 64-bit integer with the token `byte`. */
function readInt64(c: Column, at: usize, byte: u8, row: i32): usize {
  const integer = bswap<i64>(load<i64>(at, 1));
  if (byte == 0xcf && integer < 0) return refuse(STATUS_OTHER);
  return setLong(c, row, integer) ? at + 9 : refuse(STATUS_OTHER);
}

/** Reads a timestamp of 4 or 8 bytes (extension type −1) as milliseconds. */
function readTimestamp(c: Column, at: usize, row: i32): usize {
  if (load<u16>(at) == 0xffd6) {
    setDouble(c, row, <f64>uint32(at + 2) * 1000);
    return at + 6;
  }
  if (load<u16>(at) != 0xffd7) return refuse(STATUS_OTHER);
  const word = uint32(at + 2);
  const nanoseconds = word >> 2;
  if (nanoseconds > 999999999) return refuse(STATUS_OTHER);
  const seconds = <f64>(word & 3) * 4294967296 + <f64>uint32(at + 6);
  setDouble(c, row, trunc(seconds * 1000 + <f64>nanoseconds / 1e6));
  return at + 10;
}

/**
 * Reads a value into a column. Returns the position after it, or 0, with the reason in `why`, if the reader must read
 * it.
 */
@inline function readValue(c: Column, at: usize, to: usize, row: i32): usize {
  const byte = load<u8>(at);
  const kind = c.kind;
  if (kind >= KIND_DICTIONARY) {
    if (kind == KIND_SKIP) return skipValue(at, to) || refuse(STATUS_OTHER);
    const from = readStringHead(at);
    if (from) {
      if (from + count > to || count > context.longest) return refuse(STATUS_OTHER);
      return setString(c, row, from, count);
    }
  } else if (byte == 0xcb && kind == KIND_FLOAT64) {
    store<u64>(c.cells + 8 * row, bswap<u64>(load<u64>(at, 1)));
    return at + 9;
  } else if (kind == KIND_BOOLEAN) {
    if ((byte & 0xfe) == 0xc2) {
      setWord(c, row, byte & 1);
      return at + 1;
    }
  } else if (kind == KIND_DATE) {
    if (byte != 0xc0) return readTimestamp(c, at, row);
  } else if (byte == 0xcf || byte == 0xd3) {
    return readInt64(c, at, byte, row);
  } else {
    let integer: i64 = byte;
    let end = at + 1;
    if (byte >= 0x80) {
      if (byte >= 0xe0) integer = <i8>byte;
      else if (byte == 0xcc) {
        integer = load<u8>(at, 1);
        end = at + 2;
      } else if (byte == 0xcd) {
        integer = uint16(at + 1);
        end = at + 3;
      } else if (byte == 0xce) {
        integer = uint32(at + 1);
        end = at + 5;
      } else if (byte == 0xd0) {
        integer = load<i8>(at, 1);
        end = at + 2;
      } else if (byte == 0xd1) {
        integer = <i16>uint16(at + 1);
        end = at + 3;
      } else if (byte == 0xd2) {
        integer = <i32>uint32(at + 1);
        end = at + 5;
      } else if (byte == 0xca && kind == KIND_FLOAT64 && context.flags & ROWS_FLOAT32) {
        setDouble(c, row, <f64>reinterpret<f32>(uint32(at + 1)));
        return at + 5;
      } else end = 0;
    } else if (byte >= 0x40 && (context.ids >> (byte - 0x40)) & 1) return refuse(STATUS_OTHER);
    if (end) return setInteger(c, row, integer) ? end : refuse(STATUS_OTHER);
  }
  if (byte != 0xc0) return refuse(STATUS_OTHER);
  setNull(c, row);
  return at + 1;
}

/** The first column from `c` on whose key is at a position; `last` if no key matches. */
function findKey(c: Column, last: Column, at: usize): Column {
  for (; changetype<usize>(c) < changetype<usize>(last); c = next(c)) {
    if (c.keyLength == count && same(c.key, at, count)) return c;
  }
  return last;
}

/** Reads maps, from the head of one, until there are `room` rows. Returns the number of rows. */
export function messagepack(from: usize, to: usize, room: i32): i32 {
  return readRows(from, to, room, false);
}

/** Like `messagepack`, for records of msgpackr of one structure. */
export function messagepackRecords(from: usize, to: usize, room: i32): i32 {
  return readRows(from, to, room, true);
}

function readRows(from: usize, to: usize, room: i32, records: bool): i32 {
  const first = changetype<Column>(context.columns);
  const width = context.width;
  const last = changetype<Column>(context.columns + width * offsetof<Column>());
  context.values = 0;
  let at = from;
  for (let row = 0; row < room; row++) {
    const start = at;
    const values = context.values;
    let c = first;
    // Remaining entries; 0 before the head is read.
    let left = 0;
    if (records) {
      if (<i32>load<u8>(at) != context.head) return stop(row, start, STATUS_OTHER, first, values);
      at++;
      left = width;
      context.values += left;
    }
    for (;;) {
      if (!records) {
        // A pattern that includes the head, with its number of entries, applies only to the first key.
        if (c.patternLength && (left == 0) == (c.wire > 0) && same(c.pattern, at, c.patternLength)) {
          at += c.patternLength;
          if (left == 0) {
            left = c.wire;
            context.values += left;
          }
        } else {
          const prefix = at;
          const head = left == 0;
          if (head) {
            at = readMapHead(at);
            if (at == 0 || count == 0 || count > width) return stop(row, start, STATUS_OTHER, c, values);
            left = count;
            context.values += left;
          }
          at = readStringHead(at);
          if (at == 0 || at + count > to) return stop(row, start, STATUS_OTHER, c, values);
          const found = findKey(c, last, at);
          if (found == last) return stop(row, start, STATUS_OTHER, c, values);
          at += count;
          setAbsent(c, found, row);
          learn(found, prefix, at, PATTERN_BYTES);
          found.wire = head ? left : 0;
          c = found;
        }
      }
      at = readValue(c, at, to, row);
      if (at == 0) return stop(row, start, why, c, values);
      c = next(c);
      if (--left == 0) break;
      if (c == last) return stop(row, start, STATUS_OTHER, first, values);
    }
    if (at > to) return stop(row, start, STATUS_OTHER, first, values);
    setAbsent(c, last, row);
  }
  return stop(room, at, STATUS_ROOM, first, context.values);
}
