import type { FormatAbout, FormatDocs, FormatFacts } from '../../format/facts.ts';

export const facts: FormatFacts<'bebop'> = {
  id: 'bebop',
  mediaTypes: ['application/x-bebop', 'application/bebop', '+bebop'],
  schema: true,
  // The bytes do not identify the format, nor the type of a record.
};

export const about: FormatAbout = {
  label: 'Bebop',
  schemaFiles: { bop: 'text' },
};

export const docs: FormatDocs = {
  reads: 'Bebop by a `.bop` text or a binary schema: structs, messages, unions, enums, maps, dates, guids',
  options: '`enums`, `maps`, `int64`, `sequence`',
};
