import { memory, NOT_PLAIN, PlainReader, view } from '../../../reading/plain.ts';
import { decodeText } from '../../../bytes/text/text.ts';
import {
  ARRAY,
  AS_DATE,
  AS_INSTANT,
  BLOCK,
  BOOLEAN,
  BYTES,
  DOUBLE,
  END_ITEM,
  END_RECORD,
  ENUM,
  FIRST_OF_RECORDS,
  FIXED,
  FLOAT,
  INT,
  ITEM,
  ITEM_RECORD,
  KEY,
  LONG,
  MAP,
  NEXT,
  NULL,
  type Plan,
  RECORD,
  ROOT,
  SKIP_REST,
  STRING,
  UNION,
  WORDS,
} from './plan.ts';
import { MICROS, MILLIS } from '../schema/schema.ts';

const DAY = 86_400_000;

/** Supported instructions. Each produces a value, so records always have all their fields. */
const PLAIN = new Set([
  NULL,
  BOOLEAN,
  INT,
  LONG,
  FLOAT,
  DOUBLE,
  STRING,
  BYTES,
  FIXED,
  ENUM,
  UNION,
  RECORD,
  END_RECORD,
  ARRAY,
  MAP,
  BLOCK,
  NEXT,
  KEY,
  ROOT,
  AS_INSTANT,
  AS_DATE,
  ITEM,
  END_ITEM,
  SKIP_REST,
]);

/** A plain reader for small data of a plan; undefined if the plan has other instructions, or items that take no bytes. */
export function plainReaderOf(plan: Plan): PlainDatumReader | undefined {
  const { code, keys } = plan;
  for (let at = 0; at < code.length; at += WORDS) {
    const operation = code[at]!;
    if (!PLAIN.has(operation) || (operation === BLOCK && code[at + 3] === 1)) return undefined;
    if (operation === AS_INSTANT && code[at + 2] !== MILLIS && code[at + 2] !== MICROS) return undefined;
  }
  return keys.some((list) => list.includes('__proto__')) ? undefined : new PlainDatumReader(plan);
}

/** Executes the instructions of a plan. */
class PlainDatumReader extends PlainReader {
  readonly #plan: Plan;

  constructor(plan: Plan) {
    super();
    this.#plan = plan;
  }

  protected override root(): unknown {
    return this.#value(this.#plan.start + WORDS, 0);
  }

