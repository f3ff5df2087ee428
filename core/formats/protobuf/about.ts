import type { FormatAbout, FormatFacts } from '../../format/facts.ts';

export const facts: FormatFacts<'protobuf'> = {
  id: 'protobuf',
  mediaTypes: ['application/x-protobuf', 'application/protobuf', 'application/vnd.google.protobuf', '+protobuf', '+proto'],
  // Not needed with the option `schemaless`.
  schema: 'mostly',
  // No sniffer: any bytes may be a message, and only a schema tells which.
};

export const about: FormatAbout = {
  label: 'Protocol Buffers',
  schemaFiles: { proto: 'text', desc: 'binary', protoset: 'binary', fds: 'binary', pb: 'doubtful', binpb: 'doubtful' },
};
