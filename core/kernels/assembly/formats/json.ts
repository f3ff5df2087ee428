// JSON (RFC 8259): a comma and `{ "key" : value , … }` per row, with any white space.
import { same } from "../bytes";
import { KIND_BOOLEAN, KIND_DICTIONARY, KIND_FLOAT64, KIND_INT32, KIND_SKIP, learn, next, refuse, setAbsent, setDouble, setNull, setWord, stop, why } from "../cells";
import { skipValue } from "./json-items";
import { readString, skipWhite } from "./json-string";
import { ROWS_BIGINTS, ROWS_SEQUENCE } from "../../../reading/rows/flags";
import { PATTERN_BYTES, STATUS_OTHER, STATUS_POWERS, STATUS_ROOM } from "../layout";
import { Column, context } from "../memory";
import { integer, readNumber, value, wantsPowers, signedDigits } from "../number";

const NULL: u32 = 0x6c6c756e;
const TRUE: u32 = 0x65757274;
const ALSE: u32 = 0x65736c61;
const MAX_EXACT: i64 = 9007199254740991;

/**
 * Reads a value into a column. Returns the position after it, or 0, with the reason in `why`, if the reader must read
 * it.
 */
@inline function readValue(c: Column, at: usize, row: i32): usize {
  const byte = load<u8>(at);
  const kind = c.kind;
  if (kind >= KIND_DICTIONARY) {
    if (kind == KIND_SKIP) return skipValue(at) || refuse(STATUS_OTHER);
    if (byte == 0x22) return readString(c, at + 1, row);
  } else if (kind == KIND_INT32 || kind == KIND_FLOAT64) {
    if (byte == 0x2d || (byte ^ 0x30) <= 9) {
      const end = readNumber(at);
      if (end == 0) return refuse(wantsPowers ? STATUS_POWERS : STATUS_OTHER);
      if (kind == KIND_INT32) {
        if (!integer || <i64><i32>signedDigits != signedDigits || (signedDigits == 0 && byte == 0x2d)) return refuse(STATUS_OTHER);
        setWord(c, row, <i32>signedDigits);
      } else {
        if (integer && context.flags & ROWS_BIGINTS && (signedDigits > MAX_EXACT || signedDigits < -MAX_EXACT)) return refuse(STATUS_OTHER);
        setDouble(c, row, value);
      }
      return end;
    }
  } else if (kind == KIND_BOOLEAN) {
    if (load<u32>(at) == TRUE) {
      setWord(c, row, 1);
      return at + 4;
    }
    if (byte == 0x66 && load<u32>(at, 1) == ALSE) {
      setWord(c, row, 0);
      return at + 5;
    }
  }
  if (load<u32>(at) != NULL) return refuse(STATUS_OTHER);
  setNull(c, row);
  return at + 4;
}

/** The first column from `c` on whose quoted key is at a position; `last` if no key matches. */
function findKey(c: Column, last: Column, at: usize): Column {
  for (; changetype<usize>(c) < changetype<usize>(last); c = next(c)) {
    if (same(c.key, at, c.keyLength)) return c;
  }
  return last;
}

/**
 * Reads rows, from after an item of a list, until there are `room`. The window ends with zero bytes. Returns the number
 * of rows.
 */
export function json(from: usize, to: usize, room: i32): i32 {
  const first = changetype<Column>(context.columns);
  const width = context.width;
  const last = changetype<Column>(context.columns + width * offsetof<Column>());
  const sequence = context.flags & ROWS_SEQUENCE;
  context.values = 0;
  let at = from;
  for (let row = 0; row < room; row++) {
    const start = at;
    const values = context.values;
    let c = first;
    let open = false;
    for (;;) {
      const prefix = at;
      if (c.patternLength && same(c.pattern, at, c.patternLength)) {
        at += c.patternLength;
        if (load<u8>(at) <= 0x20) {
          at = skipWhite(at);
          learn(c, prefix, at, PATTERN_BYTES);
        }
      } else {
        at = skipWhite(at);
        if (!open) {
          if (sequence) {
            while (load<u8>(at) == 0x1e) at = skipWhite(at + 1);
          } else {
            if (load<u8>(at) != 0x2c) return stop(row, start, STATUS_OTHER, c, values);
            at = skipWhite(at + 1);
          }
          if (load<u8>(at) != 0x7b) return stop(row, start, STATUS_OTHER, c, values);
        } else if (load<u8>(at) == 0x7d) {
          setAbsent(c, last, row);
          at++;
          break;
        } else if (load<u8>(at) != 0x2c) return stop(row, start, STATUS_OTHER, c, values);
        at = skipWhite(at + 1);
        const found = findKey(c, last, at);
        if (found == last) return stop(row, start, STATUS_OTHER, c, values);
        at = skipWhite(at + found.keyLength);
        if (load<u8>(at) != 0x3a) return stop(row, start, STATUS_OTHER, c, values);
        at = skipWhite(at + 1);
        setAbsent(c, found, row);
        learn(found, prefix, at, PATTERN_BYTES);
        c = found;
      }
      open = true;
      context.values++;
      at = readValue(c, at, row);
      if (at == 0) return stop(row, start, why, c, values);
      c = next(c);
      if (c == last) {
        at = skipWhite(at);
        if (load<u8>(at) != 0x7d) return stop(row, start, STATUS_OTHER, c, values);
        at++;
        break;
      }
    }
  }
  return stop(room, at, STATUS_ROOM, first, context.values);
}
