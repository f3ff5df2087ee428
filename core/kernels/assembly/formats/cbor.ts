// CBOR (RFC 8949): the head of a map, then a key and a value per entry. Records of cbor-x: the tag, then an array of
// the values.
import { ROWS_FLOAT32 } from "../../../reading/rows/flags";
import { same } from "../bytes";
import { KIND_BIGINT64, KIND_BOOLEAN, KIND_DATE, KIND_DICTIONARY, KIND_FLOAT64, KIND_INT32, KIND_SKIP, learn, next, refuse, setAbsent, setDouble, setInteger, setLong, setNull, setString, setWord, stop, why } from "../cells";
import { skipValue } from "./cbor-items";
import { PATTERN_BYTES, STATUS_OTHER, STATUS_ROOM } from "../layout";
import { Column, context } from "../memory";

export { cborItems } from "./cbor-items";
export { contextAddress, enterEntries, freeAddress } from "../driver";

/** Largest distance of a Date from 1970: 100,000,000 days in seconds. */
const MAX_SECONDS: i64 = 8640000000000;

/** Major types, from the highest three bits of a token. */
const UNSIGNED: u8 = 0;
const NEGATIVE: u8 = 1;
const TEXT: u8 = 3;
const ARRAY: u8 = 4;
const MAP: u8 = 5;

/** Argument of the last head read. */
let argument: i64 = 0;

/** Reads the head of an item. Returns the position after it, or 0 if its length is indefinite or it is invalid. */
@inline function readHead(at: usize): usize {
  const short = load<u8>(at) & 31;
  if (short < 24) {
    argument = short;
    return at + 1;
  }
  if (short == 24) {
    argument = load<u8>(at, 1);
    return at + 2;
  }
  if (short == 25) {
    argument = bswap<u16>(load<u16>(at, 1));
    return at + 3;
  }
  if (short == 26) {
    argument = bswap<u32>(load<u32>(at, 1));
    return at + 5;
  }
  if (short != 27) return 0;
  argument = bswap<i64>(load<i64>(at, 1));
  return at + 9;
}

/** Reads the seconds of an epoch-based date (RFC 8949 section 3.4.2) as milliseconds. */
function readDate(c: Column, at: usize, row: i32): usize {
  const byte = load<u8>(at);
  if (byte >> 5 <= NEGATIVE) {
    const end = readHead(at);
    if (end == 0 || argument < 0 || argument >= MAX_SECONDS) return refuse(STATUS_OTHER);
    const seconds: i64 = byte >> 5 == UNSIGNED ? argument : -1 - argument;
    setDouble(c, row, <f64>seconds * 1000);
    return end;
  }
  if (byte != 0xfb) return refuse(STATUS_OTHER);
  const seconds = reinterpret<f64>(bswap<u64>(load<u64>(at, 1)));
  if (!(abs(seconds) < <f64>MAX_SECONDS)) return refuse(STATUS_OTHER);
  const integral = floor(seconds);
  const rest = (seconds - integral) * 1000;
  const milliseconds = floor(rest);
  setDouble(c, row, integral * 1000 + (rest - milliseconds >= 0.5 ? milliseconds + 1 : milliseconds));
  return at + 9;
}

/**
 * Reads a value into a column. Returns the position after it, or 0, with the reason in `why`, if the reader must read
 * it.
 */
@inline function readValue(c: Column, at: usize, to: usize, row: i32): usize {
  const byte = load<u8>(at);
  const kind = c.kind;
  const major = byte >> 5;
  if (kind >= KIND_DICTIONARY) {
    if (kind == KIND_SKIP) return skipValue(at, to) || refuse(STATUS_OTHER);
    if (major == TEXT) {
      const from = readHead(at);
      if (from == 0 || argument < 0 || argument > context.longest || from + <usize>argument > to) return refuse(STATUS_OTHER);
      return setString(c, row, from, <i32>argument);
    }
  } else if (byte == 0xfb && kind == KIND_FLOAT64) {
    store<u64>(c.cells + 8 * row, bswap<u64>(load<u64>(at, 1)));
    return at + 9;
  } else if (kind == KIND_BOOLEAN) {
    if ((byte & 0xfe) == 0xf4) {
      setWord(c, row, byte & 1);
      return at + 1;
    }
  } else if (kind == KIND_DATE) {
    if (byte == 0xc1) return readDate(c, at + 1, row);
  } else if (major <= NEGATIVE && (kind == KIND_INT32 || kind == KIND_FLOAT64 || kind == KIND_BIGINT64)) {
    const end = readHead(at);
    if (end == 0 || argument < 0) return refuse(STATUS_OTHER);
    const integer: i64 = major == UNSIGNED ? argument : -1 - argument;
    const set = (byte & 31) == 27 ? setLong(c, row, integer) : setInteger(c, row, integer);
    return set ? end : refuse(STATUS_OTHER);
  } else if (byte == 0xfa && kind == KIND_FLOAT64 && context.flags & ROWS_FLOAT32) {
    setDouble(c, row, <f64>reinterpret<f32>(bswap<u32>(load<u32>(at, 1))));
    return at + 5;
  }
  if (byte != 0xf6) return refuse(STATUS_OTHER);
  setNull(c, row);
  return at + 1;
}

/** The first column from `c` on whose key has `length` bytes and is at a position; `last` if no key matches. */
function findKey(c: Column, last: Column, at: usize, length: i32): Column {
  for (; changetype<usize>(c) < changetype<usize>(last); c = next(c)) {
    if (c.keyLength == length && same(c.key, at, length)) return c;
  }
  return last;
}

/** Reads maps, from the head of one, until there are `room` rows. Returns the number of rows. */
export function cbor(from: usize, to: usize, room: i32): i32 {
  return readRows(from, to, room, false);
}

/** Like `cbor`, for records of cbor-x of one structure, whose tag has two bytes. */
export function cborRecords(from: usize, to: usize, room: i32): i32 {
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
      // 0xd9, the tag, and the array's head. An array with fewer values than keys leaves the last keys absent.
      if (load<u8>(at) != 0xd9 || <i32>bswap<u16>(load<u16>(at, 1)) != context.head) return stop(row, start, STATUS_OTHER, first, values);
      const array = load<u8>(at, 3);
      at = readHead(at + 3);
      if (array >> 5 != ARRAY || at == 0 || argument < 1 || argument > width) return stop(row, start, STATUS_OTHER, first, values);
      left = <i32>argument;
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
            const map = load<u8>(at);
            at = readHead(at);
            if (map >> 5 != MAP || at == 0 || argument < 1 || argument > width) return stop(row, start, STATUS_OTHER, c, values);
            left = <i32>argument;
            context.values += left;
          }
          const key = load<u8>(at);
          at = readHead(at);
          if (key >> 5 != TEXT || at == 0 || argument < 0 || <i64>at + argument > <i64>to) return stop(row, start, STATUS_OTHER, c, values);
          const found = findKey(c, last, at, <i32>argument);
          if (found == last) return stop(row, start, STATUS_OTHER, c, values);
          at += <i32>argument;
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
