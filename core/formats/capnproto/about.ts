import type { FormatAbout, FormatDocs, FormatFacts } from '../../format/facts.ts';

export const facts: FormatFacts<'capnproto'> = {
  id: 'capnproto',
  mediaTypes: ['application/x-capnproto', 'application/capnproto', '+capnproto'],
  schema: true,
  // No sniffer: any words may be a message, and only a schema tells which.
};

export const about: FormatAbout = {
  label: 'Cap’n Proto',
  schemaFiles: { capnp: 'text', cgr: 'binary', request: 'doubtful' },
  unpacks: true,
  spans: { scattered: true },
};

export const docs: FormatDocs = {
  reads: "Cap'n Proto by a `.capnp` or a CodeGeneratorRequest: segments, packed messages, groups, unions, generic types, defaults",
  options: '`packed`, `flat`, `enums`, `defaults`, `int64`, `sequence`',
};
