/** Words of a step: operation, column, and two operands. */
export const STEP_WORDS = 4;

const encoder = new TextEncoder();

/**
 * Program of a row kernel for a record defined by a schema: one step per value, in the order of the bytes. A step's
 * operation is the kernel's own; its column is the record's key, or −1 if the value is skipped.
 */
export class RowSteps {
  /** Steps of one record. */
  count = 0;
  /** The steps of the record, followed by those of branches. */
  readonly words: number[] = [];
  /** Strings that steps refer to, as UTF-8. */
  readonly symbols: Uint8Array[];
  /** Steps of branches, by the index of the step that chooses one of them. */
  readonly #branches: { step: number; steps: RowSteps }[] = [];

  /** `symbols` are those of the steps that contain this branch. */
  constructor(symbols: Uint8Array[] = []) {
    this.symbols = symbols;
  }

  add(operation: number, column: number, a = 0, b = 0): void {
    this.words.push(operation, column, a, b);
    this.count += 1;
  }

  /** Adds strings that one column uses. Returns the index of the first. */
  addSymbols(texts: readonly string[]): number {
    const first = this.symbols.length;
    for (const text of texts) this.symbols.push(encoder.encode(text));
    return first;
  }

  /** Adds a step whose `a` becomes the position of its branches, and whose `b` is their number. */
  addBranches(operation: number, column: number, steps: RowSteps): void {
    this.#branches.push({ step: this.count, steps });
    this.add(operation, column, 0, steps.count);
  }

  /** Appends the branches. Called after the last step. */
  finish(): this {
    for (const { step, steps } of this.#branches) {
      this.words[step * STEP_WORDS + 2] = this.words.length / STEP_WORDS;
      for (const word of steps.words) this.words.push(word);
    }
    return this;
  }
}
