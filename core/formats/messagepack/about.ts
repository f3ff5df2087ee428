import type { FormatAbout, FormatDocs, FormatFacts } from '../../format/facts.ts';

export const facts: FormatFacts<'messagepack'> = {
  id: 'messagepack',
  mediaTypes: ['application/vnd.msgpack', 'application/msgpack', 'application/x-msgpack', '+msgpack'],
  schema: false,
};

export const about: FormatAbout = {
  label: 'MessagePack',
  describesItself: true,
  // 0xc1 stands for one of msgpackr's bundled strings.
  spans: { isElsewhere: (token) => token === 0xc1 },
};

export const docs: FormatDocs = {
  reads: "the specification, and msgpackr's records, references, sets, maps, bundled strings",
  options: '`int64`, `maps`, `structures`, `float32`, `sequence`',
};

/** Tests for the header of a map, array or record. Bytes of plain text and 0xc1 are unlikely. */
export function sniff(head: Uint8Array): number {
  const first = head[0];
  if (first === undefined || first === 0xc1) return 0;
  if ((first >= 0x80 && first <= 0x9f) || (first >= 0xdc && first <= 0xdf)) return 0.7;
  if (first >= 0xc4 && first <= 0xdb) return 0.5;
  return 0.1;
}
