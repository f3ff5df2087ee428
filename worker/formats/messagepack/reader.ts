import type { Limits } from '../../limits.ts';
import { Reader } from '../../reader.ts';
import type { Sink } from '../../sinks/sink.ts';
import { decodeUtf8 } from '../../text.ts';
import type { MessagePackOptions } from '../messagepack.ts';
import { BundledStrings } from './bundles.ts';
import { CUT, DEFINITION, EXTENSION, Extensions, OPEN, PREFIX, SET } from './extensions.ts';
import { KeyReader } from './keys.ts';
import { type Int64Mode, readInt64, roundFloat32 } from './numbers.ts';
import { Records, TWO_BYTES } from './records.ts';

/** What is open around the value being read. SET, TAGGED, EXTENSION and DEFINITION begin in extensions.ts. */
const ROOT = 1;
const ARRAY = 2;
const OBJECT = 3;
const RECORD = 4;
const MAP = 5;

const NONE = 0;
/** Words of the stack for each open container: kind, how many values it still has, how many it has in all. */
const FRAME = 3;

/** A stack that a reader has finished with, for the next: it costs as much as reading a small value. */
let spare: Int32Array | undefined;

/**
 * Reads MessagePack and msgpackr's extensions of it. A token is a value without its content (a container's head, a whole
 * scalar) or an extension that belongs to the value behind it.
 */
export class MessagePackReader extends Reader {
  readonly #maps: boolean;
  readonly #int64: Int64Mode;
  readonly #decimal: boolean;
  readonly #mostValues: number;
  readonly #sequence: boolean;
  readonly #bundle = new BundledStrings();
  readonly #records: Records;
  readonly #extensions: Extensions;
  readonly #keyReader: KeyReader;

  #stack: Int32Array;
  #depth = 0;
  #kind = ROOT;
  /** Values that the innermost container still has: entries of an object, keys and values of a Map. */
  #left = 1;
  #size = 1;
  /** The key or field of the next value has been sent. */
  #keyed = false;
  #started = false;
  #values = 1;
  /** Keys of the record structure that is being defined. */
  #keys: string[] = [];

  constructor(sink: Sink, options: MessagePackOptions, limits: Limits) {
    super(sink, limits);
    this.#maps = options.maps === 'map';
    this.#int64 = options.int64 ?? 'auto';
    this.#decimal = options.float32 === 'decimal';
    this.#sequence = options.sequence ?? false;
    this.#records = new Records(options.structures);
    this.#extensions = new Extensions(sink, limits, options, this.#bundle, this.#records);
    this.#keyReader = new KeyReader(this.#extensions, this.#bundle, this.#records, options, limits);
    // The stack counts in 32 bits.
    this.#mostValues = Math.min(limits.values, 2 ** 31 - 1);
    this.#stack = spare ?? new Int32Array(32 * FRAME);
    spare = undefined;
  }

