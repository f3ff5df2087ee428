import type { FormatAbout, FormatFacts } from '../facts.ts';

export const facts: FormatFacts<'jsbinary'> = {
  id: 'jsbinary',
  mediaTypes: ['application/x-js-binary', '+js-binary'],
  schema: true,
  // Any bytes may be a value, and only the type tells of what.
};

export const about: FormatAbout = {
  label: 'js-binary',
};
