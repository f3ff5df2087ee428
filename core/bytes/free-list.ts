/** Reuses the memory of a reader that has ended: allocating it costs as much as reading a small payload. */
export class FreeList<T> {
  readonly #make: () => T;
  #left: T | undefined;

  constructor(make: () => T) {
    this.#make = make;
  }

  /** Returns memory with arbitrary content, which belongs to the caller until it is given back. */
  take(): T {
    const left = this.#left;
    if (left === undefined) return this.#make();
    this.#left = undefined;
    return left;
  }

  give(memory: T): void {
    this.#left = memory;
  }
}
