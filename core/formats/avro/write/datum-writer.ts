import { isDate, isMap } from '../../../values/class-of.ts';
import { bytesOf, type Items, itemsOf, writeBytes } from '../../../writing/binary-values.ts';
import { out, pass, room, soft, STOPPED, view } from '../../../bytes/output.ts';
import { writeZigZag } from '../../../bytes/varint.ts';
import type { Limits } from '../../../limits.ts';
import { ALL_KNOWN, mayHaveExtraKeys, NOT_COUNTED, refuseExtraKeys } from '../../../writing/extra-keys.ts';
import { kindOf, Writer } from '../../../writing/writer.ts';
import { branchFor } from '../schema/branches.ts';
import * as op from './plan.ts';
import type { WriteField, WriteNode } from './plan.ts';
import { writeFloat, writeInt, writeLong, writeString } from './scalars.ts';
import type { AvroWriteOptions } from '../options.ts';
import { daysOf, decimalBytes, durationBytes, instantOf, uuidBytes } from './values.ts';

/** Fields written between checks for room in the output: each takes at most ten bytes unless it makes room itself. */
const FIELDS_WITHOUT_ROOM = 63;

/** Resume point in a container: writing continues at field or item `next`. */
interface ResumePoint {
  readonly node: WriteNode;
  readonly next: number;
  /** Keys of a map, in order. */
  readonly keys: readonly unknown[] | undefined;
}

/** Writes Avro's binary encoding (https://avro.apache.org/docs/1.12.0/specification/#binary-encoding) by a plan. */
export class DatumWriter extends Writer {
  /** The root's plan. */
  protected root: WriteNode;
  readonly #refusesExtra: boolean;

  constructor(root: WriteNode, { extraKeys = 'error' }: AvroWriteOptions, limits: Limits) {
    super(limits);
    this.root = root;
    this.#refusesExtra = extraKeys === 'error';
  }

  override write(value: unknown, at: number): number {
    return this.#value(this.root, value, at);
  }

  protected override resumeIn(container: object, point: unknown, at: number): number {
    const { node, next, keys } = point as ResumePoint;
    if (node.op === op.RECORD) return this.#fields(node, container as Record<string, unknown>, next, at, NOT_COUNTED);
    if (node.op === op.MAP) return this.#entries(node, container as Record<string, unknown>, keys!, next, at);
    return this.#items(node, container as Items, next, at, this.resumedCount);
  }

  protected override stepOf(point: unknown): string | number {
    const { node, next, keys } = point as ResumePoint;
    if (node.op === op.RECORD) return node.fields[next - 1]!.name;
    return keys === undefined ? next - 1 : String(keys[next - 1]);
  }

