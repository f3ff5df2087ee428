import type { FormatAbout, FormatDocs, FormatFacts } from '../../format/facts.ts';

export const facts: FormatFacts<'protojson'> = {
  id: 'protojson',
  // Not looked up: a response of this type is JSON, unless the schema says otherwise.
  mediaTypes: ['application/json'],
  schema: true,
};

export const about: FormatAbout = { label: 'ProtoJSON' };

export const docs: FormatDocs = {
  reads: 'the JSON mapping of Protocol Buffers, by the schemas of `protobuf`, to the same values; newline-delimited (`sequence`)',
  options: 'those of `protobuf`; `unknown`',
};
