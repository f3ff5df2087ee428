import type { FormatAbout, FormatFacts } from '../../format/facts.ts';

export const facts: FormatFacts<'jsbinary'> = {
  id: 'jsbinary',
  mediaTypes: ['application/x-js-binary', '+js-binary'],
  schema: true,
  // The bytes do not identify the format, nor the type of a value.
};

export const about: FormatAbout = {
  label: 'js-binary',
};