  #value(node: WriteNode, value: unknown, at: number): number {
    switch (node.op) {
      case op.STRING:
        return writeString(value, at);
      case op.LONG:
        return writeLong(node.takesText && typeof value === 'string' ? longOfText(value) : value, at);
      case op.DOUBLE:
        if (typeof value !== 'number') this.fail('type', `${kindOf(value)} where a double is expected`);
        view.setFloat64(at, value, true);
        return at + 8;
      case op.NULLABLE: {
        const { nullIndex } = node;
        if (value === null || value === undefined) {
          out[at] = nullIndex << 1;
          return at + 1;
        }
        out[at] = (1 - nullIndex) << 1;
        return this.#value(node.item!, value, at + 1);
      }
      case op.ENUM:
        return this.#symbol(node, value, at);
      case op.INT:
        return writeInt(value, at);
      case op.RECORD:
        return this.#record(node, value, at);
      case op.ARRAY:
        return this.#array(node, value, at);
      case op.MAP:
        return this.#map(node, value, at);
      case op.BOOLEAN:
        if (typeof value !== 'boolean') this.fail('type', `${kindOf(value)} where a boolean is expected`);
        out[at] = value ? 1 : 0;
        return at + 1;
      case op.NULL:
        if (value !== null && value !== undefined) this.fail('type', `${kindOf(value)} where null is expected`);
        return at;
      case op.FLOAT:
        return writeFloat(value, at);
      case op.INSTANT:
        return writeLong(isDate(value) ? instantOf(value, node.scale) : node.takesText && typeof value === 'string' ? longOfText(value) : value, at);
      case op.PLAIN_UNION:
      case op.WRAPPED_UNION:
        return this.#union(node, value, at);
      case op.SEQUENCE:
        this.open();
        return this.#items(node, this.#list(value, 'a sequence'), 0, at);
      default:
        return this.#rare(node, value, at);
    }
  }

  #rare(node: WriteNode, value: unknown, at: number): number {
    switch (node.op) {
      case op.BYTES: {
        const bytes = bytesOf(value);
        if (bytes === undefined) this.fail('type', `${kindOf(value)} where bytes are expected`);
        return writeBytes(bytes, writeZigZag(bytes.length, at));
      }
      case op.FIXED: {
        const bytes = bytesOf(value);
        if (bytes === undefined) this.fail('type', `${kindOf(value)} where ${node.name} is expected`);
        if (bytes.length !== node.size) this.fail('range', `${bytes.length} bytes where ${node.name} has ${node.size}`);
        return writeBytes(bytes, at);
      }
      case op.DATE:
        return writeInt(isDate(value) ? daysOf(value) : value, at);
      case op.DECIMAL: {
        const bytes = decimalBytes(value, node.precision, node.scale, node.size);
        return writeBytes(bytes, node.size < 0 ? writeZigZag(bytes.length, at) : at);
      }
      case op.DURATION:
        return writeBytes(durationBytes(value), at);
      case op.UUID:
        return writeBytes(uuidBytes(value), at);
      default:
        throw new TypeError(`unknown operation ${node.op}`);
    }
  }

  #symbol(node: WriteNode, value: unknown, at: number): number {
    const { symbols } = node;
    let index: number;
    if (symbols[0] === value) index = 0;
    else if (symbols.length > 1 && symbols[1] === value) index = 1;
    else index = node.indexOf(value);
    if (index < 0) {
      if (typeof value !== 'string') this.fail('type', `${kindOf(value)} where ${node.name} is expected`);
      this.fail('range', `${JSON.stringify(value)} is not a symbol of ${node.name}`);
    }
    return writeZigZag(index, at);
  }

  #union(node: WriteNode, value: unknown, at: number): number {
    if (node.op === op.PLAIN_UNION) {
      const index = branchFor(node.branches, value);
      if (index < 0) this.fail('type', `${kindOf(value)} where one of ${namesOf(node)} is expected`);
      return this.#value(node.branches[index]!, value, writeZigZag(index, at));
    }
    if ((value === null || value === undefined) && node.nullIndex >= 0) return writeZigZag(node.nullIndex, at);
    const keys = typeof value === 'object' && value !== null ? Object.keys(value) : [];
    const index = keys.length === 1 ? node.indexOf(keys[0]) : -1;
    if (index < 0) this.fail('type', `${kindOf(value)} where an object with one key is expected, which is one of ${namesOf(node)}`);
    try {
      return this.#value(node.branches[index]!, (value as Record<string, unknown>)[keys[0]!], writeZigZag(index, at));
    } catch (error) {
      throw this.at(keys[0], error, value as object);
    }
  }

  #record(node: WriteNode, value: unknown, at: number): number {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) this.fail('type', `${kindOf(value)} where ${node.name} is expected`);
    if (this.depth >= this.callDepth) return this.postpone(at, this.#record.bind(this, node, value));
    this.open(value);
    const { fields } = node;
    const { length } = fields;
    let next = at > soft ? room(at, 0) : at;
    let index = 0;
    let seen = 0;
    let areAllKnown = true;
    try {
      for (const key in value) {
        if (index === length || fields[index]!.name !== key) {
          const found = nextWith(fields, index, key, value);
          if (found < 0) {
            areAllKnown = false;
            break;
          }
          for (; index < found; index += 1) {
            if ((index & FIELDS_WITHOUT_ROOM) === 0 && next > soft) next = room(next, 0);
            const { node: type, fallback } = fields[index]!;
            next = this.#absent(type, fallback, next);
          }
        }
        const given = (value as Record<string, unknown>)[key];
        if (given === undefined) {
          areAllKnown = false;
          break;
        }
        seen += 1;
        const { node: type } = fields[index]!;
        // Strings, the most frequent type, are written inline.
        if (type.op === op.STRING) next = writeString(given, next);
        else if ((next = this.#value(type, given, next)) === STOPPED) return this.#stopAt(node, value, index + 1, undefined);
        index += 1;
        if ((index & FIELDS_WITHOUT_ROOM) === 0 && next > soft) next = room(next, 0);
      }
    } catch (error) {
      throw this.at(fields[index]?.name, error, value);
    }
    if (index < length || !areAllKnown) return this.#fields(node, value as Record<string, unknown>, index, next, areAllKnown ? ALL_KNOWN : seen);
    this.depth -= 1;
    return next;
  }

  /** Writes the fields from `from` on, in any order of keys. `seen` is the number of keys that the earlier fields have. */
  #fields(node: WriteNode, value: Record<string, unknown>, from: number, at: number, seen: number): number {
    const { fields } = node;
    let index = from;
    let next = at;
    let keys = seen;
    try {
      for (; index < fields.length; index += 1) {
        if ((index & FIELDS_WITHOUT_ROOM) === 0 && next > soft) next = room(next, 0);
        const { name, node: type, fallback } = fields[index]!;
        let given: unknown;
        if (Object.hasOwn(value, name)) {
          given = value[name];
          keys += 1;
        }
        if (given === undefined) next = this.#absent(type, fallback, next);
        else next = this.#value(type, given, next);
        if (next === STOPPED) return this.#stopAt(node, value, index + 1, undefined);
      }
    } catch (error) {
      throw this.at(fields[index]!.name, error, value);
    }
    if (this.#refusesExtra && mayHaveExtraKeys(value, keys)) refuseExtraKeys(value, node.name, fields);
    this.depth -= 1;
    return next;
  }

  /** Writes a missing field: its default, or null. */
  #absent(type: WriteNode, fallback: Uint8Array | undefined, at: number): number {
    if (fallback !== undefined) return writeBytes(fallback, at);
    if (type.op !== op.NULL && type.nullIndex < 0) this.fail('missing', 'a field without a default is missing');
    return this.#value(type, null, at);
  }

  #list(value: unknown, what: string): Items {
    return itemsOf(value) ?? this.fail('type', `${kindOf(value)} where ${what} is expected`);
  }

  /** Writes an array: one block with its count, and an empty block. */
  #array(node: WriteNode, value: unknown, at: number): number {
    this.open();
    const list = this.#list(value, 'an array');
    const start = at > soft ? room(at, 0) : at;
    const { length } = list;
    return this.#items(node, list, 0, length === 0 ? start : writeZigZag(length, start), length);
  }

  #items(node: WriteNode, list: Items, from: number, at: number, length = list.length): number {
    const item = node.item!;
    const { prefix } = node;
    let index = from;
    try {
      for (; index < length; index += 1) {
        if (at > soft && (at = pass(at)) === STOPPED) return this.#stopAt(node, list, index, undefined, length);
        if (prefix !== undefined) at = writeBytes(prefix, at);
        if ((at = this.#value(item, list[index], at)) === STOPPED) return this.#stopAt(node, list, index + 1, undefined, length);
      }
    } catch (error) {
      throw this.at(index, error, list);
    }
    if (list.length !== length) this.fail('changed', 'the list changed while it was written');
    this.depth -= 1;
    return node.op === op.SEQUENCE ? at : writeEnd(at);
  }

  #map(node: WriteNode, value: unknown, at: number): number {
    if (typeof value !== 'object' || value === null || itemsOf(value) !== undefined) this.fail('type', `${kindOf(value)} where a map is expected`);
    this.open();
    const keys: unknown[] = isMap(value) ? [...value.keys()] : Object.keys(value);
    const start = at > soft ? room(at, 0) : at;
    return this.#entries(node, value as Record<string, unknown>, keys, 0, keys.length === 0 ? start : writeZigZag(keys.length, start));
  }

  #entries(node: WriteNode, value: Record<string, unknown>, keys: readonly unknown[], from: number, at: number): number {
    const item = node.item!;
    const map = isMap(value) ? value : undefined;
    let index = from;
    try {
      for (; index < keys.length; index += 1) {
        if (at > soft && (at = pass(at)) === STOPPED) return this.#stopAt(node, value, index, keys);
        const key = keys[index];
        at = writeString(key, at);
        at = this.#value(item, map ? map.get(key) : value[key as string], at);
        if (at === STOPPED) return this.#stopAt(node, value, index + 1, keys);
      }
    } catch (error) {
      throw this.at(String(keys[index]), error, value);
    }
    this.depth -= 1;
    return writeEnd(at);
  }

  #stopAt(node: WriteNode, container: object, next: number, keys: readonly unknown[] | undefined, count = -1): number {
    const point: ResumePoint = { node, next, keys };
    return this.stopped(container, point, count);
  }
}

/** Index of the field with a key, if the fields before it, starting at `from`, are absent; otherwise −1. */
function nextWith(fields: readonly WriteField[], from: number, key: string, value: object): number {
  for (let index = from; index < fields.length; index += 1) {
    const { name } = fields[index]!;
    if (name === key) return index;
    if (Object.hasOwn(value, name)) return -1;
  }
  return -1;
}

/** Writes the empty block that ends an array or a map. */
function writeEnd(at: number): number {
  out[at] = 0;
  return at + 1;
}

function longOfText(text: string): bigint | string {
  return /^-?\d{1,19}$/.test(text) ? BigInt(text) : text;
}

function namesOf({ branches }: WriteNode): string {
  return branches.map(({ name }) => name).join(', ');
}
