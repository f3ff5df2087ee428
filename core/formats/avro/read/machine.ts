import { DecodeError, LimitError } from '../../../errors.ts';
import { Budget } from '../../../budget.ts';
import { type Limits, MAX_TOKEN_LENGTH } from '../../../limits.ts';
import type { RecordId, Sink } from '../../../reading/sink.ts';
import type { AvroOptions } from '../options.ts';
import type { Plan } from './plan.ts';

/** Words of the stack per open list or record: where to continue after it, and the items left in its parent. */
const FRAME = 2;

/** Stack of a released machine, reused by the next: allocating one costs as much as reading a small value. */
let freeStack: Int32Array | undefined;

const NO_BYTES: Uint8Array = new Uint8Array(0);
const NO_VIEW: DataView = new DataView(NO_BYTES.buffer);

/** State of `run`. */
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
  /** The sink's handles for the plan's records, as far as defined, and those for earlier plans. */
  #records: (RecordId | undefined)[] = [];
  #recordsOf: Map<Plan, (RecordId | undefined)[]> | undefined;

  /** `pc` is the next instruction; `begun` is an instruction that began but is incomplete, −1 if none. */
  pc = 0;
  begun = -1;
  /** Items left in the block of the innermost list, or data left at the root. */
  left = 0;
  /** True if data follow one another to the end of the input. */
  endless = false;
  /** True if it stopped between data. */
  idle = true;
  depth = 0;
  /** Containers open around the data. */
  outer = 0;
  stack: Int32Array;
  /** Values so far. */
  values = 0;
  readonly mostValues: number;
  /** Bytes required by the incomplete token at the returned position, if known. */
  needed = 0;
  /** Bytes still to be skipped. */
  rest = 0;

  /** The current window. */
  bytes = NO_BYTES;
  view = NO_VIEW;
  base = 0;

  /** Result of `readLong`: the nearest number, and the 64 bits of the zig-zag form in parts of 28, 28 and 8. */
  value = 0;
  low = 0;
  middle = 0;
  high = 0;
  /** Result of `readBlock`: the number of items, and their size in bytes, −1 if not given. */
  count = 0;
  size = -1;

  constructor(sink: Sink, options: AvroOptions, limits: Limits) {
    this.sink = sink;
    this.limits = limits;
    this.budget = new Budget(limits);
    this.int64 = options.int64 ?? 'auto';
    this.mapsAsMaps = options.maps === 'map';
    this.decimalsAsNumbers = options.decimals === 'number';
    this.longestString = Math.min(limits.stringLength, MAX_TOKEN_LENGTH);
    this.longestBinary = Math.min(limits.binaryLength, MAX_TOKEN_LENGTH);
    this.mostValues = Math.min(limits.values, 2 ** 31 - 1);
    this.stack = freeStack ?? new Int32Array(32 * FRAME);
    freeStack = undefined;
  }

  /** Switches to a plan. No list or record may be open. */
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

  /** The sink's handle for a record. */
  record(index: number): RecordId {
    return (this.#records[index] ??= this.sink.defineRecord(this.plan.keys[index]!));
  }

  /** Tells the sink the record of the open array's items; −1: they have none. */
  nameItems(record: number): void {
    if (record >= 0) this.sink.itemRecord?.(this.record(record));
  }

  /** Opens a list or record, after which `pc` comes next. */
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

  /** Counts values before anything is allocated for them. */
  take(values: number, at: number): void {
    this.values += values;
    if (this.values > this.mostValues) this.exceed('values', at);
  }

  /** Charges the budget for values that take no bytes. */
  spend(values: number, at: number): void {
    this.budget.spend(values, this.base + at);
  }

  /** Charges the budget for items that take no bytes. */
  spendEmpty(values: number, at: number): void {
    this.budget.spendEmpty(values, this.base + at);
  }

  /** Sends a symbol, whose text is not part of the input. */
  symbol(index: number): void {
    if (this.plan.constants.send(this.sink, index)) this.sink.window(this.bytes, this.view, this.base);
  }

  fail(reason: string, at: number): never {
    throw new DecodeError('malformed', reason, { offset: this.base + at });
  }

  exceed(limit: keyof Limits & LimitError['limit'], at: number): never {
    throw new LimitError(limit, `${limit} limit exceeded (${this.limits[limit]})`, { offset: this.base + at });
  }

  /** Releases the stack. Call at the end of the input. */
  release(): void {
    freeStack = this.stack;
  }
}

/**
 * Reads a long or an int: seven bits per byte, lowest first, the top bit of each byte set if another follows; zig-zag
 * coded (https://avro.apache.org/docs/1.12.0/specification/#primitive-types-1). Returns the position after it, −1 if
 * it is incomplete.
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
      // The tenth byte holds one bit.
      if (bytes[next]! > 1) machine.fail('an integer has more than 64 bits', at);
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

/** Exact result of `readLong`. */
export function exactLong({ low, middle, high }: Machine): bigint {
  const half = BigInt(low >>> 1) | (BigInt(middle) << 27n) | (BigInt(high) << 55n);
  return (low & 1) === 0 ? half : -half - 1n;
}

/** Sends the result of `readLong` as a long. */
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
 * Reads the head of a block: the number of items and, if that is negative, their size in bytes
 * (https://avro.apache.org/docs/1.12.0/specification/#arrays-1). Returns the position after it, −1 if it is
 * incomplete.
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
    if (machine.value < 0) machine.fail('a block has a negative length', at);
    machine.size = machine.value;
  }
  machine.take(count, at);
  machine.count = count;
  return next;
}

/** Reads the length of a string or bytes into `value`. Returns the position after it, −1 if it is incomplete. */
export function readLength(machine: Machine, bytes: Uint8Array, at: number, to: number): number {
  const next = readLong(machine, bytes, at, to);
  if (next < 0) return -1;
  if (machine.value < 0) machine.fail('bytes or a string have a negative length', at);
  // Clamps to a 32-bit integer, which still exceeds every limit.
  if (machine.value > 0x7fff_ffff) machine.value = 0x7fff_ffff;
  return next;
}
