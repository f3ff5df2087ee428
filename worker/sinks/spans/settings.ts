import type { SpanSetting } from './builder.ts';

const SETTINGS: Readonly<Record<string, SpanSetting>> = {
  json: { prefixes: false, tail: 1, rereadText: true },
  // 0xc1 is a string of msgpackr's bundles.
  messagepack: { isElsewhere: (token) => token === 0xc1 },
  // Tags 14 and 15 are strings of cbor-x's bundles.
  cbor: { isElsewhere: (token) => token === 0xce || token === 0xcf },
  // A zero ends a string and a name.
  bson: { tail: 1 },
  flatbuffers: { scattered: true },
  capnproto: { scattered: true },
};

/** Options with which a reader reports where every value lies. */
const OPTIONS: Readonly<Record<string, object>> = { json: { ranges: true } };

/** Formats whose readers unpack parts of the body. */
const UNPACKED = new Set(['avro', 'capnproto']);

/** How the bytes of a format lie, in this body. */
export function spanSetting(format: string, body: Uint8Array): SpanSetting {
  return UNPACKED.has(format) ? { ...SETTINGS[format], body } : (SETTINGS[format] ?? {});
}

/** What a format's reader must be told for the span sink. */
export function spanOptions(format: string): object {
  return OPTIONS[format] ?? {};
}
