import type { Budget } from '../../../budget.ts';
import type { Input } from '../read/input.ts';

/** A data item that is not a container. */
export type Scalar = PackedValues[number];

/** A table of values that are not containers. Entries may be missing. */
export type PackedValues = readonly (number | bigint | string | boolean | null | undefined)[];

/** Marks an entry that a table lacks. */
const MISSING = Symbol('missing');

type Entries = (Scalar | typeof MISSING)[];

/**
 * Packed values (draft-ietf-cbor-packed-03, as far as cbor-x writes them): a table, and references to its entries.
 *
 *     0xd833 (tag 51), 0x84, array of entries, 0x80, 0x80, value    a table for that value
 *     0xe0 to 0xef (simple values 0 to 15)                          entry 0 to 15
 *     0xc6 (tag 6), unsigned n                                      entry 16 + 2n
 *     0xc6 (tag 6), negative −1 − n                                 entry 17 + 2n
 *
 * The two empty arrays are the tables of prefixes and suffixes. A nested table hides the first entries of the outer one:
 * they are swapped with its own until it ends, so that its cost depends on its own entries only.
 */
export class PackedTables {
  /** The entries in effect: those of the innermost table, followed by those of longer outer tables past its end. */
  readonly #table: Entries;
  /** For each open table, the entries that it hides and the length of the outer table; undefined for `enterSame`. */
  readonly #hidden: ({ entries: Entries; length: number } | undefined)[] = [];
  /** How many tables are in effect. */
  #tables = 0;
  readonly #input: Input;
  readonly #budget: Budget;
  /** The entries of the table being read. */
  entries: Scalar[] = [];

  constructor(input: Input, budget: Budget, shared: PackedValues | undefined) {
    this.#input = input;
    this.#budget = budget;
    this.#table = Array.from(shared ?? [], (value, index) => (index in shared! ? value : MISSING));
    if (shared !== undefined) this.#tables = 1;
  }

  get active(): boolean {
    return this.#tables > 0;
  }

  /** Puts the table just read into effect. */
  enter(): void {
    const { entries } = this;
    this.#hidden.push({ entries, length: this.#table.length });
    this.#swap(entries);
    this.#tables += 1;
    this.entries = [];
  }

  /** Opens no table, but matches a later `leave`. */
  enterSame(): void {
    this.#hidden.push(undefined);
  }

  leave(): void {
    const hidden = this.#hidden.pop();
    if (hidden === undefined) return;
    this.#swap(hidden.entries);
    this.#table.length = hidden.length;
    this.#tables -= 1;
  }

  /** The entry that `index` refers to. */
  peek(index: number, at: number): Scalar {
    const value = index < this.#table.length ? this.#table[index] : MISSING;
    return value === MISSING ? this.#input.fail('malformed', `reference to unknown packed value ${index}`, at) : value;
  }

  /** The entry that `index` refers to, which counts as output: a reference may be shorter than its value. */
  entry(index: number, at: number): Scalar {
    const value = this.peek(index, at);
    this.#budget.spendBytes(lengthOf(value), this.#input.base + at);
    return value;
  }

  #swap(entries: Entries): void {
    const table = this.#table;
    for (let index = 0; index < entries.length; index += 1) {
      const entry = entries[index]!;
      entries[index] = index < table.length ? table[index]! : MISSING;
      table[index] = entry;
    }
  }
}

/** Size that a repeated value adds to the output: characters of a string, or digits of a long integer. */
export function lengthOf(value: Scalar): number {
  if (typeof value === 'string') return value.length;
  return typeof value === 'bigint' && BigInt.asIntN(64, value) !== value ? value.toString(16).length : 0;
}

/** The table index for a reference by tag 6. */
export function packedIndex(reference: number): number {
  return reference >= 0 ? 16 + 2 * reference : 15 - 2 * reference;
}
