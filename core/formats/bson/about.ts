import type { FormatAbout, FormatDocs, FormatFacts } from '../../format/facts.ts';

export const facts: FormatFacts<'bson'> = {
  id: 'bson',
  mediaTypes: ['application/bson', 'application/x-bson', '+bson'],
  schema: false,
};

export const about: FormatAbout = {
  label: 'BSON',
  describesItself: true,
  // A zero ends a string and a name.
  spans: { tail: 1 },
};

export const docs: FormatDocs = {
  reads: 'BSON 1.1, all types',
  options:
    "`types`: JavaScript's own values, Extended JSON (`relaxed`, `canonical`), or with a `reviveTag` the bson package's classes; `int64`, `sequence`",
};

/**
 * Tests for the size of a document (perhaps that of the input), the type of its first element, and a key with an end.
 */
export function sniff(head: Uint8Array, length?: number): number {
  const [a = 0, b = 0, c = 0, d = 0, type] = head;
  const size = a + b * 0x100 + c * 0x1_0000 + d * 0x100_0000;
  if (type === undefined || size < 5 || size > 0x7fff_ffff || (length !== undefined && size > length)) return 0;
  if (type === 0) return size === 5 && (length ?? 5) === 5 ? 0.95 : 0.1;
  if (type > 0x13 && type !== 0x7f && type !== 0xff) return 0;
  const end = head.indexOf(0, 5);
  if (end < 0 && head.length < 64) return 0;
  // People do not use control characters in keys.
  const key = head.subarray(5, end < 0 ? head.length : end);
  if (key.some((byte) => byte < 0x20)) return 0;
  return size === length ? 0.95 : end < 0 ? 0.3 : 0.75;
}
