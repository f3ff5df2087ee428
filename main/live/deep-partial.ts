/** Values without parts. */
type Whole = number | bigint | boolean | symbol | null | undefined | Date | RegExp | Error | URL | ArrayBuffer | ArrayBufferView;

/**
 * The type of a value of which only a part has arrived: every property may be missing, arrays may be shorter, and a string may
 * be any prefix of its text.
 */
export type DeepPartial<T> = T extends string
  ? string
  : T extends Whole
    ? T
    : T extends Map<infer K, infer V>
      ? Map<K, DeepPartial<V>>
      : T extends Set<infer V>
        ? Set<DeepPartial<V>>
        : T extends readonly (infer V)[]
          ? DeepPartial<V>[]
          : T extends object
            ? { [K in keyof T]?: DeepPartial<T[K]> }
            : T;
