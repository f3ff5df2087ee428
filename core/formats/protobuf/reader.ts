import type { Limits } from '../../limits.ts';
import { Reader } from '../../reading/reader.ts';
import type { Sink } from '../../reading/sink.ts';
import type { ProtobufOptions } from './options.ts';
import { canStream, Level, Levels } from './read/level.ts';
import { INDEX, LIST, MESSAGES, PACKED, PLAIN, type Plan, planFor, RAW_STRING, SUBMESSAGE } from './read/plan.ts';
import { BYTES, EGROUP, I32, I64, LEN, type ProtobufSchema, SGROUP, STRING, VARINT } from './schema/schema.ts';
import { RowReading } from './rows/rows.ts';
import { Walker } from './read/walker.ts';

/**
 * A message with more bytes is read as it arrives; once this many bytes of such a message are kept, its largest list
 * is sent as it arrives. The declared size decides, not the size of the chunks, so chunking makes no difference.
 */
const LARGE = 64 * 1024;

/** Most bytes of a tag or length, and of a value. */
const MAX_HEAD = 5;
const MAX_VARINT = 10;
const HEAD_TOO_LONG = 'a tag or a length has more than 5 bytes';

/**
 * State of the reader, which says what the next bytes are: a tag, bytes to keep or skip, fields of a group to keep or
 * skip, or numbers to send.
 */
const TAG = 0;
const KEEP = 1;
const SKIP = 2;
const GROUP_FIELDS = 3;
const NUMBERS = 4;

/**
 * Reads one message or a sequence of messages. A sink receives each field once, but a message's fields may come in
 * any order, in pieces and repeatedly, so a field's value is known only at the end of the message. Small messages are
 * read once they are complete. Of a large message (and of the root, whose size is not declared), the list that makes
 * up most of it is sent as it arrives and other fields are kept until the end. That list may be in a nested message;
 * each message on the way to it is a level.
 */
export class ProtobufReader extends Reader {
  readonly #plan: Plan;
  readonly #walker: Walker;
  readonly #sequence: boolean;
  readonly #levels: Levels;
  /** Set if the sink can read rows. */
  readonly #rows: RowReading | undefined;
  #state = TAG;
  /** Bytes still to be kept, skipped or read as numbers. */
  #left = 0;
  /** Field numbers of the groups being kept or skipped. */
  readonly #groups: number[] = [];
  #keeps = false;
  #started = false;
  /** Messages of a sequence to read before asking the sink for rows again. */
  #pause = 0;
  /** True if the root was read in a single pass. */
  #inOnePass = false;
  readonly #large: number;

  constructor(sink: Sink, options: ProtobufOptions, limits: Limits, schema: ProtobufSchema | undefined, large = LARGE) {
    super(sink, limits);
    this.#large = large;
    this.#plan = planFor(schema, options);
    this.#walker = new Walker(this.#plan, sink, limits);
    this.#levels = new Levels(this.#plan, this.#walker, sink, large);
    this.#sequence = options.sequence ?? false;
    if (sink.readRows !== undefined) this.#rows = new RowReading(this.#plan, sink, limits, this.#walker);
  }

