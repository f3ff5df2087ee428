import { DecodeError, LimitError } from '../../../core/errors.ts';
import type { Sink } from '../../../core/reading/sink.ts';
import { NO_TEXT, textKind } from '../../../core/formats/protobuf/schemaless/guess.ts';
import type { PanelFormatId } from '../read-format.ts';
import type { ThriftType } from './types.ts';

/** Containers inside one another. */
const DEPTH = 200;

/** A field before its value. */
export interface Field {
  id: number;
  type: ThriftType;
}

/** What stands before the items of a list or set. */
export interface ListHead {
  type: ThriftType;
  count: number;
}

/** What stands before the pairs of a map. */
export interface MapHead {
  keyType: ThriftType;
  valueType: ThriftType;
  count: number;
}

/**
 * Sends the fields of a struct in the order in which they lie, with their ranges. There is no schema: a field is named by
 * its id, and bytes that are text are taken for a string. What is damaged or cut is thrown, with its place; the sink has
 * what came before.
 */
export abstract class ThriftWalker {
  protected readonly bytes: Uint8Array;
  protected readonly view: DataView;
  protected at = 0;
  readonly #sink: Sink;
  readonly #format: PanelFormatId;

  constructor(bytes: Uint8Array, sink: Sink, format: PanelFormatId) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#sink = sink;
    this.#format = format;
  }

  /** The next field of a struct, after the one with the id given; undefined at the struct's end. */
  protected abstract field(lastId: number): Field | undefined;
  protected abstract listHead(): ListHead;
  protected abstract mapHead(): MapHead;
  /** A whole number of so many bits. */
  protected abstract integer(bits: 16 | 32 | 64): number | bigint;
  protected abstract double(): number;
  protected abstract length(): number;

  /** Reads a struct that takes all bytes. */
  walk(): void {
    this.#sink.window(this.bytes, this.view, 0);
    this.#struct(0);
    if (this.at < this.bytes.length) this.fail('malformed', 'bytes follow the end of the struct', this.at);
  }

  #struct(depth: number): void {
    const sink = this.#sink;
    this.#enter(depth);
    sink.beginObject(-1, this.at, this.at);
    let id = 0;
    for (;;) {
      const start = this.at;
      const field = this.field(id);
      if (!field) break;
      ({ id } = field);
      sink.keyText(String(id), start, this.at);
      this.#value(field.type, depth);
    }
    sink.endObject(this.at);
  }

  #value(type: ThriftType, depth: number): void {
    const sink = this.#sink;
    const start = this.at;
    switch (type) {
      case 'true':
      case 'false':
        return sink.boolean(type === 'true', start, start);
      case 'bool':
        // The compact protocol writes 2 for false, and once wrote 0.
        return sink.boolean(this.byte() === 1, start, this.at);
      case 'i8':
        return sink.integer((this.byte() << 24) >> 24, start, this.at);
      case 'i16':
      case 'i32':
      case 'i64': {
        const value = this.integer(type === 'i16' ? 16 : type === 'i32' ? 32 : 64);
        return typeof value === 'bigint' ? sink.bigint(value, start, this.at) : sink.integer(value, start, this.at);
      }
      case 'double': {
        const value = this.double();
        return sink.float(value, start, this.at);
      }
      case 'string': {
        const length = this.length();
        const from = this.skip(length);
        return textKind(this.bytes, from, this.at) === NO_TEXT ? sink.binary(0, start, from, this.at) : sink.string(start, from, this.at);
      }
      case 'uuid':
        this.skip(16);
        return sink.binary(0, start, start, this.at);
      case 'struct':
        return this.#struct(depth + 1);
      case 'map':
        return this.#map(depth + 1);
      default:
        return this.#list(type === 'set', depth + 1);
    }
  }

  #list(isSet: boolean, depth: number): void {
    const sink = this.#sink;
    const start = this.at;
    this.#enter(depth);
    const { type, count } = this.listHead();
    this.#check(count, start);
    if (isSet) sink.beginSet(count, start, this.at);
    else sink.beginArray(count, start, this.at);
    for (let i = 0; i < count; i += 1) this.#value(type, depth);
    if (isSet) sink.endSet(this.at);
    else sink.endArray(this.at);
  }

  #map(depth: number): void {
    const sink = this.#sink;
    const start = this.at;
    this.#enter(depth);
    const { keyType, valueType, count } = this.mapHead();
    this.#check(count * 2, start);
    sink.beginMap(count, start, this.at);
    for (let i = 0; i < count; i += 1) {
      this.#value(keyType, depth);
      this.#value(valueType, depth);
    }
    sink.endMap(this.at);
  }

  #enter(depth: number): void {
    if (depth >= DEPTH)
      throw new LimitError('depth', `more than ${DEPTH} containers inside one another`, {
        format: this.#format,
        offset: this.at,
        path: this.#sink.path(),
      });
  }

  /** Each item takes a byte at least. */
  #check(count: number, start: number): void {
    if (count < 0) this.fail('malformed', `a count of ${count}`, start);
    if (count > this.bytes.length - this.at) this.fail('truncated', `${count} items are announced, and too few bytes follow`, start);
  }

  protected byte(): number {
    if (this.at >= this.bytes.length) this.fail('truncated', 'the input ends inside a struct', this.at);
    return this.bytes[this.at++]!;
  }

  /** Goes on behind so many bytes. Returns where they begin. */
  protected skip(length: number): number {
    const from = this.at;
    if (length < 0) this.fail('malformed', `a length of ${length}`, from);
    if (length > this.bytes.length - from) this.fail('truncated', 'a value runs past the end of the input', from);
    this.at = from + length;
    return from;
  }

  protected typed(type: ThriftType | undefined, number: number, offset: number): ThriftType {
    return type ?? this.fail('malformed', `unknown type ${number}`, offset);
  }

  protected fail(code: 'truncated' | 'malformed', reason: string, offset: number): never {
    throw new DecodeError(code, reason, { format: this.#format, offset, path: this.#sink.path() });
  }
}

/** A whole number as the sink takes it. */
export function exact(value: bigint): number | bigint {
  const near = Number(value);
  return Number.isSafeInteger(near) ? near : value;
}
