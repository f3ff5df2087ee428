// BSON: documents, one after another or as elements of an array, each with its type and key. Their content is validated
// and not read, and all of it or some parts are kept.
import { ROWS_SEQUENCE } from "../../../reading/rows/flags";
import { hasHighBits, isUtf8 } from "../bytes";
import { setItem, stopItems } from "../items";
import { STATUS_OTHER, STATUS_ROOM } from "../layout";
import { context } from "../memory";
import { beginWriting, childOf, isWhole, writeByte, writeRange, written } from "../pick";

const MAX_DEPTH: i32 = 64;
/** Numbers and ids that become text have fewer characters. */
const MAX_TEXT_LENGTH: i32 = 64;

/** For each open document except the innermost: its end, and in the highest bit whether it is an array. */
const outer: usize = memory.data(256, 16);
const ARRAY: usize = 0x80000000;

/** Size of a value by type, up to 0x13; 255 if the size varies or the type is not supported. */
const SIZES = memory.data<u8>([255, 8, 255, 255, 255, 255, 0, 12, 255, 8, 0, 255, 255, 255, 255, 255, 4, 8, 8, 16]);

/** Number of values that may follow. */
let left: i32 = 0;

/** Position of the first zero from `at` on, or 0 if the window ends before it. */
@inline function findZero(from: usize, to: usize): usize {
  for (let at = from; at < to; at += 16) {
    const zeros = i8x16.bitmask(i8x16.eq(v128.load(at), i8x16.splat(0)));
    if (zeros) return at + ctz<i32>(zeros);
  }
  return 0;
}

/** True if a range is UTF-8 and not longer than strings may be. */
@inline function isText(from: usize, end: usize): bool {
  const length = <i32>(end - from);
  return length <= context.longest && (!hasHighBits(from, length) || isUtf8(from, end));
}

/** Skips a value of a type that is no document. Returns the position after it, or 0 if the reader must read it. */
function skipScalar(type: u32, at: usize, end: usize): usize {
  const size = type < 0x14 ? <i32>load<u8>(SIZES + type) : 255;
  if (size != 255) return size >= 12 && context.longest < MAX_TEXT_LENGTH ? 0 : at + size;
  if (type == 0x02) {
    const length = load<i32>(at) - 1;
    if (length < 0 || length > context.longest || at + 4 + length >= end || load<u8>(at + 4 + length)) return 0;
    return isText(at + 4, at + 4 + length) ? at + 5 + length : 0;
  }
  if (type == 0x08) return load<u8>(at) > 1 ? 0 : at + 1;
  if (type != 0x05) return 0;
  const length = load<i32>(at);
  // Binary of subtype 2 contains its length twice; a UUID becomes text.
  const subtype = load<u8>(at, 4);
  if (length < 0 || length > context.binary || subtype == 2 || (subtype == 4 && context.longest < MAX_TEXT_LENGTH)) return 0;
  return at + 5 + length;
}

/**
 * Skips the document or, if `array` is set, the array whose size is at `from`. Returns the position after it, or 0 if
 * the reader must read it.
 */
function skipItem(from: usize, to: usize, deepest: i32, array: bool): usize {
  if (load<i32>(from) < 5) return 0;
  let end = from + load<u32>(from);
  if (end > to || deepest < 1) return 0;
  let inArray = array;
  let depth = 1;
  let at = from + 4;
  left--;
  while (depth > 0) {
    const type = <u32>load<u8>(at++);
    if (type == 0) {
      if (at != end) return 0;
      if (--depth > 0) {
        const state = load<usize>(outer + 4 * depth);
        end = state & ~ARRAY;
        inArray = (state & ARRAY) != 0;
      }
      continue;
    }
    const nul = findZero(at, end);
    if (nul == 0 || <i32>(nul - at) >= context.longest || (!inArray && !isText(at, nul))) return 0;
    left--;
    at = nul + 1;
    if (type == 0x03 || type == 0x04) {
      const length = load<i32>(at);
      if (length < 5 || length > <i32>(end - at) || at + length >= end || depth == deepest) return 0;
      store<usize>(outer + 4 * depth, end | (inArray ? ARRAY : 0));
      depth++;
      end = at + length;
      inArray = type == 0x04;
      at += 4;
    } else {
      at = skipScalar(type, at, end);
      if (at == 0) return 0;
    }
    if (at >= end) return 0;
  }
  return left < 0 ? 0 : at;
}

