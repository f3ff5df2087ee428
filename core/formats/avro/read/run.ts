import { type Machine, readBlock, readLength, readLong, sendLong } from './machine.ts';
import {
  ARRAY,
  AS_INSTANT,
  BLOCK,
  BOOLEAN,
  BYTES,
  DOUBLE,
  END_ITEM,
  END_RECORD,
  ENUM,
  FIRST_OF_RECORDS,
  ITEM_RECORD,
  FIXED,
  FLOAT,
  INT,
  ITEM,
  KEY,
  LONG,
  MAP,
  MAP_BLOCK,
  MORE_RECORDS,
  NEXT,
  NULL,
  RECORD,
  ROOT,
  SKIP_BLOCK,
  STRING,
  UNION,
  WORDS,
} from './plan.ts';
import { instantOf, runOther } from './rare-operations.ts';
import type { RowReading } from './rows.ts';

/**
 * Runs the program on `from..end` of the window, until the bytes or the data end. Returns the position after the last
 * complete token. This is the format's hot loop. `rows` is set if the sink can read records itself.
 */
export function run(machine: Machine, rows: RowReading | undefined, bytes: Uint8Array, view: DataView, from: number, end: number): number {
  const { sink, plan } = machine;
  const { code, list, counts, free } = plan;
  const isAuto = machine.int64 === 'auto';
  // `| 0`: tells the compiler that a property is an integer.
  const to = end | 0;
  let at = from | 0;
  let pc = machine.pc | 0;
  let left = machine.left | 0;
  // The current instruction; −1 between two.
  let now = machine.begun | 0;
  machine.idle = false;
  machine.needed = 0;

  for (;;) {
    if (now < 0) {
      now = pc;
      pc += WORDS;
      const field = code[now + 1]!;
      if (field >= 0) sink.field(field, at, at);
    }
    // Position after the token, −1 if it is incomplete.
    let next = -1;
    switch (code[now]!) {
      case NULL:
        sink.null(at, at);
        next = at;
        break;
      case BOOLEAN:
        if (at >= to) break;
        if (bytes[at]! > 1) machine.fail('boolean that is neither 0 nor 1', at);
        next = at + 1;
        sink.boolean(bytes[at] === 1, at, next);
        break;
      case INT: {
        if (at >= to) break;
        const byte = bytes[at]!;
        if (byte < 0x80) {
          next = at + 1;
          sink.integer((byte >>> 1) ^ -(byte & 1), at, next);
          break;
        }
        next = readLong(machine, bytes, at, to) | 0;
        if (next < 0) break;
        const { value } = machine;
        if (value !== (value | 0)) machine.fail('an int has more than 32 bits', at);
        sink.integer(value | 0, at, next);
        break;
      }
      case LONG: {
        if (at >= to) break;
        const byte = bytes[at]!;
        if (byte < 0x80 && isAuto) {
          next = at + 1;
          sink.integer((byte >>> 1) ^ -(byte & 1), at, next);
          break;
        }
        next = readLong(machine, bytes, at, to) | 0;
        if (next >= 0) sendLong(machine, at, next);
        break;
      }
      case FLOAT:
        if (at + 4 > to) {
          machine.needed = 4;
          break;
        }
        next = at + 4;
        sink.float(view.getFloat32(at, true), at, next);
        break;
      case DOUBLE:
        if (at + 8 > to) {
          machine.needed = 8;
          break;
        }
        next = at + 8;
        sink.float(view.getFloat64(at, true), at, next);
        // Doubles often come in groups.
        for (; code[pc] === DOUBLE && next + 8 <= to; pc += WORDS) {
          const field = code[pc + 1]!;
          if (field >= 0) sink.field(field, next, next);
          sink.float(view.getFloat64(next, true), next, next + 8);
          next += 8;
        }
        break;
      case AS_INSTANT:
        next = readLong(machine, bytes, at, to) | 0;
        if (next >= 0) sink.date(instantOf(machine, code[now + 2]!), at, next);
        break;
      case STRING:
      case KEY: {
        if (at >= to) break;
        let content = at + 1;
        let length = bytes[at]!;
        if (length < 0x80 && (length & 1) === 0) {
          length >>>= 1;
        } else {
          content = readLength(machine, bytes, at, to) | 0;
          if (content < 0) break;
          length = machine.value | 0;
        }
        if (length > machine.longestString) machine.exceed('stringLength', at);
        if (content + length > to) {
          machine.needed = content + length - at;
          break;
        }
        next = content + length;
        if (code[now] === STRING || machine.mapsAsMaps) sink.string(at, content, next);
        else sink.key(at, content, next);
        break;
      }
      case BYTES: {
        const content = readLength(machine, bytes, at, to) | 0;
        if (content < 0) break;
        const length = machine.value | 0;
        if (length > machine.longestBinary) machine.exceed('binaryLength', at);
        if (content + length > to) {
          machine.needed = content + length - at;
          break;
        }
        next = content + length;
        sink.binary(0, at, content, next);
        break;
      }
      case FIXED: {
        const length = code[now + 2]!;
        if (length > machine.longestBinary) machine.exceed('binaryLength', at);
        if (at + length > to) {
          machine.needed = length;
          break;
        }
        next = at + length;
        sink.binary(0, at, at, next);
        break;
      }
      case ENUM: {
        if (at >= to) break;
        let index = bytes[at]! >>> 1;
        next = at + 1;
        if (bytes[at]! >= 0x80 || (bytes[at]! & 1) !== 0) {
          next = readLong(machine, bytes, at, to) | 0;
          if (next < 0) break;
          index = machine.value;
        }
        if (index < 0 || index >= code[now + 3]!) machine.fail(`enum symbol ${index} out of range`, at);
        machine.symbol(list[code[now + 2]! + index]!);
        break;
      }
      case UNION: {
        if (at >= to) break;
        let index = bytes[at]! >>> 1;
        next = at + 1;
        if (bytes[at]! >= 0x80 || (bytes[at]! & 1) !== 0) {
          next = readLong(machine, bytes, at, to) | 0;
          if (next < 0) break;
          index = machine.value;
        }
        if (index < 0 || index >= code[now + 3]!) machine.fail(`union branch ${index} out of range`, at);
        now = list[code[now + 2]! + index]!;
        at = next;
        continue;
      }
      case RECORD: {
        const record = code[now + 2]!;
        machine.push(pc, left, at);
        machine.take(counts[record]!, at);
        if (free[record]! > 0) machine.spend(free[record]!, at);
        sink.beginRecord(machine.record(record), at, at);
        pc = plan.bodies[record]!;
        now = -1;
        continue;
      }
      case END_RECORD: {
        sink.endRecord(at);
        const frame = (machine.depth -= 1) * 2;
        pc = machine.stack[frame]!;
        left = machine.stack[frame + 1]!;
        now = -1;
        continue;
      }
      case ARRAY:
      case MAP:
        machine.push(pc, left, at);
        if (code[now] === ARRAY) sink.beginArray(-1, at, at);
        else if (machine.mapsAsMaps) sink.beginMap(-1, at, at);
        else sink.beginObject(-1, at, at);
        pc = plan.bodies[code[now + 2]!]!;
        now = -1;
        continue;
      case BLOCK: {
        if (at >= to) break;
        const kind = code[now + 2]!;
        next = readBlock(machine, bytes, at, to) | 0;
        if (next < 0) break;
        left = machine.count;
        sink.between?.(at, next);
        if (left === 0) {
          machine.nameItems((kind >>> ITEM_RECORD) - 1);
          endList(machine, kind & 3, next);
          const frame = (machine.depth -= (kind & MORE_RECORDS) === 0 ? 1 : 2) * 2;
          pc = machine.stack[frame]!;
          left = machine.stack[frame + 1]!;
          break;
        }
        if (code[now + 3] === 1) machine.spendEmpty(left, at);
        if (kind === SKIP_BLOCK && machine.size >= 0) {
          // The same instruction reads the head of the next block.
          pc = now;
          now = plan.rest;
          machine.rest = machine.size;
          at = next;
          continue;
        }
        if ((kind & FIRST_OF_RECORDS) !== 0) {
          machine.push(0, 0, at);
          pc = now + 2 * WORDS;
        }
        break;
      }
      case ITEM: {
        const record = code[now + 2]!;
        if (rows !== undefined) {
          at = rows.read(record, now + WORDS, 0, left, bytes, at, to) | 0;
          left = rows.left | 0;
          if (left === 0) {
            // The instruction for the next block.
            pc = now - WORDS;
            now = -1;
            continue;
          }
        }
        machine.take(counts[record]!, at);
        if (free[record]! > 0) machine.spend(free[record]!, at);
        sink.beginRecord(machine.record(record), at, at);
        now = -1;
        continue;
      }
      case END_ITEM:
        sink.endRecord(at);
        left -= 1;
        pc = left > 0 ? code[now + 2]! : code[now + 3]!;
        now = -1;
        continue;
      case NEXT:
        left -= 1;
        pc = left > 0 ? code[now + 2]! : code[now + 3]!;
        now = -1;
        continue;
      case ROOT:
        if (rows !== undefined && machine.outer > 0 && (machine.endless ? at < to : left > 0)) {
          at = rows.readRoots(code[now + 2]!, bytes, at, to, left) | 0;
          left = rows.left | 0;
        }
        if (machine.endless ? at >= to : left === 0) {
          machine.idle = true;
          machine.pc = now;
          machine.begun = -1;
          machine.left = left;
          return at;
        }
        if (!machine.endless) left -= 1;
        machine.take(1, at);
        pc = code[now + 2]!;
        now = -1;
        continue;
      default:
        machine.pc = pc;
        machine.left = left;
        machine.begun = now;
        next = runOther(machine, bytes, view, at, to) | 0;
        if (next < 0) break;
        at = next;
        pc = machine.pc | 0;
        left = machine.left | 0;
        now = machine.begun | 0;
        continue;
    }
    if (next < 0) break;
    at = next;
    now = -1;
  }

  machine.pc = pc;
  machine.left = left;
  machine.begun = now;
  return at;
}

function endList({ sink, mapsAsMaps }: Machine, kind: number, at: number): void {
  if (kind === SKIP_BLOCK) return;
  if (kind !== MAP_BLOCK) sink.endArray(at);
  else if (mapsAsMaps) sink.endMap(at);
  else sink.endObject(at);
}
