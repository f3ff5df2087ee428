import type { FormatAbout, FormatDocs, FormatFacts } from '../../format/facts.ts';

export const facts: FormatFacts<'cbor'> = {
  id: 'cbor',
  mediaTypes: ['application/cbor', '+cbor', 'application/cbor-seq', '+cbor-seq'],
  schema: false,
};

export const about: FormatAbout = {
  label: 'CBOR',
  describesItself: true,
  // Tags 14 and 15 stand for cbor-x's bundled strings.
  spans: { isElsewhere: (token) => token === 0xce || token === 0xcf },
};

export const docs: FormatDocs = {
  reads: "RFC 8949 with the common tags, RFC 8746, RFC 8742, cbor-x's records and packed values",
  options: '`maps`, `int64`, `float32`, `decimals`, `embedded`, `structures`, `deterministic`, `sequence`',
};

/**
 * Tests for the tag of self-described CBOR (RFC 8949 section 3.4.6), for a map whose first key is a text string, or for
 * another map or an array. In MessagePack, the heads of small maps begin strings, and those of small arrays begin maps.
 */
export function sniff(head: Uint8Array): number {
  const [first, second, third] = head;
  if (first === undefined) return 0;
  if (first === 0xd9 && second === 0xd9 && third === 0xf7) return 1;
  if ((first >= 0xa1 && first <= 0xb7) || first === 0xbf) return second !== undefined && second >> 5 === 3 ? 0.8 : 0.4;
  if (first >= 0xb8 && first <= 0xba) return 0.6;
  if ((first >= 0x80 && first <= 0x9a) || first === 0x9f || first === 0xa0) return 0.45;
  return 0.1;
}
