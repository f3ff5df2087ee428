import type { ContenderAbout } from './contender.ts';

/** The contenders, in display order. */
export const CONTENDERS: readonly ContenderAbout[] = [
  {
    id: 'json-parse',
    title: 'JSON.parse',
    how: 'On the main thread, from bytes to text to objects.',
    encodingFor: () => 'json',
  },
  {
    id: 'msgpackr',
    title: 'msgpackr',
    how: 'On the main thread, from bytes to objects, without generated code, which this page’s security policy forbids.',
    encodingFor: (chosen) => (chosen === 'json' ? 'messagepack' : chosen),
  },
  {
    id: 'clone',
    title: 'Worker, objects posted back',
    how: 'A worker decodes with one of the two above; it posts the objects back by structured clone.',
    encodingFor: (chosen) => chosen,
  },
  {
    id: 'unspool',
    title: 'Unspool',
    how: 'A worker decodes into columns; the page builds an object when a row is read, or all of them in slices.',
    encodingFor: (chosen) => chosen,
  },
];
