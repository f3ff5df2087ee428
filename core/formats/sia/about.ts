import type { FormatAbout, FormatDocs, FormatFacts } from '../../format/facts.ts';

export const facts: FormatFacts<'sia'> = {
  id: 'sia',
  mediaTypes: ['application/x-sia', '+sia'],
  schema: false,
};

export const about: FormatAbout = {
  label: 'Sia',
  describesItself: true,
};

export const docs: FormatDocs = {
  reads: 'Sia v1: all blocks of its table, utfz, the key cache, Map, Set, constructors by code (`reviveTag`)',
  options: '`int64`, `builtins`, `sequence`',
};

/** Tests for the start of an object with a string as its first key, perhaps in an array. */
export function sniff(head: Uint8Array): number {
  const at = head[0] === 0x2f ? 2 : head[0] === 0x30 ? 3 : 0;
  if (head[at] === 0x34 && ((head[at + 1]! >= 0x1b && head[at + 1]! <= 0x1e) || head[at + 1] === 0x35)) return 0.8;
  return head[0]! <= 0x39 ? 0.05 : 0;
}
