declare module 'sializer' {
  interface Constructor {
    constructor: unknown;
    code: number;
    args: (item: never) => unknown[];
    build: (...args: never[]) => unknown;
  }
  interface Options {
    size?: number;
    constructors?: readonly Constructor[];
  }
  export class Sia {
    constructor(options?: Options);
    readonly buffer: Uint8Array;
    serialize(value: unknown): Uint8Array;
  }
  export class DeSia {
    constructor(options?: Options);
    deserialize(bytes: Uint8Array): unknown;
  }
  export const constructors: readonly Constructor[];
}
