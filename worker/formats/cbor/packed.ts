import type { Budget } from '../../limits.ts';
import type { Input } from './input.ts';

/** A data item that is no container. */
export type Scalar = PackedValues[number];

/** A table of values that are no containers, in which an entry may be missing. */
export type PackedValues = readonly (number | bigint | string | boolean | null | undefined)[];

/**
 * Packed values (draft-ietf-cbor-packed-03, as far as cbor-x writes it): a table, and references to its entries.
 *
 *     0xd833 (tag 51), 0x84, array of entries, 0x80, 0x80, value    a table for that value
 *     0xe0 to 0xef (simple values 0 to 15)                          entry 0 to 15
 *     0xc6 (tag 6), unsigned n                                      entry 16 + 2n
 *     0xc6 (tag 6), negative −1 − n                                 entry 17 + 2n
 *
 * The two empty arrays are the tables of prefixes and suffixes.
 */
export class PackedTables {
  #table: PackedValues | undefined;
  readonly #outer: (PackedValues | undefined)[] = [];
  readonly #input: Input;
  readonly #budget: Budget;
  /** The entries of a table that is being read. */
  entries: Scalar[] = [];

  constructor(input: Input, budget: Budget, shared: PackedValues | undefined) {
    this.#input = input;
    this.#budget = budget;
    this.#table = shared;
  }

  get active(): boolean {
    return this.#table !== undefined;
  }

  /** The table whose entries were read holds from here on. What an outer table has past its end goes on. */
  enter(): void {
    this.#outer.push(this.#table);
    this.#table = [...this.entries, ...(this.#table ?? []).slice(this.entries.length)];
    this.entries = [];
  }

  /** No table is opened, but one is closed by `leave`. */
  enterSame(): void {
    this.#outer.push(this.#table);
  }

  leave(): void {
    this.#table = this.#outer.pop();
  }

  /** The entry that `index` refers to. */
  peek(index: number, at: number): Scalar {
    const table = this.#table!;
    if (!(index in table)) this.#input.fail('malformed', `reference to unknown packed value ${index}`, at);
    return table[index];
  }

  /** The entry, which counts as output: a reference may be shorter than it. */
  entry(index: number, at: number): Scalar {
    const value = this.peek(index, at);
    if (typeof value === 'string') this.#budget.spend(value.length, this.#input.base + at);
    return value;
  }
}

/** The number of the entry that a reference by tag 6 has in the table. */
export function packedIndex(reference: number): number {
  return reference >= 0 ? 16 + 2 * reference : 15 - 2 * reference;
}
