import type { FormatAbout, FormatFacts } from '../facts.ts';

export const facts: FormatFacts<'bebop'> = {
  id: 'bebop',
  mediaTypes: ['application/x-bebop', 'application/bebop', '+bebop'],
  schema: true,
  // Any bytes may be a record, and only a schema tells of what.
};

export const about: FormatAbout = {
  label: 'Bebop',
  schemaFiles: { bop: 'text' },
};
