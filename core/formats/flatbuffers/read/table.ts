import { SchemaError } from '../../../errors.ts';
import { decodeUtf8 } from '../../../bytes/text/text.ts';

/** Limit on the bytes of strings read, regardless of the schema's size. */
const MOST_TEXT = 16 * 1024 * 1024;

const INVALID = 'the .bfbs is invalid';

/**
 * A table of a small FlatBuffer, such as a schema. Each offset is checked when it is followed. Fields are identified
 * by their ids.
 */
export class Table {
  readonly position: number;
  readonly #view: DataView;
  readonly #vtable: number;
  readonly #vtableSize: number;
  readonly #texts: { left: number };

  constructor(view: DataView, position: number, texts: { left: number }) {
    this.#view = view;
    this.#texts = texts;
    this.position = position;
    this.#vtable = position - read(view, position, 4).getInt32(position, true);
    this.#vtableSize = read(view, this.#vtable, 4).getUint16(this.#vtable, true);
    if (this.#vtableSize < 4) throw new SchemaError(INVALID);
    read(view, this.#vtable, this.#vtableSize);
  }

  /** Root table of a buffer. */
  static root(bytes: Uint8Array): Table {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return new Table(view, target(view, 0), { left: MOST_TEXT + bytes.length * 16 });
  }

  has(id: number): boolean {
    return this.#field(id) > 0;
  }

  int8(id: number, or = 0): number {
    const at = this.#field(id, 1);
    return at > 0 ? this.#view.getInt8(at) : or;
  }

  boolean(id: number): boolean {
    return this.int8(id) !== 0;
  }

  uint16(id: number): number {
    const at = this.#field(id, 2);
    return at > 0 ? this.#view.getUint16(at, true) : 0;
  }

  int32(id: number, or = 0): number {
    const at = this.#field(id, 4);
    return at > 0 ? this.#view.getInt32(at, true) : or;
  }

  int64(id: number): bigint {
    const at = this.#field(id, 8);
    return at > 0 ? this.#view.getBigInt64(at, true) : 0n;
  }

  double(id: number): number {
    const at = this.#field(id, 8);
    return at > 0 ? this.#view.getFloat64(at, true) : 0;
  }

  string(id: number): string {
    const at = this.#field(id, 4);
    if (at === 0) return '';
    const from = target(this.#view, at);
    const length = read(this.#view, from, 4).getUint32(from, true);
    read(this.#view, from + 4, length);
    // Many offsets may point to the same string.
    this.#texts.left -= length;
    if (this.#texts.left < 0) throw new SchemaError('the .bfbs references its strings too often');
    const bytes = new Uint8Array(this.#view.buffer, this.#view.byteOffset, this.#view.byteLength);
    return decodeUtf8(bytes, from + 4, from + 4 + length, -1);
  }

  table(id: number): Table | undefined {
    const at = this.#field(id, 4);
    return at > 0 ? new Table(this.#view, target(this.#view, at), this.#texts) : undefined;
  }

  tables(id: number): Table[] {
    const at = this.#field(id, 4);
    if (at === 0) return [];
    const view = this.#view;
    const from = target(view, at);
    const length = read(view, from, 4).getUint32(from, true);
    read(view, from + 4, length * 4);
    return Array.from({ length }, (_, index) => new Table(view, target(view, from + 4 + index * 4), this.#texts));
  }

  #field(id: number, size = 1): number {
    const at = 4 + id * 2;
    if (at + 2 > this.#vtableSize) return 0;
    const offset = this.#view.getUint16(this.#vtable + at, true);
    if (offset === 0) return 0;
    read(this.#view, this.position + offset, size);
    return this.position + offset;
  }
}

/** Returns the view after checking that it has `size` bytes at `at`. */
function read(view: DataView, at: number, size: number): DataView {
  if (at < 0 || at + size > view.byteLength) throw new SchemaError(INVALID);
  return view;
}

/** Target of the offset at `at`. */
function target(view: DataView, at: number): number {
  return at + read(view, at, 4).getUint32(at, true);
}