  protected read(bytes: Uint8Array, view: DataView, from: number, to: number, last: boolean): number {
    const walker = this.#walker;
    walker.input.useWindow(bytes, view, this.base);
    walker.budget.receive(this.base + to);
    if (!this.#started) {
      // Most messages are small and complete, so nothing has to be kept.
      if (last && !this.#sequence && to - from <= this.#large && walker.rootInOnePass(from, to)) {
        this.#started = true;
        this.#inOnePass = true;
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
    if (this.#inOnePass) {
      this.#walker.release();
      return;
    }
    if (!this.#started) this.#start(0, 0);
    if (this.#state !== TAG || this.#levels.depth !== (this.#sequence ? 0 : 1)) {
      this.fail('truncated', 'the input ends inside a message', 0);
    }
    if (this.#sequence) this.#walker.endSequence();
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

  /**
   * Reads a message of a sequence, which is preceded by its length as a varint. Returns the position after it, −1 if
   * it is incomplete.
   */
  #sequenceMessage(bytes: Uint8Array, at: number, to: number): number {
    const from = this.#varintEnd(bytes, at, to, Infinity, MAX_HEAD);
    if (from < 0) return -1;
    const length = this.#walker.input.varint(at, from);
    if (length > this.#large) {
      const offset = this.base + from;
      this.#levels.enter(new Level(this.#plan.root, offset, offset + length, true, this.#large));
      return from;
    }
    if (!this.#isAvailable(at, from + length, to)) return -1;
    if (this.#rows !== undefined && (this.#pause -= 1) <= 0) {
      const next = this.#rows.read(this.#plan.root, 0, bytes, at, to);
      this.#pause = this.#rows.pause;
      if (next > at) return next;
    }
    this.#walker.message(this.#plan.root, at, from, from + length);
    return from + length;
  }

  /** Reads a field of a level that ends at `end`. Returns the position after the part that was read, −1 if it is incomplete. */
  #field(level: Level, bytes: Uint8Array, at: number, to: number, end: number): number {
    const plan = this.#plan;
    const walker = this.#walker;
    const stop = Math.min(end, to);
    const value = this.#varintEnd(bytes, at, stop, end, MAX_HEAD);
    if (value < 0) return -1;
    const tag = value === at + 1 ? bytes[at]! : walker.input.varint(at, value);
    if (tag < 8) this.fail('malformed', 'invalid field number 0', at);
    if (tag > 0xffffffff) this.fail('malformed', 'a tag has more than 32 bits', at);
    const entry = plan.entry(level.type, tag);
    let next = value;
    switch (tag & 7) {
      case LEN:
        return this.#lengthField(level, entry, bytes, at, value, to, end);
      case VARINT:
        next = this.#varintEnd(bytes, value, stop, end, MAX_VARINT);
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
    if (!this.#isAvailable(at, next, to)) return -1;
    if (entry > 0 && level.streamed === entry >> INDEX) walker.occurrence(plan.first[level.type]! + level.streamed, at, next);
    else if (entry > 0 || plan.keepUnknown) this.#keep(level, bytes, at, next);
    return next;
  }

  /** Reads a length-delimited field whose length is at `value`. */
  #lengthField(level: Level, entry: number, bytes: Uint8Array, at: number, value: number, to: number, end: number): number {
    const plan = this.#plan;
    const walker = this.#walker;
    const from = this.#varintEnd(bytes, value, Math.min(end, to), end, MAX_HEAD);
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
      // An empty packed list counts as absent.
      if (length === 0 && (entry & PACKED) !== 0) return next;
      if (level.streamed < 0 && length > this.#large && canStream(plan, level.type, entry)) this.#levels.startStreaming(level, entry, at, this.base);
      if (level.streamed === index) {
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
        if (!this.#isAvailable(at, next, to)) return -1;
        // A field number up to 15 has a one-byte tag.
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

  /** Keeps, skips or sends the available part of the remaining bytes. */
  #bulk(bytes: Uint8Array, at: number, to: number): number {
    const level = this.#levels.current!;
    let next = Math.min(to, at + this.#left);
    if (this.#state === KEEP) {
      level.kept.append(bytes, at, next, this.base);
    } else if (this.#state === NUMBERS) {
      const field = this.#plan.first[level.type]! + level.streamed;
      const size = this.#plan.sizes[field]!;
      if (size > 0) {
        next -= (next - at) % size;
      } else {
        const all = next;
        while (next > at && bytes[next - 1]! >= 0x80) next -= 1;
        // Fails if no number ends within the available bytes, unless more may come.
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

  /**
   * Reads one field of a group that is kept or skipped, or the group's end. Returns the position after it, or `at` if
   * it is incomplete.
   */
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
    const value = this.#varintEnd(bytes, at, stop, end, MAX_HEAD);
    if (value < 0) return at;
    const tag = this.#walker.input.varint(at, value);
    if (tag < 8) this.fail('malformed', 'invalid field number 0', at);
    if (tag > 0xffffffff) this.fail('malformed', 'a tag has more than 32 bits', at);
    let next = value;
    switch (tag & 7) {
      case VARINT:
        next = this.#varintEnd(bytes, value, stop, end, MAX_VARINT);
        if (next < 0) return at;
        break;
      case I64:
        next += 8;
        break;
      case I32:
        next += 4;
        break;
      case LEN:
        next = this.#varintEnd(bytes, value, stop, end, MAX_HEAD);
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
    if (!this.#isAvailable(at, next, to)) return at;
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
   * Position after the varint at `at`, −1 if it is incomplete. `stop` is the end of the available bytes or of the
   * message, `most` the bytes it may have.
   */
  #varintEnd(bytes: Uint8Array, at: number, stop: number, end: number, most: number): number {
    for (let p = at; p < stop; p += 1) {
      if (bytes[p]! < 0x80) return p + 1;
      if (p === at + most - 1) this.fail('malformed', most === MAX_HEAD ? HEAD_TOO_LONG : 'a varint has more than 10 bytes', at);
    }
    if (stop === end) this.#overrun(at);
    return -1;
  }

  /** True if `at..next` is available; otherwise requests the bytes that are missing. */
  #isAvailable(at: number, next: number, to: number): boolean {
    if (next <= to) return true;
    this.needed = next - at;
    return false;
  }

  #overrun(at: number): never {
    return this.fail('malformed', 'a value extends past its message', at);
  }
}
