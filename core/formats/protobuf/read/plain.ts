import { memory, NOT_PLAIN, partialRecord, PlainReader, view } from '../../../reading/plain.ts';
import { Plans } from '../../../format/plans.ts';
import type { ShapeOf } from '../../../reading/shapes.ts';
import { decodeText } from '../../../bytes/text/text.ts';
import type { ProtobufOptions } from '../options.ts';
import { DEFAULTED, ENUM_NAME, INDEX, MAP, MESSAGES, NAMES, NULL_VALUE, PACKED, type Plan, planFor, RAW_STRING, SCALAR, SUBMESSAGE } from './plan.ts';
import {
  BOOL,
  BYTES,
  DOUBLE,
  ENUM,
  FIXED32,
  FIXED64,
  FLOAT,
  GROUP,
  I32,
  I64,
  INT32,
  INT64,
  LEN,
  SFIXED32,
  SFIXED64,
  SINT32,
  SINT64,
  STRING,
  type ProtobufSchema,
  UINT32,
  UINT64,
  VARINT,
  WIRE,
} from '../schema/schema.ts';

const TWO_32 = 0x1_0000_0000;

const readers = new Plans<ProtobufSchema, ProtobufOptions, PlainMessageReader | undefined>(
  [...NAMES, 'sequence', 'schemaless'],
  (schema, options) => {
    const plan = planFor(schema, options);
    return isPlain(plan) && !options.sequence && !options.schemaless ? new PlainMessageReader(plan) : undefined;
  },
);

/**
 * Reads a small message whose fields come in the order of their numbers, each once (or, for a list, consecutively).
 * Returns undefined if the order differs, or if anything is invalid or unusual.
 */
export function readPlain(schema: ProtobufSchema, options: ProtobufOptions, bytes: Uint8Array, shapeOf: ShapeOf, namesKeys: boolean): unknown {
  return readers.get(schema, options)?.read(bytes, shapeOf, namesKeys);
}

/** True if every message reachable from the root contains only types that this reader supports. */
function isPlain(plan: Plan): boolean {
  const { root, first, count, inOrder, keys, shape, type, ref, fields, int64, sendsDefaults } = plan;
  if (int64 !== 'auto' || !sendsDefaults) return false;
  const found = new Set([root]);
  for (const message of found) {
    if (inOrder[message] !== 1 || keys[message]!.includes('__proto__')) return false;
    for (let field = first[message]!; field < first[message]! + count[message]!; field += 1) {
      const value = fields[field]!.default;
      if (value !== undefined && (WIRE[fields[field]!.type] !== VARINT || value !== 0)) return false;
      if (shape[field] === MAP || type[field] === GROUP || type[field] === NULL_VALUE) return false;
      if (shape[field] === SUBMESSAGE || shape[field] === MESSAGES) found.add(ref[field]!);
    }
  }
  return true;
}

/** Reads messages whose fields come in the order of their numbers. */
class PlainMessageReader extends PlainReader {
  readonly #plan: Plan;

  constructor(plan: Plan) {
    super();
    this.#plan = plan;
  }

  protected override root(): unknown {
    return this.#message(this.#plan.root, this.end, 1);
  }

  /** Reads the fields up to `end`, the end of the message. */
  #message(message: number, end: number, depth: number): object {
    const plan = this.#plan;
    const table = plan.tables[message]!;
    const first = plan.first[message]!;
    const count = plan.count[message]!;
    this.count(count, depth);
    const values = new Array<unknown>(count);
    let due = 0;
    let isWhole = true;
    while (this.at < end) {
      const tag = this.#head();
      const entry = tag < table.length ? table[tag]! : plan.entry(message, tag);
      if (entry === 0) {
        this.#pass(tag, end);
        continue;
      }
      const index = entry >> INDEX;
      if (index < due) throw NOT_PLAIN;
      for (; due < index; due += 1) if (!this.#missing(values, due, first + due)) isWhole = false;
      due = index + 1;
      const field = first + index;
      switch (plan.quick[field]) {
        case STRING:
          values[index] = this.#string(end);
          break;
        case DOUBLE:
          values[index] = view.getFloat64(this.at, true);
          this.at += 8;
          break;
        case INT64:
        case UINT64:
          values[index] = this.#varint();
          break;
        default:
          values[index] = plan.shape[field] === SCALAR ? this.#scalar(field, end) : this.#part(field, tag, entry, end, depth);
      }
      if (this.at > end) throw NOT_PLAIN;
    }
    for (; due < count; due += 1) if (!this.#missing(values, due, first + due)) isWhole = false;
    const keys = plan.keys[message]!;
    return isWhole ? this.record(message, keys, values) : partialRecord(keys, values);
  }

  /** Stores the default of a missing field. Returns false if it has none. */
  #missing(values: unknown[], index: number, field: number): boolean {
    const { flags, shape, type, constants, enums, ref, keys } = this.#plan;
    if ((flags[field]! & DEFAULTED) === 0) {
      values[index] = undefined;
      return false;
    }
    if (shape[field] === SUBMESSAGE) values[index] = null;
    else if (shape[field] === MESSAGES) values[index] = this.listOf(keys[ref[field]!], []);
    else if (shape[field] !== SCALAR) values[index] = [];
    else if (type[field] === STRING || type[field] === RAW_STRING) values[index] = '';
    else if (type[field] === BOOL) values[index] = false;
    else if (type[field] === BYTES) values[index] = new Uint8Array(0);
    else if (type[field] === ENUM_NAME) values[index] = nameOf(constants, enums[ref[field]!]!, 0);
    else values[index] = 0;
    return true;
  }