/**
 * Skips any value of a record, and counts the values that it contains. Returns the position after it, or 0 if the reader must read
 * it.
 */
export function skipValue(type: u32, at: usize, end: usize): usize {
  if (type != 0x03 && type != 0x04) return skipScalar(type, at, end);
  // The record has counted the value itself.
  const most = context.most + 1;
  left = most;
  const next = skipItem(at, end, min(context.depth, MAX_DEPTH), type == 0x04);
  context.values += most - left - 1;
  context.most = left;
  return next;
}

/**
 * Skips the type and the key of a document in an array. Returns the position after them, or 0 for any other element.
 */
export function skipHead(at: usize): usize {
  if (load<u8>(at) != 0x03) return 0;
  const zeros = i8x16.bitmask(i8x16.eq(v128.load(at + 1), i8x16.splat(0)));
  const length = <i32>ctz<i32>(zeros) + 1;
  return zeros == 0 || length > context.longest ? 0 : at + 1 + length;
}

/**
 * Validates the document or, if `array` is set, the array whose size is at `from`, and writes what a node keeps of it. Returns the
 * position after it, or 0 if the reader must read it.
 */
function pickItem(from: usize, to: usize, node: usize, deepest: i32, array: bool): usize {
  if (isWhole(node)) {
    const end = skipItem(from, to, deepest, array);
    if (end) writeRange(from, end);
    return end;
  }
  if (load<i32>(from) < 5 || deepest < 1) return 0;
  const end = from + load<u32>(from);
  if (end > to) return 0;
  left--;
  const head = written;
  writeRange(from, from + 4);
  let at = from + 4;
  for (let type = <u32>load<u8>(at); type; type = <u32>load<u8>(at)) {
    const nul = findZero(at + 1, end);
    if (nul == 0 || <i32>(nul - at) > context.longest || (!array && !isText(at + 1, nul))) return 0;
    const inner = array ? node : childOf(node, at + 1, <i32>(nul - at) - 1);
    const value = nul + 1;
    if (inner) writeRange(at, value);
    if (type == 0x03 || type == 0x04) {
      if (load<i32>(value) < 5 || load<i32>(value) >= <i32>(end - value)) return 0;
      at = inner ? pickItem(value, end, inner, deepest - 1, type == 0x04) : skipItem(value, end, deepest - 1, type == 0x04);
      if (at == 0) return 0;
    } else {
      left--;
      at = skipScalar(type, value, end);
      if (at == 0 || at >= end) return 0;
      if (inner) writeRange(value, at);
    }
  }
  if (at + 1 != end || left < 0) return 0;
  writeByte(0);
  store<i32>(head, <i32>(written - head));
  return end;
}

/** Validates up to `room` documents. Returns the number of valid ones. */
export function bsonItems(from: usize, to: usize, room: i32): i32 {
  const deepest = min(context.depth, MAX_DEPTH);
  const sequence = context.flags & ROWS_SEQUENCE;
  const node = context.pick;
  left = context.most;
  beginWriting();
  let at = from;
  for (let row = 0; row < room; row++) {
    const start = at;
    const before = left;
    const item = sequence ? at : skipHead(at);
    const kept = written;
    if (item == 0) at = 0;
    else at = node ? pickItem(item, to, node, deepest, false) : skipItem(item, to, deepest, false);
    if (at == 0) return stopItems(row, start, STATUS_OTHER, before);
    if (node) setItem(row, kept, written);
    else setItem(row, item, at);
  }
  return stopItems(room, at, STATUS_ROOM, left);
}
