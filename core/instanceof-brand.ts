/**
 * Makes `instanceof` accept instances of every copy of a class. The library's entries, formats and worker are
 * self-contained files, so a page may hold several copies of a public class.
 */
export function brandInstances(name: string, kind: abstract new (...parameters: never[]) => object): void {
  const mark = Symbol.for(`unspool.${name}`);
  Object.defineProperty(kind.prototype, mark, { value: true });
  Object.defineProperty(kind, Symbol.hasInstance, {
    value(this: unknown, value: unknown): boolean {
      // A class derived by an application is checked as usual.
      return this === kind ? mark in Object(value) : Function.prototype[Symbol.hasInstance].call(this, value);
    },
  });
}
