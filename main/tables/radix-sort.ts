import type { Slicer } from '../slicing/slicer.ts';

/** Bits of a digit: 2,048 counters stay in the processor's first cache. */
const DIGIT_BITS = 11;
const DIGITS = 1 << DIGIT_BITS;
const DIGIT_MASK = DIGITS - 1;

/** Rows between two looks at the clock. */
const PIECE = 16_384;

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
export async function sortByNumbers(rows: Uint32Array, { high, low }: NumberKeys, descending: boolean, slicer: Slicer): Promise<Uint32Array> {
  let source = rows;
  let target: Uint32Array = new Uint32Array(rows.length);
  for (const words of [low, high]) {
    for (let shift = 0; shift < 32; shift += DIGIT_BITS) {
      const counts = await countDigits(source, words, shift, slicer);
      // All rows have the same digit.
      if (counts.includes(source.length)) continue;
      toStarts(counts, descending);
      for (let from = 0; from < source.length; from += PIECE) {
        distribute(source, target, words, shift, counts, from, Math.min(from + PIECE, source.length));
        if (slicer.due()) await slicer.pause();
      }
      [source, target] = [target, source];
    }
  }
  return source;
}

async function countDigits(rows: Uint32Array, words: Uint32Array, shift: number, slicer: Slicer): Promise<Uint32Array> {
  const counts = new Uint32Array(DIGITS);
  for (let from = 0; from < rows.length; from += PIECE) {
    const to = Math.min(from + PIECE, rows.length);
    for (let at = from; at < to; at++) counts[(words[rows[at]!]! >>> shift) & DIGIT_MASK]! += 1;
    if (slicer.due()) await slicer.pause();
  }
  return counts;
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
