/** True where two types are the same: assignable in both directions is not enough. */
export type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Fails to compile where the argument's type is not `Expected`. */
export declare function expectType<Expected>(): <Actual>(
  value: Actual,
  ...same: Equal<Actual, Expected> extends true ? [] : [expected: Expected]
) => void;

/** Fails to compile where the argument cannot stand for a `T`. */
export declare function expectAssignable<T>(value: T): void;
