import type { FormatAbout, FormatDocs, FormatFacts } from '../../format/facts.ts';

export const facts: FormatFacts<'jsbinary'> = {
  id: 'jsbinary',
  mediaTypes: ['application/x-js-binary', '+js-binary'],
  schema: true,
  // The bytes do not identify the format, nor the type of a value.
};

export const about: FormatAbout = {
  label: 'js-binary',
};

export const docs: FormatDocs = {
  reads: 'js-binary by its type literal: all types, optional fields, arrays',
  options: '`int64`, `sequence`',
};
