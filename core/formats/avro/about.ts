import type { FormatAbout, FormatDocs, FormatFacts, Sniff } from '../../format/facts.ts';

export const facts: FormatFacts<'avro'> = {
  id: 'avro',
  mediaTypes: ['application/avro', 'avro/binary', 'application/vnd.apache.avro+binary', 'application/vnd.apache.avro', 'application/x-avro', '+avro'],
  // A container includes its schema.
  schema: false,
};

export const about: FormatAbout = {
  label: 'Avro',
  schemaFiles: { avsc: 'text' },
  unpacks: true,
};

export const docs: FormatDocs = {
  reads:
    'plain data, single objects with fingerprints, object container files with null, deflate, snappy and zstandard, and codecs that are [added](../guides/avro.md#other-codecs); all logical types; schema resolution',
  options: '`framing`, `sequence`, `unions`, `maps`, `int64`, `logicalTypes`, `timestamps`, `decimals`',
};

/** The magic of a container. Other data cannot be recognised without their schema. */
export const sniff: Sniff = (head) => (String.fromCharCode(...head).startsWith('Obj\x01') ? 1 : 0);
