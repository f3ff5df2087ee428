import { textHead } from '../../bytes/markup.ts';
import type { FormatAbout, FormatDocs, FormatFacts } from '../../format/facts.ts';

export const facts: FormatFacts<'json'> = {
  id: 'json',
  mediaTypes: [
    'application/json',
    '+json',
    'text/json',
    'application/x-ndjson',
    'application/ndjson',
    'application/jsonl',
    'application/x-jsonlines',
  ],
  schema: false,
};

export const about: FormatAbout = {
  label: 'JSON',
  describesItself: true,
  spans: { prefixes: false, tail: 1, rereadText: true },
  spanOptions: { ranges: true },
};

export const docs: FormatDocs = {
  reads: 'RFC 8259, newline-delimited JSON (`sequence`)',
  options: '`bigints` keeps large integers exact; `sequence`',
};

/** Tests for white space, then a character that a JSON text can start with (RFC 8259 section 2). */
export function sniff(head: Uint8Array): number {
  const text = textHead(head);
  return /^[{[]/.test(text) ? 0.9 : /^(?:"|-?\d|true|false|null)/.test(text) ? 0.5 : 0;
}
