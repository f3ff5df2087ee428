/** Words of a step: operation, column, and two operands. */
export const STEP_WORDS = 4;

const encoder = new TextEncoder();

/**
 * What a kernel does for the values of a record whose schema tells them: a step for each, in the order of the bytes. Its
 * operation is one that the format's kernel knows, its column the record's key, or −1 where the value is passed over.
 */
export class RowSteps {
  /** How many steps a record takes. */
  count = 0;
  /** The steps; behind those of the record, those that they name. */
  readonly words: number[] = [];
  /** Strings that steps name, as UTF-8. */
  readonly symbols: Uint8Array[];
  /** Steps of which one is carried out in place of that which stands here, by its index. */
  readonly #branches: { step: number; steps: RowSteps }[] = [];

  /** `symbols` are those of the steps of which these are branches. */
  constructor(symbols: Uint8Array[] = []) {
    this.symbols = symbols;
  }

  add(operation: number, column: number, a = 0, b = 0): void {
    this.words.push(operation, column, a, b);
    this.count += 1;
  }

  /** Returns the index of the first. A symbol has one column. */
  addSymbols(texts: readonly string[]): number {
    return this.symbols.push(...texts.map((text) => encoder.encode(text))) - texts.length;
  }

  /** Adds a step of which `a` is to be where one of several lies, and `b` how many there are. */
  addBranches(operation: number, column: number, steps: RowSteps): void {
    this.#branches.push({ step: this.count, steps });
    this.add(operation, column, 0, steps.count);
  }

  /** No step of the record comes any more. */
  finish(): this {
    for (const { step, steps } of this.#branches) {
      this.words[step * STEP_WORDS + 2] = this.words.length / STEP_WORDS;
      this.words.push(...steps.words);
    }
    return this;
  }
}
