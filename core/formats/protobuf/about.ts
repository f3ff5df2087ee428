import type { FormatAbout, FormatDocs, FormatFacts } from '../../format/facts.ts';

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

export const docs: FormatDocs = {
  reads:
    'proto2, proto3 and editions, by `.proto` text or a FileDescriptorSet; delimited messages (`sequence`); without a schema, field numbers and wire types (`schemaless`)',
  options: '`names`, `int64`, `enums`, `defaults`, `maps`, `oneofs`, `unknown`, `wellKnownTypes`',
};
