/** Bytes of a block's header. */
const BLOCK_HEAD = 3;
/** Maximum number of weights in the description of a Huffman tree. */
const MAX_WEIGHTS = 255;

/** Bit offsets of the fields of a state: symbol, width and baseline. */
const SYMBOL = 16;
const WIDTH = 12;
const BASELINE = 0xfff;

/**
 * A table for Finite State Entropy (RFC 8878 section 4.1): for each state its symbol, and the width and baseline of the
 * next state.
 */
interface Table {
  readonly accuracyLog: number;
  readonly states: Uint32Array;
}

/**
 * A kind of code in a sequence: the largest code, the largest accuracy log of its table, and its predefined
 * distribution (section 3.1.1.3.2.2).
 */
interface Codes {
  readonly largest: number;
  readonly mostAccuracy: number;
  readonly predefined: Table;
}

/** By length code: the number of extra bits, and the length if those bits are 0 (section 3.1.1.3.2.1.1). */
const [LITERALS_BITS, LITERALS_BASES] = lengthCodes(0, 16, [1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);
const [MATCH_BITS, MATCH_BASES] = lengthCodes(3, 32, [1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);

const LITERALS_LENGTHS: Codes = {
  largest: 35,
  mostAccuracy: 9,
  predefined: tableOf(6, [4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1, -1, -1]),
};
const OFFSETS: Codes = {
  largest: 31,
  mostAccuracy: 8,
  predefined: tableOf(5, [1, 1, 1, 1, 1, 1, 2, 2, 2, ...Array<number>(15).fill(1), -1, -1, -1, -1, -1]),
};
const MATCH_LENGTHS: Codes = {
  largest: 52,
  mostAccuracy: 9,
  predefined: tableOf(6, [1, 4, 3, 2, 2, 2, 2, 2, 2, ...Array<number>(37).fill(1), -1, -1, -1, -1, -1, -1, -1]),
};

/**
 * Validates the compressed blocks of a frame, in order, before the library decompresses them. The library executes
 * sequences past the end of a block and reads missing bits as 0, so a few bytes could cause gigabytes of copying or an
 * endless loop. Decompressing a valid block takes time in proportion to its bytes and content.
 *
 *     block (section 3.1.1.3): literals section: header, Huffman tree, streams
 *                              sequences section: count, modes, tables, bitstream that is read from its end
 */
export class SequencesCheck {
  readonly #largest: number;
  #literalsLengths: Table | undefined;
  #offsets: Table | undefined;
  #matchLengths: Table | undefined;
  /** Position of the next byte of the block's header and tables. */
  #at = 0;

  /** @param largest Maximum content of a block, in bytes. */
  constructor(largest: number) {
    this.#largest = largest;
  }

  /** Throws unless the sequences of a compressed block produce at most `largest` bytes. */
  check(block: Uint8Array): void {
    this.#at = BLOCK_HEAD;
    const literals = this.#passLiterals(block);
    const count = this.#readCount(block);
    if (literals > this.#largest) throw tooLarge();
    if (count === 0) {
      if (this.#at < block.length) throw new Error('a Zstandard block that ends too late');
      return;
    }
    const modes = block[this.#at]!;
    this.#at += 1;
    const literalsLengths = (this.#literalsLengths = this.#readTable(block, modes >> 6, LITERALS_LENGTHS, this.#literalsLengths));
    const offsets = (this.#offsets = this.#readTable(block, (modes >> 4) & 3, OFFSETS, this.#offsets));
    const matchLengths = (this.#matchLengths = this.#readTable(block, (modes >> 2) & 3, MATCH_LENGTHS, this.#matchLengths));

    const start = this.#at * 8;
    let at = bitstreamEnd(block, this.#at, block.length) - literalsLengths.accuracyLog;
    let literalsState = peek(block, at, literalsLengths.accuracyLog);
    let offsetState = peek(block, (at -= offsets.accuracyLog), offsets.accuracyLog);
    let matchState = peek(block, (at -= matchLengths.accuracyLog), matchLengths.accuracyLog);
    let literalsLeft = literals;
    let left = this.#largest - literals;
    for (let rest = count - 1; ; rest -= 1) {
      const literalsEntry = literalsLengths.states[literalsState]!;
      const offsetEntry = offsets.states[offsetState]!;
      const matchEntry = matchLengths.states[matchState]!;
      at -= offsetEntry >>> SYMBOL;
      const matchCode = matchEntry >>> SYMBOL;
      let width = MATCH_BITS[matchCode]!;
      left -= MATCH_BASES[matchCode]!;
      if (width > 0) left -= peek(block, (at -= width), width);
      const literalsCode = literalsEntry >>> SYMBOL;
      width = LITERALS_BITS[literalsCode]!;
      literalsLeft -= LITERALS_BASES[literalsCode]!;
      if (width > 0) literalsLeft -= peek(block, (at -= width), width);
      if (left < 0) throw tooLarge();
      if (literalsLeft < 0) throw new Error('sequences with more literals than the block has');
      if (rest === 0) break;

      const matchWidth = (matchEntry >> WIDTH) & 15;
      width = matchWidth + ((literalsEntry >> WIDTH) & 15);
      const bits = peek(block, (at -= width), width);
      literalsState = (literalsEntry & BASELINE) + (bits >> matchWidth);
      matchState = (matchEntry & BASELINE) + (bits & ((1 << matchWidth) - 1));
      width = (offsetEntry >> WIDTH) & 15;
      offsetState = (offsetEntry & BASELINE) + peek(block, (at -= width), width);
      if (at < start) break;
    }
    if (at !== start) throw new Error('sequences of an unexpected length');
  }

  /** Skips the literals section. Returns the number of literal bytes. */
  #passLiterals(block: Uint8Array): number {
    const type = block[this.#at]! & 3;
    const format = (block[this.#at]! >> 2) & 3;
    const head = type > 1 ? Math.max(3, format + 2) : format === 3 ? 3 : (format & 1) + 1;
    if (this.#at + head >= block.length) throw truncated();
    const sizes = Math.floor(readLittle(block, this.#at, head) / (type < 2 && (format & 1) === 0 ? 8 : 16));
    const range = 2 ** (head * 4 - 2);
    const literals = type < 2 ? sizes : sizes % range;
    const stored = type === 0 ? literals : type === 1 ? 1 : Math.floor(sizes / range);
    const start = this.#at + head;
    this.#at = start + stored;
    if (this.#at >= block.length) throw truncated();
    if (type === 2) checkTree(block, start, this.#at);
    return literals;
  }

  /** Reads the number of sequences. */
  #readCount(block: Uint8Array): number {
    const first = block[this.#at]!;
    const width = first < 128 ? 1 : first < 255 ? 2 : 3;
    this.#at += width;
    if (this.#at + (first > 0 ? 1 : 0) > block.length) throw truncated();
    if (width === 1) return first;
    return width === 2 ? ((first - 128) << 8) + block[this.#at - 1]! : readLittle(block, this.#at - 2, 2) + 0x7f00;
  }

  /** Reads the table of a kind of codes. */
  #readTable(block: Uint8Array, mode: number, codes: Codes, previous: Table | undefined): Table {
    if (mode === 0) return codes.predefined;
    if (mode === 3) {
      if (!previous) throw new Error('no table that could be repeated');
      return previous;
    }
    if (mode === 1) {
      const symbol = block[this.#at]!;
      this.#at += 1;
      if (this.#at > block.length) throw truncated();
      if (symbol > codes.largest) throw unknownCode();
      return { accuracyLog: 0, states: Uint32Array.of(symbol << SYMBOL) };
    }
    const [table, end] = readTable(block, this.#at, block.length, codes);
    this.#at = end;
    return table;
  }
}

/** Throws unless the weights of a Huffman tree (section 4.2.1) end: weights that take no bits would repeat forever. */
function checkTree(block: Uint8Array, at: number, end: number): void {
  const size = block[at]!;
  if (size >= 128) return;
  const last = at + 1 + size;
  if (last > end) throw truncated();
  const [table, tableEnd] = readTable(block, at + 1, last, { largest: 255, mostAccuracy: 6 });
  const states = [0, 0];
  const widths = [table.accuracyLog, table.accuracyLog];
  let bits = bitstreamEnd(block, tableEnd, last) - tableEnd * 8;
  for (let count = 0; ; count += 1) {
    const turn = count & 1;
    bits -= widths[turn]!;
    if (bits < 0) return;
    if (count > MAX_WEIGHTS) throw new Error('a Huffman tree has too many symbols');
    const state = states[turn]! + peek(block, tableEnd * 8 + bits, widths[turn]!);
    widths[turn] = (table.states[state]! >> WIDTH) & 15;
    states[turn] = table.states[state]! & BASELINE;
  }
}

/** Reads the description of a table (section 4.1.1). Returns the table and the position after it. */
function readTable(block: Uint8Array, start: number, end: number, codes: Pick<Codes, 'largest' | 'mostAccuracy'>): [Table, number] {
  const accuracyLog = (block[start]! & 15) + 5;
  if (accuracyLog > codes.mostAccuracy) throw new Error('a table has too many states');
  const probabilities: number[] = [];
  let at = start * 8 + 4;
  let left = 1 << accuracyLog;
  while (left > 0) {
    // A value from 0 to left + 1; the smallest values take one bit less.
    const width = 32 - Math.clz32(left + 1);
    const shorter = (1 << width) - 2 - left;
    let value = peek(block, at, width);
    if ((value & ((1 << (width - 1)) - 1)) < shorter) {
      at -= 1;
      value &= (1 << (width - 1)) - 1;
    } else if (value >> (width - 1) === 1) value -= shorter;
    at += width;
    probabilities.push(value - 1);
    left -= Math.abs(value - 1);
    if (value === 1) {
      for (let repeat = 3; repeat === 3; at += 2) {
        repeat = peek(block, at, 2);
        for (let i = 0; i < repeat; i += 1) probabilities.push(0);
      }
    }
    if (probabilities.length > codes.largest + 1) throw unknownCode();
  }
  const after = (at + 7) >> 3;
  if (after > end) throw truncated();
  return [tableOf(accuracyLog, probabilities), after];
}

/** Builds the table of probabilities (section 4.1.1). */
function tableOf(accuracyLog: number, probabilities: readonly number[]): Table {
  const size = 1 << accuracyLog;
  const states = new Uint32Array(size);
  let high = size;
  probabilities.forEach((probability, symbol) => {
    if (probability < 0) states[(high -= 1)] = symbol;
  });
  let at = 0;
  const nexts = probabilities.map((probability, symbol) => {
    for (let i = 0; i < probability; i += 1) {
      states[at] = symbol;
      do at = (at + (size >> 1) + (size >> 3) + 3) & (size - 1);
      while (at >= high);
    }
    return Math.abs(probability);
  });
  for (let state = 0; state < size; state += 1) {
    const symbol = states[state]!;
    const next = nexts[symbol]!;
    nexts[symbol] = next + 1;
    const width = accuracyLog - 31 + Math.clz32(next);
    states[state] = (symbol << SYMBOL) | (width << WIDTH) | ((next << width) - size);
  }
  return { accuracyLog, states };
}

/** Extra bits and base lengths of codes; each of the first `plain` codes stands for one length. */
function lengthCodes(least: number, plain: number, more: readonly number[]): [Uint8Array, Int32Array] {
  const widths = Uint8Array.of(...Array<number>(plain).fill(0), ...more);
  let next = least;
  return [widths, Int32Array.from(widths, (width) => (next += 1 << width) - (1 << width))];
}

/** Bit position of the end of a bitstream: the highest bit set in its last byte. */
function bitstreamEnd(bytes: Uint8Array, start: number, end: number): number {
  const last = bytes[end - 1]!;
  if (end <= start || last === 0) throw new Error('a bitstream without an end');
  return end * 8 - 1 - (Math.clz32(last) - 24);
}

/** Up to 18 bits from a bit position on, the lowest first. */
function peek(bytes: Uint8Array, at: number, width: number): number {
  const i = at >> 3;
  return ((bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24)) >>> (at & 7)) & ((1 << width) - 1);
}

/** A little-endian integer. */
export function readLittle(bytes: Uint8Array, at: number, width: number): number {
  let value = 0;
  for (let i = 0; i < width; i += 1) value += bytes[at + i]! * 2 ** (8 * i);
  return value;
}

const truncated = (): Error => new Error('a Zstandard block that ends too early');
const tooLarge = (): Error => new Error('a Zstandard block with more content than is allowed');
const unknownCode = (): Error => new Error('an unknown code in a Zstandard block');
