declare module '*.proto' {
  const text: string;
  export default text;
}
declare module '*.bfbs' {
  const bytes: Uint8Array<ArrayBuffer>;
  export default bytes;
}
declare module 'msgpack-lite/lib/browser.js' {
  const msgpack: { decode(bytes: Uint8Array): unknown };
  export default msgpack;
}
declare module 'notepack.io/browser/decode.js' {
  const decode: (buffer: ArrayBuffer) => unknown;
  export default decode;
}
declare module 'protocol-buffers-schema' {
  const parse: (text: string) => object;
  export default parse;
}
declare module 'pbf/compile' {
  export function compileRaw(schema: object, options: { noWrite?: boolean }): string;
}
