import type { SpanSetting } from './spans.ts';

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

/** How the bytes of a format lie. */
export function spanSetting(format: string): SpanSetting {
  return SETTINGS[format] ?? {};
}

/** What a format's reader must be told for the span sink. */
export function spanOptions(format: string): object {
  return OPTIONS[format] ?? {};
}
