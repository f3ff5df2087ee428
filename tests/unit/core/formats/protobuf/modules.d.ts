declare module 'pbf/compile' {
  export function compile(schema: unknown): Record<string, unknown>;
}

declare module 'protocol-buffers-schema' {
  const parse: (proto: string) => unknown;
  export default parse;
}
