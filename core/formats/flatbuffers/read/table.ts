import { SchemaError } from '../../../errors.ts';
import { decodeUtf8 } from '../../../bytes/text/text.ts';

/** Limit on the bytes of strings read, regardless of the schema's size. */
const MAX_TEXT = 16 * 1024 * 1024;

/** Throws for invalid data. `position` is the index of the byte at fault. */
export type FailTable = (reason: string, position: number) => never;

/** A buffer whose tables are read. */
class Source {
  readonly view: DataView;
  readonly fail: FailTable;
  /** Bytes of strings that may still be read: many offsets may point to the same string. */
  texts: number;

  constructor(bytes: Uint8Array, fail: FailTable) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.fail = fail;
    this.texts = MAX_TEXT + bytes.length * 16;
  }

  /** Returns the view after checking that it has `size` bytes at `at`. */
  read(at: number, size: number): DataView {
    if (at < 0 || at + size > this.view.byteLength) this.fail('an offset leads out of the buffer', at);
    return this.view;
  }

  /** Target of the offset at `at`. */
  target(at: number): number {
    return at + this.read(at, 4).getUint32(at, true);
  }
}

/**
 * A table of a small FlatBuffer, such as a schema. Each offset is checked when it is followed. Fields are identified
 * by their ids.
 */
export class Table {
  readonly position: number;
  readonly #source: Source;
  readonly #vtable: number;
  readonly #vtableSize: number;

  private constructor(source: Source, position: number) {
    this.#source = source;
    this.position = position;
    this.#vtable = position - source.read(position, 4).getInt32(position, true);
    this.#vtableSize = source.read(this.#vtable, 4).getUint16(this.#vtable, true);
    if (this.#vtableSize < 4) source.fail(`invalid vtable size: ${this.#vtableSize} bytes`, position);
    source.read(this.#vtable, this.#vtableSize);
  }

  /** Root table of a buffer. `fail` throws for invalid data, by default a SchemaError for a .bfbs. */
  static root(bytes: Uint8Array, fail: FailTable = invalidSchema): Table {
    const source = new Source(bytes, fail);
    return new Table(source, source.target(0));
  }

  has(id: number): boolean {
    return this.#field(id) > 0;
  }

  int8(id: number, or = 0): number {
    const at = this.#field(id, 1);
    return at > 0 ? this.#source.view.getInt8(at) : or;
  }

  boolean(id: number): boolean {
    return this.int8(id) !== 0;
  }

  uint16(id: number, or = 0): number {
    const at = this.#field(id, 2);
    return at > 0 ? this.#source.view.getUint16(at, true) : or;
  }

  int32(id: number, or = 0): number {
    const at = this.#field(id, 4);
    return at > 0 ? this.#source.view.getInt32(at, true) : or;
  }

  int64(id: number): bigint {
    const at = this.#field(id, 8);
    return at > 0 ? this.#source.view.getBigInt64(at, true) : 0n;
  }

  double(id: number): number {
    const at = this.#field(id, 8);
    return at > 0 ? this.#source.view.getFloat64(at, true) : 0;
  }

  string(id: number): string {
    const at = this.#field(id, 4);
    if (at === 0) return '';
    const source = this.#source;
    const { view } = source;
    const from = source.target(at);
    const length = source.read(from, 4).getUint32(from, true);
    source.read(from + 4, length);
    source.texts -= length;
    if (source.texts < 0) source.fail('strings are referenced too often', from);
    const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    return decodeUtf8(bytes, from + 4, from + 4 + length, -1);
  }

  table(id: number): Table | undefined {
    const at = this.#field(id, 4);
    return at > 0 ? new Table(this.#source, this.#source.target(at)) : undefined;
  }

  tables(id: number): Table[] {
    const { from, length } = this.vector(id, 4);
    return Array.from({ length }, (_, index) => new Table(this.#source, this.#source.target(from + index * 4)));
  }

  /** Position and number of the items of a vector, each of `size` bytes. */
  vector(id: number, size: number): { from: number; length: number } {
    const at = this.#field(id, 4);
    if (at === 0) return { from: 0, length: 0 };
    const start = this.#source.target(at);
    const length = this.#source.read(start, 4).getUint32(start, true);
    this.#source.read(start + 4, length * size);
    return { from: start + 4, length };
  }

  /** The 32-bit integer at a position of a vector. */
  int32At(position: number): number {
    return this.#source.read(position, 4).getInt32(position, true);
  }

  /** The 64-bit integer at a position of a vector. */
  int64At(position: number): bigint {
    return this.#source.read(position, 8).getBigInt64(position, true);
  }

  #field(id: number, size = 1): number {
    const at = 4 + id * 2;
    if (at + 2 > this.#vtableSize) return 0;
    const offset = this.#source.view.getUint16(this.#vtable + at, true);
    if (offset === 0) return 0;
    this.#source.read(this.position + offset, size);
    return this.position + offset;
  }
}

function invalidSchema(reason: string): never {
  throw new SchemaError(`the .bfbs is invalid: ${reason}`);
}
