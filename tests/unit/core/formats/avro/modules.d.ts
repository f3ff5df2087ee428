/** Types of avsc without its streams, which browsers lack. */
declare module 'avsc6/lib/types.js' {
  interface AvscType {
    toBuffer(value: unknown): Uint8Array;
    fromBuffer(bytes: Uint8Array, resolver?: unknown): unknown;
    createResolver(writer: AvscType): unknown;
  }
  const types: { Type: { forSchema(schema: unknown, options: object): AvscType } };
  export default types;
}
