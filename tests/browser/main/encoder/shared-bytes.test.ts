import { describe, expect, test } from 'vitest';
import { createEncoder, type EncodeOptions } from '../../../../main/encode.ts';
import { KINDS } from '../../../setup/ways/chunk-kinds.ts';

const encoder = createEncoder();
const bytes = Uint8Array.from({ length: 1000 }, (_, at) => at % 251);
const schema = { type: 'record', name: 'A', fields: [{ name: 'data', type: 'bytes' }] };
const FORMATS = {
  messagepack: { format: 'messagepack' },
  cbor: { format: 'cbor' },
  bson: { format: 'bson' },
  avro: { format: 'avro', schema },
  protobuf: { format: 'protobuf', schema: { proto: 'syntax="proto3"; message A { bytes data = 1; }', message: 'A' } },
  bebop: { format: 'bebop', schema: { bop: 'struct A { byte[] data; }', record: 'A' } },
  json: { format: 'json', options: { bytes: 'base64' } },
} as unknown as Readonly<Record<string, EncodeOptions>>;

describe.each(Object.keys(KINDS).filter((kind) => /shared|resizable/.test(kind)))('bytes in %s', (kind) => {
  test.each(Object.keys(FORMATS))('are written like those of plain memory: %s', async (format) => {
    const own = bytes.slice();
    const plain = kind.startsWith('a view') ? own : own.buffer;
    expect(await encoder.encode({ data: KINDS[kind]!(own) }, FORMATS[format]!)).toEqual(await encoder.encode({ data: plain }, FORMATS[format]!));
  });
});
