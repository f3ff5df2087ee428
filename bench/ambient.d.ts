/** Globals that the benchmark's pages define. */
declare const bench: import('./page/harness.js').Bench;
declare const live: import('./live/page.js').Live;
declare const tables: import('./tables/page.js').Tables;
declare const encodeBench: import('./encode/harness.js').EncodeBench;
/** Functions that the encoding harness calls in Node; undefined in a page. */
declare const encodePlace:
  | {
      /** Milliseconds of garbage collection between two times. */
      garbageTime(from: number, to: number): Promise<number>;
      readText(path: string): Promise<string>;
    }
  | undefined;

/** The schema of trips, a package of the application that `--cold` measures. */
declare module 'trips-schema' {
  export const trips: { proto: string; message: string };
}
/** Code that the bundler generates from a schema: see generated/generate.mjs. */
declare module 'generated:*';
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
declare module 'yieldable-json' {
  const yieldable: { parseAsync(text: string, done: (error: Error | null, value: unknown) => void): void };
  export default yieldable;
}
declare module 'msgpack-lite' {
  const msgpack: { encode(value: unknown): Uint8Array };
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
  export function compileRaw(schema: object, options?: { noWrite?: boolean }): string;
}
declare module '*.avsc' {
  const schema: object;
  export default schema;
}
declare module '*.request' {
  const bytes: Uint8Array<ArrayBuffer>;
  export default bytes;
}
declare module 'avsc/etc/browser/avsc-types.js' {
  const avsc: object;
  export default avsc;
}
declare module 'avsc6/etc/browser/avsc-types.js' {
  const avsc: object;
  export default avsc;
}
declare module 'sializer' {
  const sializer: {
    Sia: new (options: { size: number }) => { serialize(value: unknown): Uint8Array };
    DeSia: new () => { deserialize(bytes: Uint8Array): unknown };
  };
  export default sializer;
}
declare module '*.bop' {
  const text: string;
  export default text;
}
declare module '*.jsbinary.json' {
  const type: object;
  export default type;
}
declare module 'js-binary' {
  const jsBinary: { Type: new (type: object) => { encode(value: unknown): Uint8Array; decode(bytes: Uint8Array): unknown } };
  export default jsBinary;
}
