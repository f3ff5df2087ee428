import { DecodeError, LimitError } from '../../../errors.ts';
import { Budget } from '../../../budget.ts';
import { type Limits, LONGEST_TOKEN } from '../../../limits.ts';
import type { RecordId, Sink } from '../../../reading/sink.ts';
import type { AvroOptions } from '../options.ts';
import type { Plan } from './plan.ts';

/** Words of the stack for each list or record that is open: where it goes on after it, and the items left around it. */
const FRAME = 2;

/** What a machine that is done with leaves for the next: to allocate it costs as much as to read a small value. */
let spare: Int32Array | undefined;

const NO_BYTES: Uint8Array = new Uint8Array(0);
const NO_VIEW: DataView = new DataView(NO_BYTES.buffer);

/** What `run` goes by, and where it stands. */
export class Machine {
  readonly sink: Sink;
  readonly limits: Limits;
  readonly budget: Budget;
  readonly int64: NonNullable<AvroOptions['int64']>;
  readonly mapsAsMaps: boolean;
  readonly decimalsAsNumbers: boolean;
  readonly longestString: number;
  readonly longestBinary: number;
  plan!: Plan;
  /** The sink's handles of the plan's records, as far as there are; and those of the plans before. */
  #records: (RecordId | undefined)[] = [];
  #recordsOf: Map<Plan, (RecordId | undefined)[]> | undefined;

  /** The next instruction; the one that was begun and not carried out, −1 where there is none. */
  pc = 0;
  begun = -1;
  /** Items that the innermost list still has in its block, or data that are still to be read at the root. */
  left = 0;
  /** Data follow one another to the end of the input. */
  endless = false;
  /** It stopped between data, and not inside one. */
  idle = true;
  depth = 0;
  /** Containers that are open around the data. */
  outer = 0;
  stack: Int32Array;
  /** Values until now. */
  values = 0;
  readonly mostValues: number;
  /** Bytes that the token at the position returned needs, where it is cut and that is known. */
  needed = 0;
  /** Bytes to be passed over. */
  rest = 0;

  /** The window. */
  bytes = NO_BYTES;
  view = NO_VIEW;
  base = 0;

  /** What `readLong` read, as near as a number gets; and the 64 bits of its zig-zag form: 28, 28 and 8. */
  value = 0;
  low = 0;
  middle = 0;
  high = 0;
  /** What `readBlock` read: items, and bytes where they are told, else −1. */
  count = 0;
  size = -1;

  constructor(sink: Sink, options: AvroOptions, limits: Limits) {
    this.sink = sink;
    this.limits = limits;
    this.budget = new Budget(limits);
    this.int64 = options.int64 ?? 'auto';
    this.mapsAsMaps = options.maps === 'map';
    this.decimalsAsNumbers = options.decimals === 'number';
    this.longestString = Math.min(limits.stringLength, LONGEST_TOKEN);
    this.longestBinary = Math.min(limits.binaryLength, LONGEST_TOKEN);
    this.mostValues = Math.min(limits.values, 2 ** 31 - 1);
    this.stack = spare ?? new Int32Array(32 * FRAME);
    spare = undefined;
  }

