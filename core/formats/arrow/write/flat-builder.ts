const encoder = new TextEncoder();

/**
 * Builds a FlatBuffer (https://flatbuffers.dev/internals) from its end to its start: what a table refers to is written
 * before it. Positions count bytes from the end.
 */
export class FlatBuilder {
  #bytes = new Uint8Array(1024);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;
  /** Positions of the fields of the table that is being written. */
  #slots: number[] = [];
  #start = 0;

  /** Begins a table. Its fields follow, then `endTable`. */
  startTable(): void {
    this.#slots = [];
    this.#start = this.#length;
  }

  int8(slot: number, value: number): void {
    const at = this.#room(1);
    this.#view.setInt8(at, value);
    this.#slots[slot] = this.#length;
  }

  int16(slot: number, value: number): void {
    this.#put16(value);
    this.#slots[slot] = this.#length;
  }

  int32(slot: number, value: number): void {
    this.#put32(value);
    this.#slots[slot] = this.#length;
  }

  int64(slot: number, value: number): void {
    this.#put64(value);
    this.#slots[slot] = this.#length;
  }

  /** A field that refers to a position. */
  offset(slot: number, target: number): void {
    this.#offset(target);
    this.#slots[slot] = this.#length;
  }

  /** Ends a table. Returns its position. */
  endTable(): number {
    this.#put32(0);
    const table = this.#length;
    for (let slot = this.#slots.length - 1; slot >= 0; slot--) {
      const field = this.#slots[slot];
      this.#put16(field === undefined ? 0 : table - field);
    }
    this.#put16(table - this.#start);
    this.#put16(4 + 2 * this.#slots.length);
    this.#view.setInt32(this.#bytes.length - table, this.#length - table, true);
    return table;
  }

  string(text: string): number {
    const bytes = encoder.encode(text);
    this.#align(4, bytes.length + 1);
    this.#room(1);
    this.#set(bytes);
    this.#put32(bytes.length);
    return this.#length;
  }

  /** A vector of tables or strings. */
  offsets(targets: readonly number[]): number {
    this.#align(4, targets.length * 4);
    for (const target of targets.toReversed()) this.#offset(target);
    this.#put32(targets.length);
    return this.#length;
  }

  /** A vector of structs, each of some 64-bit integers. */
  structs(values: readonly (readonly number[])[]): number {
    this.#align(8, 0);
    for (const struct of values.toReversed()) for (const value of struct.toReversed()) this.#put64(value);
    this.#put32(values.length);
    return this.#length;
  }

  /** The buffer with its root table, whose length is a multiple of 8. */
  finish(root: number): Uint8Array<ArrayBuffer> {
    this.#align(8, 4);
    this.#offset(root);
    return this.#bytes.slice(this.#bytes.length - this.#length);
  }

  // Making room may replace the view.

  #put16(value: number): void {
    const at = this.#room(2);
    this.#view.setUint16(at, value, true);
  }

  #put32(value: number): void {
    const at = this.#room(4);
    this.#view.setInt32(at, value, true);
  }

  #put64(value: number): void {
    const at = this.#room(8);
    this.#view.setBigInt64(at, BigInt(value), true);
  }

  #offset(target: number): void {
    const at = this.#room(4);
    this.#view.setUint32(at, this.#length - target, true);
  }

  #set(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#length += bytes.length;
    this.#bytes.set(bytes, this.#bytes.length - this.#length);
  }

  /** Makes room for a value at a multiple of its size. Returns its index. */
  #room(size: number): number {
    this.#align(size, size);
    this.#reserve(size);
    this.#length += size;
    return this.#bytes.length - this.#length;
  }

  /** Adds zeros, so that after `more` bytes the position is a multiple of `size`. */
  #align(size: number, more: number): void {
    const padding = -(this.#length + more) & (size - 1);
    this.#reserve(padding);
    this.#length += padding;
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + more));
    grown.set(this.#bytes, grown.length - this.#bytes.length);
    this.#bytes = grown;
    this.#view = new DataView(grown.buffer);
  }
}
