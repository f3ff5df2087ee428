/** Masks that keep the first 0 to 3 bytes of a word. */
export const MASKS = [0, 0xff, 0xffff, 0xffffff];
/** Bits that are 0 in every ASCII byte. */
export const HIGH_BITS = 0x80808080 | 0;

/**
 * An append-only list of byte strings: the bytes one after another, and the end of each. `clear` keeps the capacity.
 */
export class ByteList {
  bytes: Uint8Array<ArrayBuffer>;
  view: DataView<ArrayBuffer>;
  ends: Uint32Array<ArrayBuffer>;
  /** Bytes in use. */
  length = 0;
  /** Items in `bytes`. */
  count = 0;
  /** Items removed by `clear` so far. */
  first = 0;
  /** True if no byte is above 0x7f since the last `clear`. */
  ascii = true;

  constructor(bytes = 256, items = 16) {
    this.bytes = new Uint8Array(bytes);
    this.view = new DataView(this.bytes.buffer);
    this.ends = new Uint32Array(items);
  }

  /** Appends a range as the next item. Returns true if it is ASCII. */
  append(source: DataView, from: number, to: number): boolean {
    const plain = this.copy(source, from, to);
    if (this.count === this.ends.length) this.#growEnds();
    this.ends[this.count++] = this.length;
    return plain;
  }

  /**
   * Appends a range without ending an item, in words of 4 bytes. If both buffers have room, the last word is written in
   * full; the next copy overwrites its excess bytes.
   */
  copy(source: DataView, from: number, to: number): boolean {
    const at = this.length;
    this.reserve(to - from + 4);
    const { view } = this;
    let seen = 0;
    let position = from;
    let target = at;
    for (const lastWord = to - 3; position < lastWord; position += 4, target += 4) {
      const word = source.getInt32(position, true);
      view.setInt32(target, word, true);
      seen |= word;
    }
    if (position < to) {
      if (position + 4 <= source.byteLength) {
        const word = source.getInt32(position, true) & MASKS[to - position]!;
        view.setInt32(target, word, true);
        seen |= word;
      } else {
        for (; position < to; position++, target++) {
          const byte = source.getUint8(position);
          view.setUint8(target, byte);
          seen |= byte;
        }
      }
    }
    this.length = at + to - from;
    if ((seen & HIGH_BITS) === 0) return true;
    this.ascii = false;
    return false;
  }

  /** Appends a range of any length without ending an item and without checking for ASCII. */
  write(source: Uint8Array, from: number, to: number): void {
    this.reserve(to - from);
    this.bytes.set(source.subarray(from, to), this.length);
    this.length += to - from;
  }

  writeByte(byte: number): void {
    this.reserve(1);
    this.bytes[this.length++] = byte;
  }

  /** Ends an item at a position, whose bytes may be written later. */
  endAt(position: number): void {
    if (this.count === this.ends.length) this.#growEnds();
    this.ends[this.count++] = position;
  }

  /** True if item `index` equals a range. */
  equals(index: number, source: DataView, from: number, to: number): boolean {
    const start = this.startOf(index);
    const end = this.ends[index]!;
    if (end - start !== to - from) return false;
    const { view } = this;
    let position = from;
    let other = start;
    for (const lastWord = to - 3; position < lastWord; position += 4, other += 4) {
      if (source.getInt32(position, true) !== view.getInt32(other, true)) return false;
    }
    if (to - from >= 4) return source.getInt32(to - 4, true) === view.getInt32(end - 4, true);
    for (; position < to; position++, other++) {
      if (source.getUint8(position) !== view.getUint8(other)) return false;
    }
    return true;
  }

  /** Start of the item at a local index. */
  startOf(index: number): number {
    return index === 0 ? 0 : this.ends[index - 1]!;
  }

  /** Makes room for `more` bytes. */
  reserve(more: number): void {
    const needed = this.length + more;
    if (needed <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(needed, this.bytes.length * 2));
    grown.set(this.bytes.subarray(0, this.length));
    this.bytes = grown;
    this.view = new DataView(grown.buffer);
  }

  /** Removes the items from `count` on. */
  truncate(count: number): void {
    this.count = count;
    this.length = count === 0 ? 0 : this.ends[count - 1]!;
  }

  /** Index of the item appended last, counting removed items. */
  get last(): number {
    return this.first + this.count - 1;
  }

  /** Removes all items; indices continue. */
  clear(): void {
    this.first += this.count;
    this.truncate(0);
    this.ascii = true;
  }

  #growEnds(): void {
    const grown = new Uint32Array(this.ends.length * 2);
    grown.set(this.ends);
    this.ends = grown;
  }
}
