import type { Limits } from '../../limits.ts';
import { Reader } from '../../reading/reader.ts';
import type { Sink } from '../../reading/sink.ts';
import type { ProtobufOptions } from './options.ts';
import { canBeLive, Level, Levels } from './read/level.ts';
import { INDEX, LIST, MESSAGES, PACKED, PLAIN, type Plan, planFor, RAW_STRING, SUBMESSAGE } from './read/plan.ts';
import { BYTES, EGROUP, I32, I64, LEN, type ProtobufSchema, SGROUP, STRING, VARINT } from './schema/schema.ts';
import { RowAsker } from './rows/rows.ts';
import { Walker } from './read/walker.ts';

/**
 * A message of more bytes is read as it comes, and of a message of which more has been kept, a list. What is declared
 * decides, not what has arrived: chunks make no difference.
 */
const LARGE = 64 * 1024;

/** The bytes that a tag or length may have, and a value. */
const MOST_HEAD = 5;
const MOST_VARINT = 10;
const HEAD_TOO_LONG = 'tag or length longer than 5 bytes';

/** What the next bytes are: a field's tag, bytes to be kept or skipped, fields of a group that is, numbers to be sent. */
const TAG = 0;
const KEEP = 1;
const SKIP = 2;
const GROUP_FIELDS = 3;
const NUMBERS = 4;

/**
 * Reads one message or a sequence of them. Sinks are told each field once, but a message's fields may come in any order,
 * in pieces, and more than once, so that it is known only when it is whole. Small messages are read when they are there.
 * Of a large one (and the root, whose size nobody tells) the list that most of it consists of is sent as it comes and
 * what else there is kept until the end. That list may be in a message in a message: each of them is a level.
 */
export class ProtobufReader extends Reader {
  readonly #plan: Plan;
  readonly #walker: Walker;
  readonly #sequence: boolean;
  readonly #levels: Levels;
  /** Where the sink reads messages by itself. */
  readonly #rows: RowAsker | undefined;
  #state = TAG;
  /** Bytes still to be kept, to be skipped or to be read as numbers. */
  #left = 0;
  /** Of the groups being kept or skipped, the field numbers. */
  readonly #groups: number[] = [];
  #keeps = false;
  #started = false;
  /** How many messages of a sequence are read before the sink is asked again. */
  #pause = 0;
  /** The root was read at once. */
  #whole = false;
  /** Up to which offset the input has been credited to the budget. */
  #credited = 0;
  readonly #large: number;

  constructor(sink: Sink, options: ProtobufOptions, limits: Limits, schema: ProtobufSchema | undefined, large = LARGE) {
    super(sink, limits);
    this.#large = large;
    this.#plan = planFor(schema, options);
    this.#walker = new Walker(this.#plan, sink, limits);
    this.#levels = new Levels(this.#plan, this.#walker, sink, large);
    this.#sequence = options.sequence ?? false;
    if (sink.readRows !== undefined) this.#rows = new RowAsker(this.#plan, sink, limits, this.#walker);
  }

