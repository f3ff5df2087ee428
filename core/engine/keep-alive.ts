// When V8 collects garbage and a class has no instance, it drops the class's optimised code and type feedback, and the
// next payload runs in the interpreter. One idle instance of each class that decodes or encodes keeps them.
// Benchmark: --engine-switches, `keepAlive`.

/** Keeps one instance for each kind of work. */
class KeepAlive {
  readonly #instances = new Map<unknown, unknown>();

  /** Called after an instance was used. `make` creates one of the same classes. */
  keep(kind: unknown, make: () => unknown): void {
    if (!this.#instances.has(kind)) this.#instances.set(kind, make());
  }
}

/** The instances of this thread. */
export const keepAlive: KeepAlive = new KeepAlive();