  /** Reads a list or a message whose first tag has been read. */
  #part(field: number, tag: number, entry: number, end: number, depth: number): unknown {
    const { shape, ref } = this.#plan;
    if (shape[field] === SUBMESSAGE) return this.#message(ref[field]!, this.#end(end), depth + 1);
    const items: unknown[] = [];
    for (;;) {
      if (shape[field] === MESSAGES) {
        items.push(this.#message(ref[field]!, this.#end(end), depth + 2));
      } else if ((entry & PACKED) === 0) {
        items.push(this.#scalar(field, end));
      } else {
        const stop = this.#end(end);
        while (this.at < stop) items.push(this.#scalar(field, stop));
        if (this.at > stop) throw NOT_PLAIN;
      }
      const before = this.at;
      if (before >= end) break;
      if (this.#head() === tag) continue;
      this.at = before;
      break;
    }
    this.count(items.length, depth);
    return items;
  }

  #scalar(field: number, end: number): unknown {
    const { type, constants, enums, ref } = this.#plan;
    switch (type[field]) {
      case STRING:
      case RAW_STRING:
        return this.#string(end);
      case BYTES: {
        const stop = this.#end(end);
        const from = this.at;
        this.at = stop;
        return memory.slice(from, stop);
      }
      case DOUBLE:
        this.at += 8;
        return view.getFloat64(this.at - 8, true);
      case FLOAT:
        this.at += 4;
        return view.getFloat32(this.at - 4, true);
      case INT32:
      case ENUM:
        return this.#int32();
      case ENUM_NAME:
        return nameOf(constants, enums[ref[field]!]!, this.#int32());
      case UINT32:
        return this.#int32() >>> 0;
      case SINT32: {
        const value = this.#int32();
        return (value >>> 1) ^ -(value & 1);
      }
      case BOOL:
        return this.#varint() !== 0;
      case INT64:
      case UINT64:
        return this.#varint();
      case SINT64: {
        const value = this.#varint();
        return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
      }
      case FIXED32:
        this.at += 4;
        return view.getUint32(this.at - 4, true);
      case SFIXED32:
        this.at += 4;
        return view.getInt32(this.at - 4, true);
      case FIXED64:
      case SFIXED64: {
        const at = this.at;
        this.at += 8;
        const high = type[field] === SFIXED64 ? view.getInt32(at + 4, true) : view.getUint32(at + 4, true);
        const value = high * TWO_32 + view.getUint32(at, true);
        if (!Number.isSafeInteger(value)) throw NOT_PLAIN;
        return value;
      }
      default:
        throw NOT_PLAIN;
    }
  }

  /** Skips a field unknown to the schema. */
  #pass(tag: number, end: number): void {
    const wire = tag & 7;
    if (tag < 8 || tag >= TWO_32) throw NOT_PLAIN;
    if (wire === VARINT) this.#varint();
    else if (wire === LEN) this.at = this.#end(end);
    else if (wire === I64) this.at += 8;
    else if (wire === I32) this.at += 4;
    else throw NOT_PLAIN;
    if (this.at > end) throw NOT_PLAIN;
  }

  #string(end: number): string {
    const stop = this.#end(end);
    const from = this.at;
    this.at = stop;
    return decodeText(memory, view, from, stop, -1);
  }

  /** Reads a length. Returns the end of the payload. */
  #end(end: number): number {
    const length = this.#head();
    const stop = this.at + length;
    if (stop > end) throw NOT_PLAIN;
    return stop;
  }

  /** Reads a tag or length of at most five bytes. */
  #head(): number {
    const byte = memory[this.at]!;
    if (byte < 0x80) {
      this.at += 1;
      return byte;
    }
    const most = this.at + 5;
    const value = this.#varint();
    if (this.at > most) throw NOT_PLAIN;
    return value;
  }

  /** Reads a varint of at most seven bytes, so the number is exact. */
  #varint(): number {
    let at = this.at;
    let byte = memory[at++]!;
    if (byte < 0x80) {
      this.at = at;
      return byte;
    }
    let low = byte & 0x7f;
    for (let shift = 7; byte >= 0x80 && shift < 28; shift += 7) low |= ((byte = memory[at++]!) & 0x7f) << shift;
    let high = 0;
    for (let shift = 0; byte >= 0x80 && shift < 21; shift += 7) high |= ((byte = memory[at++]!) & 0x7f) << shift;
    if (byte >= 0x80) throw NOT_PLAIN;
    this.at = at;
    return high * 2 ** 28 + low;
  }

  /** Reads the low 32 bits of a varint of up to ten bytes. */
  #int32(): number {
    let at = this.at;
    let value = 0;
    let byte = 0x80;
    for (let shift = 0; byte >= 0x80; shift += 7) {
      if (shift === 70) throw NOT_PLAIN;
      byte = memory[at++]!;
      if (shift < 32) value |= (byte & 0x7f) << shift;
    }
    this.at = at;
    return value;
  }
}

/** Name of an enum's number, or the number if it has no name. */
function nameOf(constants: Plan['constants'], names: ReadonlyMap<number, number>, value: number): string | number {
  const constant = names.get(value);
  return constant === undefined ? value : constants.text(constant);
}