  /** Takes a program. Nothing of the one before may be open. */
  use(plan: Plan): void {
    if (this.plan === plan) return;
    if (this.plan !== undefined) (this.#recordsOf ??= new Map()).set(this.plan, this.#records);
    this.plan = plan;
    this.pc = plan.start;
    this.begun = -1;
    this.#records = this.#recordsOf?.get(plan) ?? [];
  }

  window(bytes: Uint8Array, view: DataView, base: number): void {
    this.bytes = bytes;
    this.view = view;
    this.base = base;
  }

  /** The sink's handle of a record. */
  record(index: number): RecordId {
    return (this.#records[index] ??= this.sink.defineRecord(this.plan.keys[index]!));
  }

  /** Opens a list or record, after which `pc` is next. */
  push(pc: number, left: number, at: number): void {
    const { depth } = this;
    if (depth + this.outer >= this.limits.depth) this.exceed('depth', at);
    const frame = depth * FRAME;
    if (frame === this.stack.length) {
      const grown = new Int32Array(frame * 2);
      grown.set(this.stack);
      this.stack = grown;
    }
    this.stack[frame] = pc;
    this.stack[frame + 1] = left;
    this.depth = depth + 1;
  }

  /** Counts values before anything is made for them. */
  take(values: number, at: number): void {
    this.values += values;
    if (this.values > this.mostValues) this.exceed('values', at);
  }

  /** Values that take no bytes are about to be given. */
  spend(values: number, at: number): void {
    this.budget.spend(values, this.base + at);
  }

  /** Items that take no bytes are about to be given. */
  spendEmpty(values: number, at: number): void {
    this.budget.spendEmpty(values, this.base + at);
  }

  /** Sends a symbol, which is no part of the input. */
  symbol(index: number): void {
    if (this.plan.constants.send(this.sink, index)) this.sink.window(this.bytes, this.view, this.base);
  }

  fail(reason: string, at: number): never {
    throw new DecodeError('malformed', reason, { offset: this.base + at });
  }

  exceed(limit: keyof Limits & LimitError['limit'], at: number): never {
    throw new LimitError(limit, `${limit} limit exceeded (${this.limits[limit]})`, { offset: this.base + at });
  }

  /** Nothing is pushed any more. */
  release(): void {
    spare = this.stack;
  }
}

/**
 * Reads a long, or an int: seven bits a byte, the lowest first, the highest bit of each tells that more follow; the number
 * is zig-zag coded (https://avro.apache.org/docs/1.12.0/specification/#primitive-types-1). Returns the position after it,
 * −1 where it is cut.
 */
export function readLong(machine: Machine, bytes: Uint8Array, at: number, to: number): number {
  let next = at;
  let byte = 0x80;
  let low = 0;
  for (let shift = 0; byte >= 0x80 && shift < 28; shift += 7) {
    if (next >= to) return -1;
    byte = bytes[next]!;
    low |= (byte & 0x7f) << shift;
    next += 1;
  }
  machine.low = low;
  if (byte < 0x80) {
    machine.middle = 0;
    machine.high = 0;
    machine.value = (low >>> 1) ^ -(low & 1);
    return next;
  }
  let middle = 0;
  byte = 0x80;
  for (let shift = 0; byte >= 0x80 && shift < 28; shift += 7) {
    if (next >= to) return -1;
    byte = bytes[next]!;
    middle |= (byte & 0x7f) << shift;
    next += 1;
  }
  let high = 0;
  if (byte >= 0x80) {
    if (next >= to) return -1;
    byte = bytes[next]!;
    high = byte & 0x7f;
    next += 1;
    if (byte >= 0x80) {
      if (next >= to) return -1;
      // The tenth byte has one bit.
      if (bytes[next]! > 1) machine.fail('integer longer than 64 bits', at);
      high |= bytes[next]! << 7;
      next += 1;
    }
  }
  machine.middle = middle;
  machine.high = high;
  const half = (low >>> 1) + middle * 2 ** 27 + high * 2 ** 55;
  machine.value = (low & 1) === 0 ? half : -half - 1;
  return next;
}

/** What `readLong` read, exactly. */
export function exactLong({ low, middle, high }: Machine): bigint {
  const half = BigInt(low >>> 1) | (BigInt(middle) << 27n) | (BigInt(high) << 55n);
  return (low & 1) === 0 ? half : -half - 1n;
}

/** Sends what `readLong` read as a long. */
export function sendLong(machine: Machine, start: number, end: number): void {
  const { sink, value, int64 } = machine;
  if (int64 === 'string') {
    sink.text(exactLong(machine).toString(), start, end);
  } else if (int64 === 'bigint') {
    sink.bigint(exactLong(machine), start, end);
  } else if (Number.isSafeInteger(value)) {
    sink.integer(value, start, end);
  } else {
    const exact = exactLong(machine);
    if (int64 === 'number') sink.float(Number(exact), start, end);
    else sink.bigint(exact, start, end);
  }
}

/**
 * Reads the head of a block of items: how many, and, where that is negative, how many bytes they take
 * (https://avro.apache.org/docs/1.12.0/specification/#arrays-1). Returns the position after it, −1 where it is cut.
 */
export function readBlock(machine: Machine, bytes: Uint8Array, at: number, to: number): number {
  let next = readLong(machine, bytes, at, to);
  if (next < 0) return -1;
  let count = machine.value;
  machine.size = -1;
  if (count < 0) {
    count = -count;
    next = readLong(machine, bytes, next, to);
    if (next < 0) return -1;
    if (machine.value < 0) machine.fail('a block of negative length', at);
    machine.size = machine.value;
  }
  machine.take(count, at);
  machine.count = count;
  return next;
}

/** Reads the length of a string or of bytes into `value`. Returns the position after it, −1 where it is cut. */
export function readLength(machine: Machine, bytes: Uint8Array, at: number, to: number): number {
  const next = readLong(machine, bytes, at, to);
  if (next < 0) return -1;
  if (machine.value < 0) machine.fail('a negative length', at);
  // Past every limit all the same, and a 32-bit integer.
  if (machine.value > 0x7fff_ffff) machine.value = 0x7fff_ffff;
  return next;
}
