import { LimitError } from '../../errors.ts';
import { Budget } from '../../budget.ts';
import { type Limits, MAX_TOKEN_LENGTH } from '../../limits.ts';
import { Reader } from '../../reading/reader.ts';
import { MIN_ROWS, readRows } from '../../reading/rows/request.ts';
import type { RowRequest } from '../../reading/sink-methods.ts';
import type { RecordId, Sink } from '../../reading/sink.ts';
import { FreeList } from '../../bytes/free-list.ts';
import { toHex } from '../bson/read/text.ts';
import type { JsBinaryOptions } from './options.ts';
import { rowsOf } from './read/rows.ts';
import { JsonReader } from '../json/reader.ts';
import { BUFFER, INT, type JsBinarySchema, JSON_TEXT, OBJECT, REGEX, STRING } from './schema.ts';

const HIGH = 2 ** 32;
/** Bytes of a value by its kind; 0 if it begins with a uint. */
const SIZES = [0, 0, 0, 8, 1, 12, 0, 0, 0, 0, 0, 0];

/** Values of the budget that an object without bytes counts for: it takes far more memory than a null. */
const EMPTY_COST = 2;

/** Kinds of containers: the root, an array, an object. */
const IN_ROOT = 0;
const IN_ARRAY = 1;
const IN_OBJECT = 2;
/** Words for each container outside the innermost. */
const FRAME = 4;
const stacks = new FreeList(() => new Float64Array(16 * FRAME));

/**
 * Reads js-binary with the tables of a type. All numbers are big-endian.
 *
 *     uint, int   0xxxxxxx, 10xxxxxx and 1 byte, 110xxxxx and 3, 111xxxxx and 7; an int is two's complement
 *     date        uint milliseconds
 *     float       a double
 *     boolean     0x00 or 0x01
 *     oid         12 bytes
 *     string, Buffer, json     uint length, bytes
 *     regex       string, flags 00000mig
 *     array       uint length, items
 *     object      fields; before an optional one a boolean
 *
 * A token is a scalar or the head of an array, with the boolean before it.
 */
export class JsBinaryReader extends Reader {
  readonly #schema: JsBinarySchema;
  readonly #exact: boolean;
  readonly #sequence: boolean;
  readonly #budget: Budget;
  readonly #records: (RecordId | undefined)[] = [];
  /** Requests for rows by the type of the objects; null if they cannot be rows. */
  readonly #rows: (RowRequest | null | undefined)[] = [];
  readonly #longestString: number;
  readonly #longestBinary: number;
  /** How many more values the limit allows. */
  #left: number;
  #started = false;

  // The innermost container: its kind, its type, its next field or number of remaining items, and its last field.
  #kind = IN_ROOT;
  #type = 0;
  #next: number;
  #last = 0;
  #depth = 0;
  #frames = stacks.take();

  constructor(sink: Sink, options: JsBinaryOptions, limits: Limits, schema: JsBinarySchema) {
    super(sink, limits);
    this.#schema = schema;
    this.#exact = options.int64 !== 'number';
    this.#sequence = options.sequence ?? false;
    this.#next = this.#sequence ? 0 : 1;
    this.#budget = new Budget(limits);
    this.#longestString = Math.min(limits.stringLength, MAX_TOKEN_LENGTH);
    this.#longestBinary = Math.min(limits.binaryLength, MAX_TOKEN_LENGTH);
    this.#left = limits.values;
  }

