import type { FormatAbout, FormatDocs, FormatFacts } from '../../format/facts.ts';

export const facts: FormatFacts<'capnproto'> = {
  id: 'capnproto',
  mediaTypes: ['application/x-capnproto', 'application/capnproto', '+capnproto'],
  schema: true,
  // No sniffer: any words may be a message, and only a schema tells which.
};

export const about: FormatAbout = {
  label: 'Cap’n Proto',
  schemaFiles: { cgr: 'binary', request: 'doubtful' },
  schemaSource: { extension: 'capnp', compile: (name) => `capnp compile -o- ${name} > ${name}.request, and drop that` },
  unpacks: true,
  spans: { scattered: true },
};

export const docs: FormatDocs = {
  reads: "Cap'n Proto by a CodeGeneratorRequest: segments, packed messages, groups, unions, generic types, defaults",
  options: '`packed`, `flat`, `enums`, `defaults`, `int64`, `sequence`',
};
