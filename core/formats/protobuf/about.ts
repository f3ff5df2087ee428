import type { FormatAbout, FormatFacts } from '../facts.ts';

export const facts: FormatFacts<'protobuf'> = {
  id: 'protobuf',
  mediaTypes: ['application/x-protobuf', 'application/protobuf', 'application/vnd.google.protobuf', '+protobuf', '+proto'],
  // The option `schemaless` does without.
  schema: 'mostly',
  // Any bytes may be a message, and only a schema tells of what.
};

export const about: FormatAbout = {
  label: 'Protocol Buffers',
  schemaFiles: { proto: 'text', desc: 'binary', protoset: 'binary', fds: 'binary', pb: 'doubtful', binpb: 'doubtful' },
};
