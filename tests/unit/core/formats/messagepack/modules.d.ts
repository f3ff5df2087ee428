/** Types of msgpack-lite, which has none. */
declare module 'msgpack-lite' {
  const msgpackLite: {
    createCodec(options: { preset?: boolean; useraw?: boolean }): object;
    encode(value: unknown, options: { codec: object }): Uint8Array;
  };
  export default msgpackLite;
}
