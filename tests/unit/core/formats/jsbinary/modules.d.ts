declare module 'js-binary' {
  export class Type {
    constructor(literal: unknown);
    encode(value: unknown): Uint8Array;
    decode(bytes: Uint8Array): unknown;
  }
}