  protected read(bytes: Uint8Array, view: DataView, from: number, to: number, last: boolean): number {
    const walker = this.#walker;
    walker.input.useWindow(bytes, view, this.base);
    if (this.base + to > this.#credited) {
      walker.budget.receive(this.base + to - this.#credited);
      this.#credited = this.base + to;
    }
    if (!this.#started) {
      // Most messages are small and all there: nothing of them need be kept.
      if (last && !this.#sequence && to - from <= this.#large && walker.wholeRoot(from, to)) {
        this.#started = true;
        this.#whole = true;
        return to;
      }
      this.#start(from, to);
    }
    let at = from;
    for (;;) {
      if (this.#state !== TAG) {
        const next = this.#state === GROUP_FIELDS ? this.#groupField(bytes, at, to) : this.#bulk(bytes, at, to);
        // An empty string or group ends where it begins.
        if (next === at && this.#state !== TAG) return at;
        at = next;
        continue;
      }
      const level = this.#levels.current;
      if (level === undefined) {
        if (at >= to) return at;
        const next = this.#sequenceMessage(bytes, at, to);
        if (next < 0) return at;
        at = next;
        continue;
      }
      const end = level.end - this.base;
      if (at >= end) {
        this.#levels.leave(level, at, this.base);
        continue;
      }
      if (at >= to) return at;
      const next = this.#field(level, bytes, at, to, end);
      if (next < 0) return at;
      at = next;
    }
  }

  protected finish(): void {
    if (this.#whole) {
      this.#walker.release();
      return;
    }
    if (!this.#started) this.#start(0, 0);
    if (this.#state !== TAG || this.#levels.depth !== (this.#sequence ? 0 : 1)) {
      this.fail('truncated', 'the input ends inside a message', 0);
    }
    if (this.#sequence) this.sink.endArray(0);
    else this.#levels.close(0, 0);
    this.#walker.release();
  }

  #start(at: number, to: number): void {
    this.#started = true;
    if (this.#sequence) {
      this.sink.beginArray(-1, at, at);
      this.#walker.outer = 1;
    } else {
      this.#levels.enter(new Level(this.#plan.root, this.base + at, Infinity, true, this.#large, Math.min(to - at, this.#large)));
    }
  }

  /** A message of a sequence: its length as a varint, its bytes. Returns the position after it, −1 where it is cut. */
  #sequenceMessage(bytes: Uint8Array, at: number, to: number): number {
    const from = this.#varintEnd(bytes, at, to, Infinity, MOST_HEAD);
    if (from < 0) return -1;
    const length = this.#walker.input.varint(at, from);
    if (length > this.#large) {
      const offset = this.base + from;
      this.#levels.enter(new Level(this.#plan.root, offset, offset + length, true, this.#large));
      return from;
    }
    if (!this.#isWhole(at, from + length, to)) return -1;
    if (this.#rows !== undefined && (this.#pause -= 1) <= 0) {
      const next = this.#rows.read(this.#plan.root, 0, bytes, at, to);
      this.#pause = this.#rows.pause;
      if (next > at) return next;
    }
    this.#walker.message(this.#plan.root, at, from, from + length);
    return from + length;
  }

  /** A field of a level, which ends at `end`. Returns the position after what was read of it, −1 where it is cut. */
  #field(level: Level, bytes: Uint8Array, at: number, to: number, end: number): number {
    const plan = this.#plan;
    const walker = this.#walker;
    const stop = Math.min(end, to);
    const value = this.#varintEnd(bytes, at, stop, end, MOST_HEAD);
    if (value < 0) return -1;
    const tag = value === at + 1 ? bytes[at]! : walker.input.varint(at, value);
    if (tag < 8) this.fail('malformed', 'invalid field number 0', at);
    if (tag > 0xffffffff) this.fail('malformed', 'tag longer than 32 bits', at);
    const entry = plan.entry(level.type, tag);
    let next = value;
    switch (tag & 7) {
      case LEN:
        return this.#lengthField(level, entry, bytes, at, value, to, end);
      case VARINT:
        next = this.#varintEnd(bytes, value, stop, end, MOST_VARINT);
        if (next < 0) return -1;
        break;
      case I64:
        next += 8;
        break;
      case I32:
        next += 4;
        break;
      case SGROUP:
        this.#state = GROUP_FIELDS;
        this.#groups.push(tag >>> 3);
        this.#keeps = entry > 0 || plan.keepUnknown;
        if (this.#keeps) level.kept.append(bytes, at, value, this.base);
        return value;
      default:
        this.fail('malformed', (tag & 7) === EGROUP ? 'end of a group that is not open' : `invalid wire type ${tag & 7}`, at);
    }
    if (next > end) this.#overrun(at);
    if (!this.#isWhole(at, next, to)) return -1;
    if (entry > 0 && level.live === entry >> INDEX) walker.occurrence(plan.first[level.type]! + level.live, at, next);
    else if (entry > 0 || plan.keepUnknown) this.#keep(level, bytes, at, next);
    return next;
  }

  /** A field with a length, which is at `value`. */
  #lengthField(level: Level, entry: number, bytes: Uint8Array, at: number, value: number, to: number, end: number): number {
    const plan = this.#plan;
    const walker = this.#walker;
    const from = this.#varintEnd(bytes, value, Math.min(end, to), end, MOST_HEAD);
    if (from < 0) return -1;
    const length = from === value + 1 ? bytes[value]! : walker.input.varint(value, from);
    const next = from + length;
    if (next > end) this.#overrun(at);
    const index = entry >> INDEX;
    const field = plan.first[level.type]! + index;
    if (entry > 0) {
      const type = plan.type[field];
      if ((type === STRING || type === RAW_STRING) && length > this.limits.stringLength) this.exceed('stringLength', value);
      if (type === BYTES && length > this.limits.binaryLength) this.exceed('binaryLength', value);
      // A packed list of nothing is as none.
      if (length === 0 && (entry & PACKED) !== 0) return next;
      if (level.live < 0 && length > this.#large && canBeLive(plan, level.type, entry)) this.#levels.goLive(level, entry, at, this.base);
      if (level.live === index) {
        const shape = plan.shape[field]!;
        if (shape === SUBMESSAGE) {
          this.#levels.reenter(this.base + next);
          return from;
        }
        if (shape === MESSAGES && length > this.#large && plan.kind[plan.ref[field]!] === PLAIN) {
          this.#levels.enter(new Level(plan.ref[field]!, this.base + from, this.base + next, true, this.#large));
          return from;
        }
        if ((entry & PACKED) !== 0 && shape === LIST) {
          const size = plan.sizes[field]!;
          if (size > 0 && length % size > 0) this.fail('malformed', 'packed list that ends inside a number', next);
          this.#state = NUMBERS;
          this.#left = length;
          return from;
        }
        if (!this.#isWhole(at, next, to)) return -1;
        // Of a field number up to 15, the tag is one byte.
        if (shape === MESSAGES && value === at + 1) {
          const stop = Math.min(end, to);
          const from = this.#rows?.read(plan.ref[field]!, bytes[at]!, bytes, at, stop) ?? at;
          const isNext = from === at || (from < stop && bytes[from] === bytes[at]);
          const after = isNext ? walker.messages(field, from, stop, this.#large, this.#rows?.pause) : from;
          if (after > at) return after;
        }
        walker.occurrence(field, at, next);
        return next;
      }
    } else if (!plan.keepUnknown) {
      this.#state = SKIP;
      this.#left = length;
      return from;
    }
    if (next <= to) {
      this.#keep(level, bytes, at, next);
      return next;
    }
    level.kept.append(bytes, at, from, this.base);
    this.#state = KEEP;
    this.#left = length;
    return from;
  }

  /** Keeps, skips or sends what is there of what is left. */
  #bulk(bytes: Uint8Array, at: number, to: number): number {
    const level = this.#levels.current!;
    let next = Math.min(to, at + this.#left);
    if (this.#state === KEEP) {
      level.kept.append(bytes, at, next, this.base);
    } else if (this.#state === NUMBERS) {
      const field = this.#plan.first[level.type]! + level.live;
      const size = this.#plan.sizes[field]!;
      if (size > 0) {
        next -= (next - at) % size;
      } else {
        const all = next;
        while (next > at && bytes[next - 1]! >= 0x80) next -= 1;
        // Without an end of a number there, this fails unless more may come.
        if (next === at && (all === at + this.#left || all - at >= 10)) this.#walker.input.int32(at, all);
      }
      if (next === at) return at;
      this.#walker.numbers(field, at, next);
    }
    this.#left -= next - at;
    if (this.#left === 0) {
      const wasKept = this.#state === KEEP;
      this.#state = TAG;
      if (wasKept) this.#levels.estimateSize(level, next, this.base);
    }
    return next;
  }

  /** One field of a group that is kept or skipped, or the end of one. Returns the position after, or `at` where it is cut. */
  #groupField(bytes: Uint8Array, at: number, to: number): number {
    const level = this.#levels.current!;
    const groups = this.#groups;
    const end = level.end - this.base;
    const stop = Math.min(end, to);
    if (this.#left > 0) {
      const next = Math.min(to, at + this.#left);
      this.#left -= next - at;
      if (this.#keeps) level.kept.append(bytes, at, next, this.base);
      return next;
    }
    const value = this.#varintEnd(bytes, at, stop, end, MOST_HEAD);
    if (value < 0) return at;
    const tag = this.#walker.input.varint(at, value);
    if (tag < 8) this.fail('malformed', 'invalid field number 0', at);
    if (tag > 0xffffffff) this.fail('malformed', 'tag longer than 32 bits', at);
    let next = value;
    switch (tag & 7) {
      case VARINT:
        next = this.#varintEnd(bytes, value, stop, end, MOST_VARINT);
        if (next < 0) return at;
        break;
      case I64:
        next += 8;
        break;
      case I32:
        next += 4;
        break;
      case LEN:
        next = this.#varintEnd(bytes, value, stop, end, MOST_HEAD);
        if (next < 0) return at;
        this.#left = this.#walker.input.varint(value, next);
        if (next + this.#left > end) this.#overrun(at);
        break;
      case SGROUP:
        if (groups.length + this.#walker.outer >= this.limits.depth) this.exceed('depth', at);
        groups.push(tag >>> 3);
        break;
      case EGROUP:
        if (groups.pop() !== tag >>> 3) this.fail('malformed', 'end of a group that is not open', at);
        break;
      default:
        this.fail('malformed', `invalid wire type ${tag & 7}`, at);
    }
    if (next > end) this.#overrun(at);
    if (!this.#isWhole(at, next, to)) return at;
    if (this.#keeps) level.kept.append(bytes, at, next, this.base);
    if (groups.length === 0) {
      this.#state = TAG;
      this.#levels.estimateSize(level, next, this.base);
    }
    return next;
  }

  #keep(level: Level, bytes: Uint8Array, from: number, to: number): void {
    level.kept.append(bytes, from, to, this.base);
    this.#levels.estimateSize(level, to, this.base);
  }

  /**
   * The position after the varint at `at`, −1 where it is cut. `stop` is the end of what is there or of the message, `most`
   * the bytes that it may have.
   */
  #varintEnd(bytes: Uint8Array, at: number, stop: number, end: number, most: number): number {
    for (let p = at; p < stop; p += 1) {
      if (bytes[p]! < 0x80) return p + 1;
      if (p === at + most - 1) this.fail('malformed', most === MOST_HEAD ? HEAD_TOO_LONG : 'varint longer than 10 bytes', at);
    }
    if (stop === end) this.#overrun(at);
    return -1;
  }

  /** Whether what lies in `at..next` is there; if not, says how much is needed. */
  #isWhole(at: number, next: number, to: number): boolean {
    if (next <= to) return true;
    this.needed = next - at;
    return false;
  }

  #overrun(at: number): never {
    return this.fail('malformed', 'a value extends past its message', at);
  }
}
