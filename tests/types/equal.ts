/** True for identical types, not merely mutually assignable ones. */
export type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Fails to compile unless the type of the argument is `Expected`. */
export declare function expectType<Expected>(): <Actual>(
  value: Actual,
  ...same: Equal<Actual, Expected> extends true ? [] : [expected: Expected]
) => void;

/** Fails to compile unless the argument is assignable to `T`. */
export declare function expectAssignable<T>(value: T): void;
