import { memory, NOT_PLAIN, partialRecord, PlainReader, view } from '../../../reading/plain.ts';
import { Plans } from '../../../format/plans.ts';
import type { ShapeOf } from '../../../reading/shapes.ts';
import { decodeText } from '../../../bytes/text/text.ts';
import type { BebopOptions } from '../options.ts';
import { NAMES, type Plan, planFor } from './plan.ts';
import { millisecondsAt } from './scalars.ts';
import {
  ARRAY,
  type BebopSchema,
  BOOL,
  BYTE,
  BYTES,
  DATE,
  FLOAT32,
  FLOAT64,
  INT16,
  INT32,
  INT64,
  MESSAGE,
  STRING,
  STRUCT,
  UINT16,
  UINT32,
  UINT64,
} from '../schema/schema.ts';

const TWO_32 = 2 ** 32;

/** Kinds that the plain reader supports. */
const PLAIN = new Set([BOOL, BYTE, UINT16, INT16, UINT32, INT32, UINT64, INT64, FLOAT32, FLOAT64, STRING, DATE, ARRAY, STRUCT, MESSAGE, BYTES]);

const readers = new Plans<BebopSchema, BebopOptions, PlainRecordReader | undefined>([...NAMES, 'sequence'], (schema, options) => {
  const plan = planFor(schema, options);
  return isPlain(plan) && !options.sequence ? new PlainRecordReader(plan) : undefined;
});

/** The value of a small record; undefined if it is invalid or uncommon. */
export function readPlain(schema: BebopSchema, options: BebopOptions, bytes: Uint8Array, shapeOf: ShapeOf, namesKeys: boolean): unknown {
  return readers.get(schema, options)?.read(bytes, shapeOf, namesKeys);
}

/** True if the root contains only supported kinds, and nothing that takes no bytes. */
function isPlain({ root, kind, ref, empty, fieldTypes, keys, int64 }: Plan): boolean {
  if (int64 !== 'auto') return false;
  const found = new Set([root]);
  for (const type of found) {
    if (!PLAIN.has(kind[type]!) || empty[type] === 1) return false;
    if (kind[type] === ARRAY) found.add(ref[type]!);
    if (kind[type] !== STRUCT && kind[type] !== MESSAGE) continue;
    if (keys[ref[type]!]!.includes('__proto__')) return false;
    for (const field of fieldTypes[ref[type]!]!) found.add(field);
  }
  return true;
}

class PlainRecordReader extends PlainReader {
  readonly #plan: Plan;

  constructor(plan: Plan) {
    super();
    this.#plan = plan;
  }

  protected override root(): unknown {
    return this.#value(this.#plan.root, this.end, 0);
  }

  /** Reads a value, which ends before `end`. */
  #value(type: number, end: number, depth: number): unknown {
    const { kind, ref, size } = this.#plan;
    const at = this.at;
    this.at += size[type]!;
    if (this.at > end) throw NOT_PLAIN;
    switch (kind[type]) {
      case STRING: {
        const stop = this.#end(end);
        const from = this.at;
        this.at = stop;
        return decodeText(memory, view, from, stop, -1);
      }
      case FLOAT64:
        return view.getFloat64(at, true);
      case DATE:
        return new Date(millisecondsAt(view, at));
      case BOOL:
        return memory[at] !== 0;
      case BYTE:
        return memory[at];
      case UINT16:
        return view.getUint16(at, true);
      case INT16:
        return view.getInt16(at, true);
      case UINT32:
        return view.getUint32(at, true);
      case INT32:
        return view.getInt32(at, true);
      case UINT64:
      case INT64: {
        const high = kind[type] === INT64 ? view.getInt32(at + 4, true) : view.getUint32(at + 4, true);
        const value = high * TWO_32 + view.getUint32(at, true);
        if (!Number.isSafeInteger(value)) throw NOT_PLAIN;
        return value;
      }
      case FLOAT32:
        return view.getFloat32(at, true);
      case BYTES: {
        const stop = this.#end(end);
        const from = this.at;
        this.at = stop;
        return memory.slice(from, stop);
      }
      case ARRAY:
        return this.#array(ref[type]!, end, depth + 1);
      case STRUCT:
        return this.#struct(ref[type]!, end, depth + 1);
      case MESSAGE:
        return this.#message(ref[type]!, this.#end(end), depth + 1);
      default:
        throw NOT_PLAIN;
    }
  }

  /** Reads the fields of a struct in order. */
  #struct(record: number, end: number, depth: number): object {
    const { fieldTypes, kind } = this.#plan;
    const types = fieldTypes[record]!;
    const count = types.length;
    this.count(count, depth);
    const values = new Array<unknown>(count);
    for (let field = 0; field < count; field += 1) {
      const type = types[field]!;
      // The most common types, without a further call.
      switch (kind[type]) {
        case STRING: {
          const stop = this.#end(end);
          values[field] = decodeText(memory, view, this.at, stop, -1);
          this.at = stop;
          break;
        }
        case FLOAT64:
          values[field] = view.getFloat64(this.at, true);
          this.at += 8;
          break;
        default:
          values[field] = this.#value(type, end, depth);
      }
    }
    if (this.at > end) throw NOT_PLAIN;
    return this.record(record, this.#plan.keys[record]!, values);
  }

  /**
   * Reads the fields of a message: a number and a value each, then a zero. Nothing after an unknown number can be read.
   */
  #message(record: number, end: number, depth: number): object {
    const { fieldAt, fieldTypes, keys } = this.#plan;
    const names = keys[record]!;
    this.count(names.length, depth);
    const values = new Array<unknown>(names.length);
    for (;;) {
      if (this.at >= end) throw NOT_PLAIN;
      const index = memory[this.at++]!;
      if (index === 0) break;
      const field = fieldAt[record]![index]!;
      if (field < 0) this.at = end;
      if (field < 0) break;
      if (values[field] !== undefined) throw NOT_PLAIN;
      values[field] = this.#value(fieldTypes[record]![field]!, end, depth);
    }
    if (this.at !== end) throw NOT_PLAIN;
    return partialRecord(names, values);
  }

  #array(item: number, end: number, depth: number): unknown[] {
    const count = view.getUint32(this.at, true);
    this.at += 4;
    // An item takes at least one byte.
    if (count > end - this.at) throw NOT_PLAIN;
    this.count(count, depth);
    const items: unknown[] = [];
    for (let index = 0; index < count; index += 1) items.push(this.#value(item, end, depth));
    const { kind, ref, keys } = this.#plan;
    return kind[item] === STRUCT || kind[item] === MESSAGE ? this.listOf(keys[ref[item]!], items) : items;
  }

  /** Reads a length, and returns the end of its content. */
  #end(end: number): number {
    const length = view.getUint32(this.at, true);
    this.at += 4;
    if (length > end - this.at) throw NOT_PLAIN;
    return this.at + length;
  }
}
