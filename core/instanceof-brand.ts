/**
 * Lets `instanceof` know the instances of every copy of a class. The library's entries, the formats and the worker are
 * files that have all their code in them, so that a page may have several copies of a class that applications can see.
 */
export function brandInstances(name: string, kind: abstract new (...parameters: never[]) => object): void {
  const mark = Symbol.for(`unspool.${name}`);
  Object.defineProperty(kind.prototype, mark, { value: true });
  Object.defineProperty(kind, Symbol.hasInstance, {
    value(this: unknown, value: unknown): boolean {
      // A class that an application derives is known as any other.
      if (this !== kind) return Function.prototype[Symbol.hasInstance].call(this, value);
      return typeof value === 'object' && value !== null && mark in value;
    },
  });
}
