import type { FormatAbout, FormatDocs, FormatFacts, Sniff } from '../../format/facts.ts';

export const facts: FormatFacts<'arrow'> = {
  id: 'arrow',
  mediaTypes: ['application/vnd.apache.arrow.stream', 'application/vnd.apache.arrow.file'],
  schema: null,
};

/** A file begins with its magic, a stream with the marker of a message. */
export const sniff: Sniff = (head) => (/^(ARROW1|\xff{4})/.test(String.fromCharCode(...head)) ? 1 : 0);

export const about: FormatAbout = {
  label: 'Apache Arrow',
  describesItself: true,
  unpacks: true,
  spans: { scattered: true },
};

export const docs: FormatDocs = {
  reads:
    "Apache Arrow's IPC stream and file: all types, dictionaries with deltas, buffers compressed with LZ4 and Zstandard ([guide](../guides/arrow.md))",
  options: '`int64`, `timestamps`, `decimals`, `maps`, `recordBatches`',
};
