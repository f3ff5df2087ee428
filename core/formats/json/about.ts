import type { FormatAbout, FormatFacts } from '../facts.ts';

export const facts: FormatFacts<'json'> = {
  id: 'json',
  mediaTypes: ['application/json', '+json', 'text/json', 'application/x-ndjson', 'application/jsonl'],
  schema: false,
};

export const about: FormatAbout = {
  label: 'JSON',
  describesItself: true,
  spans: { prefixes: false, tail: 1, rereadText: true },
  spanOptions: { ranges: true },
};

/** Tests for white space, then a character that a JSON text can start with (RFC 8259 section 2). */
export function sniff(head: Uint8Array): number {
  let at = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0;
  while (head[at] === 0x20 || head[at] === 0x0a || head[at] === 0x0d || head[at] === 0x09) at += 1;
  const first = head[at];
  if (first === undefined) return 0;
  if (first === 0x7b || first === 0x5b) return 0.9;
  return /^(?:"|-?\d|true|false|null)/.test(String.fromCharCode(...head.subarray(at, at + 5))) ? 0.5 : 0;
}