  protected read(bytes: Uint8Array, view: DataView, from: number, limit: number): number {
    // `| 0` tells the compiler that values read from an object are 32-bit integers.
    const to = limit | 0;
    const { sink } = this;
    const { kinds, first, fieldTypes, optional } = this.#schema;
    this.#budget.receive(this.received);
    let at = from | 0;
    if (!this.#started) this.#start(at);
    let place = this.#kind | 0;
    let next = this.#next;

    for (;;) {
      // The type of the next value.
      let type = 0;
      let begin = at;
      if (place === IN_OBJECT) {
        if (next === this.#last) {
          sink.endRecord(at);
          this.#pop();
          place = this.#kind;
          next = this.#next;
          continue;
        }
        type = fieldTypes[next]!;
        if (optional[next] === 1) {
          if (at >= to) break;
          const present = bytes[at]!;
          if (present > 1) this.fail('malformed', 'boolean that is neither 0 nor 1', at);
          begin = at + 1;
          if (present === 0) {
            this.#count(at);
            sink.field(next - first[this.#type]!, at, at);
            sink.undefined(at, begin);
            next += 1;
            at = begin;
            continue;
          }
        }
      } else {
        if (next === 0) {
          if (place === IN_ROOT) {
            if (at >= to) break;
            if (!this.#sequence) this.fail('trailing-bytes', 'unexpected bytes after the value', at);
            if (this.#schema.empty[0]! > 0) this.fail('trailing-bytes', 'the values of a sequence have no bytes', at);
            next = 1;
          } else {
            sink.endArray(at);
            this.#pop();
            place = this.#kind;
            next = this.#next;
          }
          continue;
        }
        if (place === IN_ARRAY) {
          type = first[this.#type]!;
          const rows = next >= MIN_ROWS && kinds[type] === OBJECT ? this.#rowsOf(type) : null;
          if (rows !== null) {
            at = begin = this.#readRows(rows, type, bytes, at, to, next) | 0;
            next = rows.items;
            if (next === 0) continue;
          }
        } else if (this.#sequence && at >= to) break;
      }

      // The end of the value.
      const kind = kinds[type]!;
      let payload = begin;
      let end = begin;
      let value = 0;
      let wide = false;
      if (kind !== OBJECT) {
        const size = SIZES[kind]!;
        end = begin + size;
        if (size === 0) {
          if (begin >= to) {
            this.needed = begin + 1 - at;
            break;
          }
          value = bytes[begin]!;
          end = begin + (value < 0x80 ? 1 : value < 0xc0 ? 2 : value < 0xe0 ? 4 : 8);
          if (end <= to && value >= 0x80) {
            if (value < 0xc0) {
              value = view.getUint16(begin) & 0x3fff;
            } else {
              wide = value >= 0xe0;
              value = view.getUint32(begin) & 0x1fffffff;
            }
          }
          if (kind >= STRING && kind <= REGEX && end <= to) {
            payload = end;
            const length = wide ? value * HIGH + view.getUint32(begin + 4) : value;
            if (length > (kind === BUFFER ? this.#longestBinary : this.#longestString)) this.#tooLong(kind, length, begin);
            end = payload + length + (kind === REGEX ? 1 : 0);
          }
        }
        if (end > to) {
          this.needed = end - at;
          break;
        }
      }

      this.#count(begin);
      if (place === IN_OBJECT) {
        sink.field(next - first[this.#type]!, at, begin);
        next += 1;
      } else {
        next -= 1;
      }
      switch (kind) {
        case 6: // string
          sink.string(begin, payload, end);
          break;
        case 3: // float
          sink.float(view.getFloat64(begin), begin, end);
          break;
        case 0: // uint
        case 1: // int
          if (wide) this.#wide(view, kind, begin, end);
          else sink.integer(kind === INT ? signed(value, end - begin) : value, begin, end);
          break;
        case 2: // date
          if (wide) value = value * HIGH + view.getUint32(begin + 4);
          sink.date(value <= 8.64e15 ? value : NaN, begin, end);
          break;
        case 4: // boolean
          if (bytes[begin]! > 1) this.fail('malformed', 'boolean that is neither 0 nor 1', begin);
          sink.boolean(bytes[begin] === 1, begin, end);
          break;
        case 10: // array
          if (wide) value = value * HIGH + view.getUint32(begin + 4);
          if (value > this.#left) this.exceed('values', begin);
          if (this.#schema.empty[first[type]!]! > 0) {
            this.#budget.spendEmpty(value * this.#schema.empty[first[type]!]! * EMPTY_COST, this.base + begin);
          }
          this.#next = next;
          this.#push(IN_ARRAY, type, value, begin);
          sink.beginArray(value, begin, end);
          if (value === 0) this.#nameItems(first[type]!);
          place = IN_ARRAY;
          next = value;
          break;
        case 11: // object
          if (this.#schema.empty[type]! > 0 && (place === IN_ROOT || (place === IN_OBJECT && this.#schema.empty[this.#type] === 0))) {
            this.#budget.spendEmpty(this.#schema.empty[type]! * EMPTY_COST, this.base + begin);
          }
          this.#next = next;
          this.#push(IN_OBJECT, type, first[type]!, begin);
          sink.beginRecord(this.#record(type), begin, begin);
          place = IN_OBJECT;
          next = this.#next;
          break;
        case 5: // oid
          sink.text(toHex(bytes, begin, 12), begin, end);
          break;
        case 7: // Buffer
          sink.binary(0, begin, payload, end);
          break;
        default:
          if (kind === JSON_TEXT) this.#json(bytes, view, payload, end);
          else this.#regex(bytes, begin, payload, end);
      }
      at = end;
    }
    this.#kind = place;
    this.#next = next;
    return at;
  }

  protected finish(): void {
    const pending = this.#depth > 0 || (this.#next > 0 && !this.#sequence);
    if (pending) this.fail('truncated', 'the input ends inside a value', 0);
    if (this.#sequence) {
      this.#nameItems(0);
      this.sink.endArray(0);
    }
    stacks.give(this.#frames);
  }

  /** Sends an integer of 8 bytes, which its first three bits indicate. */
  #wide(view: DataView, kind: number, begin: number, end: number): void {
    const { sink } = this;
    const high = view.getUint32(begin) & 0x1fffffff;
    const value = (kind === INT ? signed(high, 4) : high) * HIGH + view.getUint32(begin + 4);
    if (Number.isSafeInteger(value)) {
      sink.integer(value, begin, end);
    } else if (this.#exact) {
      const bits = BigInt.asUintN(61, view.getBigUint64(begin));
      const exact = kind === INT ? BigInt.asIntN(61, bits) : bits;
      sink.bigint(exact, begin, end);
    } else {
      sink.float(value, begin, end);
    }
  }

  #json(bytes: Uint8Array, view: DataView, from: number, end: number): void {
    const { sink } = this;
    // The text becomes a window of its own, so ranges of this window must be copied first.
    sink.flush?.();
    const limits = { ...this.limits, depth: this.limits.depth - this.#depth, values: this.#left };
    const reader = new EmbeddedJson(sink, limits, this.base + from);
    reader.push(bytes.subarray(from, end));
    reader.end();
    sink.window(bytes, view, this.base);
  }

  #regex(bytes: Uint8Array, begin: number, from: number, end: number): void {
    const { sink } = this;
    const flags = bytes[end - 1]!;
    sink.beginTagged('RegExp', begin, from);
    sink.beginArray(2, from, from);
    sink.string(begin, from, end - 1);
    sink.text(`${flags & 1 ? 'g' : ''}${flags & 2 ? 'i' : ''}${flags & 4 ? 'm' : ''}`, end - 1, end);
    sink.endArray(end);
    sink.endTagged(end);
  }

  /** Request for rows of a type; null if the sink does not read them. */
  #rowsOf(type: number): RowRequest | null {
    if (this.sink.readRows === undefined || this.#depth >= this.limits.depth) return null;
    return (this.#rows[type] ??= rowsOf(this.#schema, type, this.#longestString));
  }

  /**
   * Lets the sink read up to `items` objects; sets `request.items` to those left over. Returns the position after the
   * last one read.
   */
  #readRows(request: RowRequest, type: number, bytes: Uint8Array, at: number, to: number, items: number): number {
    request.record = this.#record(type);
    const next = readRows(this.sink, request, bytes, at, to, this.#left, items);
    this.#left = request.values;
    return next;
  }

  /** Tells the sink the record of the open array's items, given their type. */
  #nameItems(type: number): void {
    if (this.#schema.kinds[type] === OBJECT) this.sink.itemRecord?.(this.#record(type));
  }

  #record(type: number): RecordId {
    return (this.#records[type] ??= this.sink.defineRecord(this.#schema.keys[type]!));
  }

  #push(kind: number, type: number, next: number, at: number): void {
    if (this.#depth >= this.limits.depth) this.exceed('depth', at);
    const frame = this.#depth * FRAME;
    if (frame === this.#frames.length) {
      const grown = new Float64Array(frame * 2);
      grown.set(this.#frames);
      this.#frames = grown;
    }
    this.#frames[frame] = this.#kind;
    this.#frames[frame + 1] = this.#type;
    this.#frames[frame + 2] = this.#next;
    this.#frames[frame + 3] = this.#last;
    this.#depth += 1;
    this.#kind = kind;
    this.#type = type;
    this.#next = next;
    this.#last = this.#schema.last[type]!;
  }

  #pop(): void {
    this.#depth -= 1;
    const frame = this.#depth * FRAME;
    this.#kind = this.#frames[frame]!;
    this.#type = this.#frames[frame + 1]!;
    this.#next = this.#frames[frame + 2]!;
    this.#last = this.#frames[frame + 3]!;
  }

  #count(at: number): void {
    this.#left -= 1;
    if (this.#left < 0) this.exceed('values', at);
  }

  #start(at: number): void {
    this.#started = true;
    if (this.#sequence) this.sink.beginArray(-1, at, at);
  }

  #tooLong(kind: number, length: number, at: number): never {
    throw new LimitError(
      kind === BUFFER ? 'binaryLength' : 'stringLength',
      `${kind === BUFFER ? 'binaryLength' : 'stringLength'} limit exceeded: a value of ${length} bytes`,
      {
        offset: this.base + at,
      },
    );
  }
}

/** Converts a number of 1, 2 or 4 bytes from two's complement. */
function signed(value: number, size: number): number {
  const sign = size === 1 ? 0x40 : size === 2 ? 0x2000 : 0x1000_0000;
  return (value ^ sign) - sign;
}

/** Reads a JSON text inside another payload, at the offset `base`. */
export class EmbeddedJson extends JsonReader {
  constructor(sink: Sink, limits: Limits, base: number) {
    super(sink, {}, limits);
    this.base = base;
  }
}
