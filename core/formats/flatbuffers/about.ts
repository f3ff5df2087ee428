import type { FormatAbout, FormatFacts } from '../../format/facts.ts';

export const facts: FormatFacts<'flatbuffers'> = {
  id: 'flatbuffers',
  mediaTypes: ['application/x-flatbuffers', 'application/flatbuffers', '+flatbuffers'],
  schema: true,
  // No sniffer: any bytes may be a buffer, and only a schema tells which.
};

export const about: FormatAbout = {
  label: 'FlatBuffers',
  schemaFiles: { bfbs: 'binary' },
  schemaSource: { extension: 'fbs', compile: (name) => `flatc --schema --binary --bfbs-builtins ${name}, and drop the .bfbs` },
  spans: { scattered: true },
};
