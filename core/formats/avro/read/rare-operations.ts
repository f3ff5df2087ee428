import { LimitError, SchemaError } from '../../../errors.ts';
import { decimalNumber, decimalText } from '../../../bytes/decimal.ts';
import { MAX_INTEGER_LENGTH } from '../../../bytes/numbers.ts';
import { checkedDate, decimalOf, durationParts, instantMilliseconds, uuidText } from '../schema/logical.ts';
import { exactLong, type Machine, readLength, readLong } from './machine.ts';
import {
  AS_DATE,
  AS_DECIMAL,
  AS_DURATION,
  AS_FLOAT,
  AS_UUID,
  CONSTANT,
  CONSTANT_KEY,
  CONSTANT_LIST,
  END_CONSTANT,
  ENUM_OR_FAIL,
  FAIL,
  RETURN,
  SKIP_CALL,
  SKIP_FIXED,
  SKIP_REST,
  SKIP_STRING,
  SKIP_VARINT,
} from './plan.ts';
import { MICROS, MILLIS } from '../schema/schema.ts';

const DAY = 86_400_000;

/**
 * Executes the instruction begun by `run`. Returns the position after the token, or −1 if it is incomplete; the
 * instruction then stays begun.
 */
export function runOther(machine: Machine, bytes: Uint8Array, view: DataView, at: number, to: number): number {
  const { sink, plan, begun: now } = machine;
  const a = plan.code[now + 2]!;
  const b = plan.code[now + 3]!;
  let next = at;
  machine.begun = -1;
  switch (plan.code[now]) {
    case AS_DATE:
      next = readLong(machine, bytes, at, to);
      if (next < 0) break;
      if (machine.value !== (machine.value | 0)) machine.fail('an int has more than 32 bits', at);
      sink.date(checkedDate(machine.value * DAY), at, next);
      return next;
    case AS_FLOAT:
      next = readLong(machine, bytes, at, to);
      if (next < 0) break;
      sink.float(floatOf(machine, a === 1), at, next);
      return next;
    case AS_DECIMAL:
      next = readDecimal(machine, bytes, at, to, a, b);
      if (next < 0) break;
      return next;
    case AS_DURATION:
      if (at + 12 > to) {
        machine.needed = 12;
        next = -1;
        break;
      }
      sendDuration(machine, view, at, a);
      return at + 12;
    case AS_UUID:
      if (at + 16 > to) {
        machine.needed = 16;
        next = -1;
        break;
      }
      sink.text(uuidText(bytes, at), at, at + 16);
      return at + 16;
    case ENUM_OR_FAIL: {
      next = readLong(machine, bytes, at, to);
      if (next < 0) break;
      const { value } = machine;
      if (value < 0 || value >= b) machine.fail(`enum symbol ${value} out of range`, at);
      const entry = plan.list[a + value]!;
      if (entry < 0) unreadable(machine, -1 - entry, at);
      machine.symbol(entry);
      return next;
    }
    case FAIL:
      return unreadable(machine, a, at);
    case CONSTANT:
      sendConstant(machine, a, at);
      return at;
    case CONSTANT_KEY:
      if (machine.mapsAsMaps) sink.text(plan.values[a] as string, at, at);
      else sink.keyText(plan.values[a] as string, at, at);
      return at;
    case CONSTANT_LIST:
      machine.push(machine.pc, machine.left, at);
      machine.take(plan.counts[a]!, at);
      machine.spend(plan.free[a]!, at);
      if (b === 0) sink.beginArray(-1, at, at);
      else if (machine.mapsAsMaps) sink.beginMap(-1, at, at);
      else sink.beginObject(-1, at, at);
      machine.pc = plan.bodies[a]!;
      return at;
    case END_CONSTANT:
      machine.nameItems(b - 1);
      if (a === 0) sink.endArray(at);
      else if (machine.mapsAsMaps) sink.endMap(at);
      else sink.endObject(at);
      pop(machine);
      return at;
    case SKIP_VARINT:
      next = readLong(machine, bytes, at, to);
      if (next < 0) break;
      return next;
    case SKIP_STRING:
      next = readLength(machine, bytes, at, to);
      if (next < 0) break;
      return pass(machine, machine.value, next, to);
    case SKIP_FIXED:
      return pass(machine, a, at, to);
    case SKIP_REST:
      next = pass(machine, machine.rest, at, to);
      // No progress: the token is incomplete.
      if (next === at && machine.begun >= 0) return -1;
      return next;
    case SKIP_CALL:
      machine.push(machine.pc, machine.left, at);
      machine.pc = plan.bodies[a]!;
      return at;
    case RETURN:
      pop(machine);
      return at;
    default:
      throw new TypeError(`unknown operation: ${plan.code[now]}`);
  }
  machine.begun = now;
  return -1;
}

