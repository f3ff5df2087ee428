const encoder = new TextEncoder();

/** The formats whose records kernels read. */
export type Grammar = 'json';

/** How the formats write a key, in the form that comes most. */
export const keyWriters: Readonly<Record<Grammar, (key: string) => Uint8Array>> = {
  json: (key) => encoder.encode(JSON.stringify(key)),
};