  /** Reads the value of one instruction. */
  #value(now: number, depth: number): unknown {
    const { code, list, bodies, constants } = this.#plan;
    const a = code[now + 2]!;
    switch (code[now]) {
      case NULL:
        return null;
      case BOOLEAN: {
        const byte = memory[this.at++]!;
        if (byte > 1) throw NOT_PLAIN;
        return byte === 1;
      }
      case INT:
        return this.#int();
      case LONG:
        return this.#long();
      case FLOAT:
        this.at += 4;
        return view.getFloat32(this.at - 4, true);
      case DOUBLE:
        this.at += 8;
        return view.getFloat64(this.at - 8, true);
      case STRING:
        return this.#string();
      case BYTES:
        return this.#binary(this.#long());
      case FIXED:
        return this.#binary(a);
      case AS_INSTANT:
        return this.#instant(a);
      case AS_DATE:
        return new Date(this.#int() * DAY);
      case ENUM:
        return constants.text(list[a + this.#index(code[now + 3]!)]!);
      case UNION:
        return this.#value(list[a + this.#index(code[now + 3]!)]!, depth);
      case RECORD:
        return this.#record(a, bodies[a]!, depth + 1);
      case ARRAY:
        return this.#array(bodies[a]!, depth + 1);
      case MAP:
        return this.#map(bodies[a]!, depth + 1);
      default:
        throw NOT_PLAIN;
    }
  }

  /** Reads a record whose first field is read by the instruction at `pc`. */
  #record(record: number, pc: number, depth: number): unknown {
    const { code, list, keys, constants } = this.#plan;
    const names = keys[record]!;
    const count = names.length;
    this.count(count, depth);
    const values = new Array<unknown>(count);
    for (let field = pc; code[field + 1]! >= 0; field += WORDS) {
      const place = code[field + 1]!;
      let now = field;
      if (code[now] === UNION) now = list[code[now + 2]! + this.#index(code[now + 3]!)]!;
      // The most frequent instructions are executed inline.
      switch (code[now]) {
        case STRING:
          values[place] = this.#string();
          break;
        case DOUBLE:
          values[place] = view.getFloat64(this.at, true);
          this.at += 8;
          break;
        case INT:
          values[place] = this.#int();
          break;
        case LONG:
          values[place] = this.#long();
          break;
        case AS_INSTANT:
          values[place] = this.#instant(code[now + 2]!);
          break;
        case ENUM:
          values[place] = constants.text(list[code[now + 2]! + this.#index(code[now + 3]!)]!);
          break;
        default:
          values[place] = this.#value(now, depth);
      }
    }
    if (this.at > this.end) throw NOT_PLAIN;
    return this.record(record, names, values);
  }

  /** Reads the blocks of an array; `block` is the instruction for the first block. */
  #array(block: number, depth: number): unknown[] {
    const { code, keys } = this.#plan;
    const items: unknown[] = [];
    const kind = code[block + 2]!;
    const areRecords = (kind & FIRST_OF_RECORDS) !== 0;
    // For records, the instruction for the first block is followed by that for later blocks, then the ITEM.
    const item = block + (areRecords ? 2 : 1) * WORDS;
    for (let count = this.#block(depth); count > 0; count = this.#block(depth)) {
      for (let index = 0; index < count; index += 1) {
        items.push(areRecords ? this.#record(code[item + 2]!, item + WORDS, depth + 1) : this.#value(item, depth));
      }
    }
    return this.listOf(keys[(kind >>> ITEM_RECORD) - 1], items);
  }

  #map(block: number, depth: number): object {
    const map: Record<string, unknown> = {};
    for (let count = this.#block(depth); count > 0; count = this.#block(depth)) {
      for (let index = 0; index < count; index += 1) {
        const key = this.#string();
        if (key === '__proto__') throw NOT_PLAIN;
        map[key] = this.#value(block + 2 * WORDS, depth);
      }
    }
    return map;
  }

  /** Reads the head of a block. Returns the number of items. */
  #block(depth: number): number {
    let count = this.#long();
    if (count < 0) {
      count = -count;
      if (this.#long() < 0) throw NOT_PLAIN;
    }
    // Each item takes at least one byte.
    if (count > this.end - this.at) throw NOT_PLAIN;
    this.count(count, depth);
    return count;
  }

  /** Reads the index of one of `count` symbols or branches. */
  #index(count: number): number {
    const index = this.#long();
    if (index < 0 || index >= count) throw NOT_PLAIN;
    return index;
  }

  #int(): number {
    const value = this.#long();
    if (value !== (value | 0)) throw NOT_PLAIN;
    return value;
  }

  /** Seven bits per byte, lowest first, zig-zag coded: see `readLong`. */
  #long(): number {
    let at = this.at;
    let byte = memory[at++]!;
    if (byte < 0x80) {
      this.at = at;
      return (byte >>> 1) ^ -(byte & 1);
    }
    let low = byte & 0x7f;
    for (let shift = 7; byte >= 0x80 && shift < 28; shift += 7) low |= ((byte = memory[at++]!) & 0x7f) << shift;
    let middle = 0;
    if (byte >= 0x80) {
      for (let shift = 0; shift < 28; shift += 7) {
        middle |= ((byte = memory[at++]!) & 0x7f) << shift;
        if (byte < 0x80) break;
      }
      if (byte >= 0x80) throw NOT_PLAIN;
    }
    if (at > this.end) throw NOT_PLAIN;
    this.at = at;
    const half = (low >>> 1) + middle * 2 ** 27;
    if (half >= Number.MAX_SAFE_INTEGER) throw NOT_PLAIN;
    return (low & 1) === 0 ? half : -half - 1;
  }

  #instant(unit: number): Date {
    const value = this.#long();
    if (unit === MILLIS) return new Date(value);
    const over = value % 1000;
    return new Date((value - (over < 0 ? over + 1000 : over)) / 1000);
  }

  /** Reads length-prefixed UTF-8. */
  #string(): string {
    const length = this.#long();
    const from = this.at;
    if (length < 0 || length > this.end - from) throw NOT_PLAIN;
    this.at = from + length;
    return decodeText(memory, view, from, from + length, -1);
  }

  #binary(length: number): Uint8Array {
    const from = this.at;
    if (length < 0 || length > this.end - from) throw NOT_PLAIN;
    this.at = from + length;
    return memory.slice(from, from + length);
  }
}
