/** A JSON value that is kept until its type is known. Objects are Maps, so that any key is only a key. */
export type Captured = null | boolean | number | bigint | string | Captured[] | Map<string, Captured>;

/** Collects the events of one JSON value. */
export class Capture {
  readonly #open: (Captured[] | Map<string, Captured>)[] = [];
  #key = '';

  /** True if the innermost container is an object that has a key already. */
  has(key: string): boolean {
    return (this.#open.at(-1) as Map<string, Captured>).has(key);
  }

  key(key: string): void {
    this.#key = key;
  }

  add(value: Captured): void {
    const container = this.#open.at(-1);
    if (container instanceof Map) container.set(this.#key, value);
    else container?.push(value);
  }

  begin(container: Captured[] | Map<string, Captured>): void {
    this.add(container);
    this.#open.push(container);
  }

  /** Ends a container. Returns it if it is the whole value. */
  end(): Captured | undefined {
    const container = this.#open.pop();
    return this.#open.length === 0 ? container : undefined;
  }
}
