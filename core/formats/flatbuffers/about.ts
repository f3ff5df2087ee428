import type { FormatAbout, FormatDocs, FormatFacts } from '../../format/facts.ts';

export const facts: FormatFacts<'flatbuffers'> = {
  id: 'flatbuffers',
  mediaTypes: ['application/x-flatbuffers', 'application/flatbuffers', '+flatbuffers'],
  schema: true,
  // No sniffer: any bytes may be a buffer, and only a schema tells which.
};

export const about: FormatAbout = {
  label: 'FlatBuffers',
  schemaFiles: { bfbs: 'binary', fbs: 'text' },
  spans: { scattered: true },
};

export const docs: FormatDocs = {
  reads:
    'FlatBuffers by an `.fbs` or `.bfbs`: tables, structs, unions, nested and size-prefixed buffers, 64-bit offsets; every offset checked before it is followed',
  options: '`enums`, `defaults`, `int64`, `vectors`, `nested`, `identifier`, `sizePrefixed`, `sequence`',
};