function pop(machine: Machine): void {
  const frame = (machine.depth -= 1) * 2;
  machine.pc = machine.stack[frame]!;
  machine.left = machine.stack[frame + 1]!;
}

/** Skips `length` bytes. SKIP_REST skips those that are not available yet. */
function pass(machine: Machine, length: number, at: number, to: number): number {
  const next = Math.min(to, at + length);
  machine.rest = length - (next - at);
  if (machine.rest > 0) machine.begun = machine.plan.rest;
  return next;
}

function unreadable(machine: Machine, message: number, at: number): never {
  throw new SchemaError(machine.plan.messages[message]!, undefined, { offset: machine.base + at });
}

function sendConstant({ sink, plan, bytes, view, base }: Machine, index: number, at: number): void {
  const value = plan.values[index]!;
  if (value === null) {
    sink.null(at, at);
  } else if (typeof value === 'boolean') {
    sink.boolean(value, at, at);
  } else if (typeof value === 'number') {
    if (Number.isSafeInteger(value)) sink.integer(value === 0 ? 0 : value, at, at);
    else sink.float(value, at, at);
  } else if (typeof value === 'bigint') {
    sink.bigint(value, at, at);
  } else if (typeof value === 'string') {
    sink.text(value, at, at);
  } else if (value instanceof Date) {
    sink.date(value.getTime(), at, at);
  } else if (value instanceof Uint8Array) {
    sink.window(value, new DataView(value.buffer), -1);
    sink.binary(0, 0, 0, value.length);
    sink.window(bytes, view, base);
  } else {
    sink.float(value.float, at, at);
  }
}

/** Milliseconds of a `readLong` result in a given unit. */
export function instantOf(machine: Machine, unit: number): number {
  const { value } = machine;
  if (!Number.isSafeInteger(value)) return instantMilliseconds(exactLong(machine), unit);
  if (unit === MILLIS) return checkedDate(value);
  const divisor = unit === MICROS ? 1000 : 1_000_000;
  const over = value % divisor;
  // The division is exact; adding 0 turns −0 into 0.
  return (value - (over < 0 ? over + divisor : over)) / divisor + 0;
}

function floatOf(machine: Machine, single: boolean): number {
  const { value } = machine;
  const number = Number.isSafeInteger(value) ? value : Number(exactLong(machine));
  return single ? Math.fround(number) : number;
}

function sendDuration(machine: Machine, view: DataView, at: number, record: number): void {
  const { sink } = machine;
  machine.take(3, at);
  sink.beginRecord(machine.record(record), at, at);
  durationParts(view, at).forEach((part, index) => {
    sink.field(index, at + 4 * index, at + 4 * index);
    sink.integer(part, at + 4 * index, at + 4 * index + 4);
  });
  sink.endRecord(at + 12);
}

/** Reads a decimal: length-prefixed bytes, or a fixed. */
function readDecimal(machine: Machine, bytes: Uint8Array, at: number, to: number, scale: number, fixed: number): number {
  let content = at;
  let length = fixed;
  if (fixed < 0) {
    content = readLength(machine, bytes, at, to);
    if (content < 0) return -1;
    length = machine.value;
  }
  if (length > machine.longestBinary) machine.exceed('binaryLength', at);
  if (length > MAX_INTEGER_LENGTH) {
    throw new LimitError('binaryLength', `binaryLength limit exceeded: a decimal of more than ${MAX_INTEGER_LENGTH} bytes`, {
      offset: machine.base + at,
    });
  }
  const next = content + length;
  if (next > to) {
    machine.needed = next - at;
    return -1;
  }
  const decimal = decimalOf(bytes, content, next, scale);
  if (!decimal) return machine.fail('invalid big-decimal: expected the bytes of an integer and a scale', content);
  if (machine.decimalsAsNumbers) machine.sink.float(decimalNumber(decimal.unscaled, decimal.scale), at, next);
  else machine.sink.text(decimalText(decimal.unscaled, decimal.scale, machine.budget, machine.base + at), at, next);
  return next;
}
