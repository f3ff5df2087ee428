/**
 * Memory that a reader which has ended leaves for the next one: to allocate it would cost as much as to read a small
 * payload.
 */
export class FreeList<T> {
  readonly #make: () => T;
  #left: T | undefined;

  constructor(make: () => T) {
    this.#make = make;
  }

  /** It is the caller's alone until it is given back, and may hold anything. */
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