  protected read(bytes: Uint8Array, view: DataView, from: number, to: number): number {
    const sink = this.sink;
    const longest = this.limits.stringLength;
    const recordIds = this.#records.bytes;
    const keys = this.#keyReader;
    const bundle = this.#bundle;
    const decimal = this.#decimal;
    let kind = this.#kind;
    let left = this.#left;
    let size = this.#size;
    let keyed = this.#keyed;
    let at = from;
    this.#extensions.window(bytes, view, to, this.base);
    if (!this.#started) this.#start(from);

    for (;;) {
      if (left === 0) {
        if (kind === ROOT) {
          if (at < to || bundle.active) at = this.#endRoot(at);
          if (!this.#sequence) {
            if (at < to) this.fail('trailing-bytes', 'there are bytes after the value', at);
            break;
          }
          if (at >= to) break;
          this.#countValues(1, at);
          left = 1;
          continue;
        }
        if (kind === DEFINITION) {
          kind = RECORD;
          left = size = this.#endDefinition(at);
          continue;
        }
        switch (kind) {
          case ARRAY:
            sink.endArray(at);
            break;
          case OBJECT:
            sink.endObject(at);
            break;
          case RECORD:
            sink.endRecord(at);
            break;
          default:
            this.#endOther(kind, at);
        }
        const frame = (this.#depth -= 1) * FRAME;
        kind = this.#stack[frame]!;
        left = this.#stack[frame + 1]!;
        size = this.#stack[frame + 2]!;
        continue;
      }
      if (at >= to) break;

      if (!keyed) {
        if (kind === OBJECT) {
          const token = bytes[at]!;
          const next = at + token - 0x9f;
          if (token >= 0xa0 && token < 0xc0 && next <= to && token - 0xa0 <= longest) {
            sink.key(at, at + 1, next);
            at = next;
          } else {
            const found = keys.read(bytes, view, at, to, this.base);
            if (found === CUT) {
              this.needed = keys.needed;
              break;
            }
            const start = at;
            at = keys.next;
            if (found === PREFIX) continue;
            if (keys.text === undefined) sink.key(start, keys.from, keys.end);
            else sink.keyText(keys.text, start, at);
          }
          keyed = true;
          if (at >= to) break;
        } else if (kind === RECORD) {
          sink.field(size - left, at, at);
          keyed = true;
        } else if (kind === DEFINITION) {
          const found = keys.read(bytes, view, at, to, this.base);
          if (found === CUT) {
            this.needed = keys.needed;
            break;
          }
          at = keys.next;
          if (found === PREFIX) continue;
          this.#keys.push(keys.text ?? decodeUtf8(bytes, keys.from, keys.end, this.base));
          left -= 1;
          continue;
        }
      }

      const token = bytes[at]!;
      let next = at + 1;
      let open = NONE;
      let count = 0;
      if (token < 0x80) {
        // 0xxxxxxx positive fixint, or the id of a record
        const record = token < 0x40 ? NONE : recordIds[token - 0x40]!;
        if (record === NONE) {
          sink.integer(token, at, next);
        } else {
          let number = record - 1;
          if (record === TWO_BYTES) {
            next = at + 2;
            if (next > to) break;
            number = this.#records.pair(token - 0x40, bytes[at + 1]!);
            if (number < 0) this.fail('malformed', `no record has the id ${token}, ${bytes[at + 1]!}`, at);
          }
          sink.beginRecord(this.#records.id(number, sink), at, next);
          open = RECORD;
          count = this.#records.size(number);
        }
      } else if (token < 0xa0) {
        // 1000xxxx fixmap, 1001xxxx fixarray
        count = token & 15;
        open = token < 0x90 ? OBJECT : ARRAY;
      } else if (token < 0xc0) {
        // 101xxxxx fixstr
        next += token - 0xa0;
        if (next > to) {
          this.needed = next - at;
          break;
        }
        if (token - 0xa0 > longest) this.exceed('stringLength', at);
        sink.string(at, at + 1, next);
      } else if (token >= 0xe0) {
        // 111xxxxx negative fixint
        sink.integer(token - 0x100, at, next);
      } else {
        switch (token) {
          case 0xc0: // nil
            sink.null(at, next);
            break;
          case 0xc2: // false
          case 0xc3: // true
            sink.boolean(token === 0xc3, at, next);
            break;
          case 0xcb: // float 64
            next += 8;
            if (next <= to) sink.float(view.getFloat64(at + 1), at, next);
            break;
          case 0xd9: // str 8
          case 0xda: // str 16
          case 0xdb: {
            // str 32: uint8, uint16 or uint32 length, UTF-8
            const start = next + (1 << (token - 0xd9));
            if (start > to) {
              next = start;
              break;
            }
            const length = token === 0xd9 ? bytes[next]! : token === 0xda ? view.getUint16(next) : view.getUint32(next);
            if (length > longest) this.exceed('stringLength', at);
            next = start + length;
            if (next <= to) sink.string(at, start, next);
            break;
          }
          case 0xcc: // uint 8
            next += 1;
            if (next <= to) sink.integer(bytes[at + 1]!, at, next);
            break;
          case 0xcd: // uint 16
            next += 2;
            if (next <= to) sink.integer(view.getUint16(at + 1), at, next);
            break;
          case 0xce: // uint 32
            next += 4;
            if (next <= to) sink.integer(view.getUint32(at + 1), at, next);
            break;
          case 0xd0: // int 8
            next += 1;
            if (next <= to) sink.integer(view.getInt8(at + 1), at, next);
            break;
          case 0xd1: // int 16
            next += 2;
            if (next <= to) sink.integer(view.getInt16(at + 1), at, next);
            break;
          case 0xd2: // int 32
            next += 4;
            if (next <= to) sink.integer(view.getInt32(at + 1), at, next);
            break;
          case 0xca: // float 32
            next += 4;
            if (next <= to) {
              const value = view.getFloat32(at + 1);
              sink.float(decimal ? roundFloat32(value, view.getUint16(at + 1)) : value, at, next);
            }
            break;
          case 0xcf: // uint 64
          case 0xd3: // int 64
            next += 8;
            if (next <= to) this.#sendInt64(readInt64(view, at + 1, token === 0xd3, this.#int64), at, next);
            break;
          case 0xdc: // array 16: uint16 count
            next += 2;
            open = ARRAY;
            if (next <= to) count = view.getUint16(at + 1);
            break;
          case 0xdd: // array 32: uint32 count
            next += 4;
            open = ARRAY;
            if (next <= to) count = view.getUint32(at + 1);
            break;
          case 0xde: // map 16: uint16 count
            next += 2;
            open = OBJECT;
            if (next <= to) count = view.getUint16(at + 1);
            break;
          case 0xdf: // map 32: uint32 count
            next += 4;
            open = OBJECT;
            if (next <= to) count = view.getUint32(at + 1);
            break;
          case 0xc4: // bin 8
          case 0xc5: // bin 16
          case 0xc6: {
            // bin 32: uint8, uint16 or uint32 length, bytes
            const start = next + (1 << (token - 0xc4));
            if (start > to) {
              next = start;
              break;
            }
            const length = token === 0xc4 ? bytes[next]! : token === 0xc5 ? view.getUint16(next) : view.getUint32(next);
            if (length > this.limits.binaryLength) this.exceed('binaryLength', at);
            next = start + length;
            if (next <= to) sink.binary(0, at, start, next);
            break;
          }
          case 0xc1: // never used: with msgpackr a bundled string
            next = bundle.read(bytes, view, at, to, this.base, longest);
            if (next <= to) {
              if (bundle.text === undefined) sink.string(at, bundle.from, bundle.end);
              else sink.text(bundle.text, at, next);
            }
            break;
          default: {
            // 0xc7 to 0xc9, 0xd4 to 0xd8: ext, fixext
            const extensions = this.#extensions;
            const found = extensions.read(at);
            next = found === CUT ? at + extensions.needed : extensions.next;
            if (found === OPEN) {
              open = extensions.kind;
              count = extensions.count;
              if (open === SET) sink.beginSet(count, at, next);
              else if (open === DEFINITION) this.#keys = [];
            } else if (found === PREFIX) {
              at = next;
              continue;
            }
          }
        }
        if (next > to) {
          this.needed = next - at;
          break;
        }
      }

      keyed = false;
      left -= 1;
      if (open === NONE) {
        at = next;
        continue;
      }
      // The containers of MessagePack itself begin here, those of extensions have begun.
      if (open === ARRAY) {
        this.#countValues(count, at);
        sink.beginArray(count, at, next);
      } else if (open === OBJECT) {
        this.#countValues(count * (this.#maps ? 2 : 1), at);
        if (this.#maps) {
          sink.beginMap(count, at, next);
          open = MAP;
          count *= 2;
        } else {
          sink.beginObject(count, at, next);
        }
      } else {
        this.#countValues(count, at);
      }
      this.#push(kind, left, size, at);
      kind = open;
      left = size = count;
      at = next;
    }

    this.#kind = kind;
    this.#left = left;
    this.#size = size;
    this.#keyed = keyed;
    if (bundle.active) bundle.shift(at - from);
    return at;
  }

  protected finish(): void {
    if (this.#depth > 0 || this.#left > 0) {
      if (this.received === 0 && !this.#sequence) this.fail('empty', 'there are no bytes', 0);
      if (this.received > 0) this.fail('truncated', 'the input ends inside a value', 0);
    }
    if (this.#sequence) this.sink.endArray(0);
    spare = this.#stack;
  }

  /** Opens a container around what was read until now. */
  #push(kind: number, left: number, size: number, at: number): void {
    const frame = this.#depth * FRAME;
    if (this.#depth >= this.limits.depth) this.exceed('depth', at);
    if (frame === this.#stack.length) {
      const grown = new Int32Array(frame * 2);
      grown.set(this.#stack);
      this.#stack = grown;
    }
    this.#stack[frame] = kind;
    this.#stack[frame + 1] = left;
    this.#stack[frame + 2] = size;
    this.#depth += 1;
  }

  /** A container declares `count` values: they are counted at once, before anything is made for them. */
  #countValues(count: number, at: number): void {
    this.#values += count;
    if (this.#values > this.#mostValues) this.exceed('values', at);
  }

  #start(at: number): void {
    this.#started = true;
    if (this.#sequence) this.sink.beginArray(-1, at, at);
  }

  /** Behind a whole value at the root come the strings that were bundled. */
  #endRoot(at: number): number {
    this.#extensions.forgetAnchors();
    return this.#bundle.active ? this.#bundle.finish(at, this.base) : at;
  }

  /** The keys are whole: the values of a record follow. Returns how many. */
  #endDefinition(at: number): number {
    const keys = this.#keys;
    if (new Set(keys).size < keys.length) this.fail('malformed', 'a record that has a key twice', at);
    const { first, second } = this.#extensions;
    const number = this.#records.define(first, second, keys);
    this.sink.beginRecord(this.#records.id(number, this.sink), at, at);
    return keys.length;
  }

  #endOther(kind: number, at: number): void {
    const sink = this.sink;
    if (kind === MAP) {
      sink.endMap(at);
    } else if (kind === SET) {
      sink.endSet(at);
    } else {
      if (kind === EXTENSION) sink.endArray(at);
      sink.endTagged(at);
      this.#extensions.closeTagged();
    }
  }

  #sendInt64(value: number | bigint | string, start: number, end: number): void {
    if (typeof value === 'bigint') this.sink.bigint(value, start, end);
    else if (typeof value === 'string') this.sink.text(value, start, end);
    else if (Number.isSafeInteger(value)) this.sink.integer(value, start, end);
    else this.sink.float(value, start, end);
  }
}
