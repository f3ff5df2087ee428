/** Added to the generator's state for each number. */
const STEP = 0x6d2b79f5;
/** Upper bound for the random numbers that a slice of inputs takes. */
const NUMBERS_OF_SLICE = 2 ** 18;

/** The seed of a slice, whose random numbers follow those of the previous slice. */
export function laterSeed(seed: number, slice: number): number {
  return (seed + Math.imul(slice * NUMBERS_OF_SLICE, STEP)) | 0;
}

/** A small generator of repeatable random numbers (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** An integer, 0 ≤ integer < limit. */
  below(limit: number): number {
    this.#state = (this.#state + STEP) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }
}

/** Boundary values of bytes: limits of integers, lengths and markers. */
const EDGES = [0x00, 0x01, 0x1f, 0x20, 0x3f, 0x40, 0x7f, 0x80, 0x81, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xdf, 0xe0, 0xf7, 0xfe, 0xff];

/** Boundary values of numbers in schemas. */
const NUMBERS = ['0', '-1', '1', '2', '255', '256', '1.5', '536870911', '536870912', '2147483647', '4294967296', '1e400', '99999999999999999999'];

type Mutation = (random: Random, input: Uint8Array, others: readonly Uint8Array[]) => Uint8Array;

const MUTATIONS: readonly Mutation[] = [
  // Changes a bit or a byte.
  (random, input) => changed(input, random.below(input.length), (byte) => byte ^ (1 << random.below(8))),
  (random, input) => changed(input, random.below(input.length), () => random.below(256)),
  (random, input) => changed(input, random.below(input.length), () => random.pick(EDGES)),
  // Changes four bytes, which may be a length.
  (random, input) => {
    const at = random.below(input.length);
    const edge = random.pick([0x00, 0x7f, 0x80, 0xff]);
    return input.map((byte, index) => (index >= at && index < at + 4 ? edge : byte));
  },
  // Truncates, deletes, repeats, or inserts from another input.
  (random, input) => input.slice(0, random.below(input.length)),
  (random, input) => {
    const at = random.below(input.length);
    return joined(input.subarray(0, at), input.subarray(at + 1 + random.below(8)));
  },
  (random, input) => {
    const at = random.below(input.length);
    return joined(input.subarray(0, at), input.subarray(Math.max(0, at - 1 - random.below(16))));
  },
  (random, input, others) => {
    const other = random.pick(others);
    return joined(input.subarray(0, random.below(input.length)), other.subarray(random.below(other.length)));
  },
];

/** The input with one to four random changes. */
export function mutate(random: Random, input: Uint8Array, others: readonly Uint8Array[]): Uint8Array {
  let bytes = input;
  for (let changes = 1 + random.below(4); changes > 0 && bytes.length > 0; changes--) bytes = random.pick(MUTATIONS)(random, bytes, others);
  return bytes;
}

/** A text with one to three changed tokens; most changes keep it valid. */
export function mutateText(random: Random, text: string): string {
  const tokens = text.match(/\w+|\s+|[^]/g) ?? [];
  for (let changes = 1 + random.below(3); changes > 0 && tokens.length > 0; changes--) {
    const at = random.below(tokens.length);
    const other = random.pick(tokens);
    const kind = random.below(6);
    if (kind === 0) tokens.splice(at, 1);
    else if (kind === 1) tokens.splice(at, 0, tokens[at]!);
    else if (kind === 2) tokens.splice(at, 1 + random.below(8));
    else if (kind === 3) tokens.splice(at, 0, ...tokens.slice(random.below(tokens.length)).slice(0, 20));
    else tokens[at] = /^\d/.test(tokens[at]!) || kind === 4 ? random.pick(NUMBERS) : other;
  }
  return tokens.join('');
}

/** The input with one to three changed bytes. */
export function mutateFew(random: Random, input: Uint8Array): Uint8Array {
  let bytes = input;
  for (let changes = 1 + random.below(3); changes > 0; changes--) {
    const edge = random.below(2) === 0;
    bytes = changed(bytes, random.below(bytes.length), (byte) => (edge ? random.pick(EDGES) : byte ^ (1 << random.below(8))));
  }
  return bytes;
}

function changed(input: Uint8Array, at: number, change: (byte: number) => number): Uint8Array {
  const bytes = input.slice();
  bytes[at] = change(bytes[at]!);
  return bytes;
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}
