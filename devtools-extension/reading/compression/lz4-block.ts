/** Growing output buffer with a limit. */
export class Output {
  bytes = new Uint8Array(64 * 1024);
  size = 0;
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Reserves space. Returns how many of the bytes fit within the limit. */
  room(count: number): number {
    const fits = Math.min(count, this.#limit - this.size);
    const needed = this.size + fits;
    if (needed > this.bytes.length) {
      const grown = new Uint8Array(Math.min(this.#limit, Math.max(needed, this.bytes.length * 2)));
      grown.set(this.bytes.subarray(0, this.size));
      this.bytes = grown;
    }
    return fits;
  }

  /** Appends bytes. Returns true if all of them fit. */
  add(bytes: Uint8Array): boolean {
    const fits = this.room(bytes.length);
    this.bytes.set(fits < bytes.length ? bytes.subarray(0, fits) : bytes, this.size);
    this.size += fits;
    return fits === bytes.length;
  }

  /** Appends bytes starting `offset` before the end, which may overlap the appended ones. Returns true if all of them fit. */
  repeat(offset: number, length: number): boolean {
    const fits = this.room(length);
    const { bytes, size } = this;
    if (offset >= fits) bytes.copyWithin(size, size - offset, size - offset + fits);
    else for (let at = size; at < size + fits; at += 1) bytes[at] = bytes[at - offset]!;
    this.size += fits;
    return fits === length;
  }
}

/** Shortest match, encoded as 0. */
const MIN_MATCH = 4;

/**
 * Decompresses an LZ4 block into `output`. Returns whether all of it fits; throws if the block is damaged.
 *
 *     sequence   token: literals << 4 | match − 4,  literals' length of 15 and more,  literals,
 *                uint16 offset of the match, little-endian,  match's length of 15 and more
 *
 * The last sequence ends with its literals. https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md
 */
export function addBlock(block: Uint8Array, output: Output): boolean {
  const start = output.size;
  let at = 0;
  const longer = (length: number): number => {
    if (length < 15) return length;
    let sum = length;
    for (;;) {
      if (at >= block.length) throw new Error('An LZ4 block ends inside a length');
      const more = block[at++]!;
      sum += more;
      if (more < 255) return sum;
    }
  };
  while (at < block.length) {
    const token = block[at++]!;
    const literals = longer(token >>> 4);
    if (at + literals > block.length) throw new Error('An LZ4 block ends inside its literals');
    if (!output.add(block.subarray(at, at + literals))) return false;
    at += literals;
    if (at === block.length) return true;
    if (at + 2 > block.length) throw new Error('An LZ4 block ends inside an offset');
    const offset = block[at]! | (block[at + 1]! << 8);
    at += 2;
    if (offset === 0 || offset > output.size - start) throw new Error('A match in an LZ4 block starts before its output');
    if (!output.repeat(offset, longer(token & 15) + MIN_MATCH)) return false;
  }
  throw new Error('An LZ4 block ends after a match');
}
