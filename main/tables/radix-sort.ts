import type { Slicer } from '../../core/slicing/slicer.ts';
import { PIECE } from './pieces.ts';

/** Bits of a digit: 2,048 counters stay in the processor's first cache. */
const DIGIT_BITS = 11;
const DIGITS = 1 << DIGIT_BITS;
const DIGIT_MASK = DIGITS - 1;
/** Digits of a word. */
const WORD_DIGITS = 3;

const float = new Float64Array(1);
const words = new Uint32Array(float.buffer);
/** Index of the word with the sign and the exponent. */
const HIGH = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1 ? 1 : 0;

/** Numbers by row as two unsigned words, which are in the order of the numbers. */
export class NumberKeys {
  readonly high: Uint32Array;
  readonly low: Uint32Array;

  constructor(length: number) {
    this.high = new Uint32Array(length);
    this.low = new Uint32Array(length);
  }

  /** Sets a row's number, which must not be NaN. */
  set(row: number, value: number): void {
    // Makes −0 to 0.
    float[0] = value + 0;
    const high = words[HIGH]!;
    const low = words[1 - HIGH]!;
    // Positive numbers are ordered by their bits, negative ones by the complement.
    const negative = high >>> 31 === 1;
    this.high[row] = negative ? ~high : high | 0x8000_0000;
    this.low[row] = negative ? ~low : low;
  }
}

/** Sorts rows by their numbers, stably and in slices. May change `rows`. */
export async function sortByNumbers(rows: Uint32Array, keys: NumberKeys, descending: boolean, slicer: Slicer): Promise<Uint32Array> {
  const { high, low } = keys;
  let source = rows;
  let target: Uint32Array = new Uint32Array(rows.length);
  const counts = await countDigits(rows, keys, slicer);
  for (let digit = 0; digit < 2 * WORD_DIGITS; digit++) {
    const places = counts.subarray(digit * DIGITS, (digit + 1) * DIGITS);
    // All rows have the same digit.
    if (places.includes(rows.length)) continue;
    toStarts(places, descending);
    const words = digit < WORD_DIGITS ? low : high;
    const shift = (digit % WORD_DIGITS) * DIGIT_BITS;
    for (let from = 0; from < source.length; from += PIECE) {
      distribute(source, target, words, shift, places, from, Math.min(from + PIECE, source.length));
      if (slicer.due()) await slicer.pause();
    }
    [source, target] = [target, source];
  }
  return source;
}

/** Counts the rows with each value of each digit, from the lowest. */
async function countDigits(rows: Uint32Array, { high, low }: NumberKeys, slicer: Slicer): Promise<Uint32Array> {
  const counts = new Uint32Array(2 * WORD_DIGITS * DIGITS);
  for (let from = 0; from < rows.length; from += PIECE) {
    addDigits(counts, 0, low, rows, from, Math.min(from + PIECE, rows.length));
    addDigits(counts, WORD_DIGITS * DIGITS, high, rows, from, Math.min(from + PIECE, rows.length));
    if (slicer.due()) await slicer.pause();
  }
  return counts;
}

function addDigits(counts: Uint32Array, base: number, words: Uint32Array, rows: Uint32Array, from: number, to: number): void {
  for (let at = from; at < to; at++) {
    const word = words[rows[at]!]!;
    counts[base + (word & DIGIT_MASK)]! += 1;
    counts[base + DIGITS + ((word >>> DIGIT_BITS) & DIGIT_MASK)]! += 1;
    counts[base + 2 * DIGITS + (word >>> (2 * DIGIT_BITS))]! += 1;
  }
}

/** Turns the counts of digits into the place of each digit's first row. */
function toStarts(counts: Uint32Array, descending: boolean): void {
  let place = 0;
  for (let at = 0; at < DIGITS; at++) {
    const digit = descending ? DIGITS - 1 - at : at;
    const count = counts[digit]!;
    counts[digit] = place;
    place += count;
  }
}

function distribute(
  source: Uint32Array,
  target: Uint32Array,
  words: Uint32Array,
  shift: number,
  places: Uint32Array,
  from: number,
  to: number,
): void {
  for (let at = from; at < to; at++) {
    const row = source[at]!;
    target[places[(words[row]! >>> shift) & DIGIT_MASK]!++] = row;
  }
}
