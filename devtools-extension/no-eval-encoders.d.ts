/** msgpackr ships this build without types of its own. */
declare module 'msgpackr/index-no-eval' {
  export { Packr } from 'msgpackr';
}

/** The package has no types. */
declare module 'sializer' {
  export class Sia {
    constructor(options?: { size?: number });
    readonly buffer: Uint8Array;
    serialize(value: unknown): Uint8Array;
  }
}
