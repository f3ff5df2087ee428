import type { RowGrammar } from '../../events/offers.ts';

const encoder = new TextEncoder();
const utf8 = (key: string): Uint8Array => encoder.encode(key);
const none = (): Uint8Array => new Uint8Array(0);

/** What a kernel compares keys with: JSON's in the form that comes most, others as their bytes; none where no keys are written. */
export const keyWriters: Readonly<Record<RowGrammar, (key: string) => Uint8Array>> = {
  json: (key) => encoder.encode(JSON.stringify(key)),
  messagepack: utf8,
  messagepackRecords: none,
  cbor: utf8,
  cborRecords: none,
};
