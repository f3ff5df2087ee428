/** Tests the one rule for points in time that a `Date` cannot hold. */
import * as apache from 'apache-arrow';
import { describe, expect, test } from 'vitest';
import arrow from '../../../../core/formats/arrow/index.ts';
import avro from '../../../../core/formats/avro/index.ts';
import bson from '../../../../core/formats/bson/index.ts';
import cbor from '../../../../core/formats/cbor/index.ts';
import json from '../../../../core/formats/json/writer.ts';
import messagepack from '../../../../core/formats/messagepack/index.ts';
import protobuf from '../../../../core/formats/protobuf/index.ts';
import { createDecoder } from '../../../../main/decoder/create-decoder.ts';
import { encodeSync } from '../../../../main/sync.ts';
import { hex } from '../../../setup/values/hex.ts';
import { decodeWith } from '../../../setup/ways/differential.ts';

const times = apache.vectorFromArray([2n ** 62n], new apache.TimestampMillisecond());
const TIMESTAMP = {
  proto: 'syntax = "proto3"; import "google/protobuf/timestamp.proto"; message M { google.protobuf.Timestamp at = 1; }',
  message: 'M',
};

/** A record with the field `at`, or the date itself. */
const FAR: [format: string, decode: () => unknown][] = [
  ['Arrow', () => (decodeWith(arrow, Uint8Array.from(apache.tableToIPC(new apache.Table({ at: times })))) as object[])[0]],
  [
    'Avro',
    async () =>
      decodeWith(avro, hex('fe ff ff ff ff ff ff ff ff 01'), {
        schema: await avro.compileSchema!({ type: 'long', logicalType: 'timestamp-millis' }),
      }),
  ],
  ['BSON', () => decodeWith(bson, hex('11000000 09 617400 ffffffffffffff7f 00'))],
  ['CBOR', () => decodeWith(cbor, hex('c1 1b 7fffffffffffffff'))],
  ['MessagePack', () => decodeWith(messagepack, hex('c7 0c ff 00000000 7fffffffffffffff'))],
];

describe('a point in time that a Date cannot hold', () => {
  test.each(FAR)('is an invalid Date in %s', async (_, decode) => {
    const value = (await decode()) as Date | { at: Date };
    const date = value instanceof Date ? value : value.at;
    expect(date).toBeInstanceOf(Date);
    expect(date.getTime()).toBeNaN();
  });

  test('is the stored number with timestamps: number in Arrow, whole and as rows', async () => {
    const bytes = Uint8Array.from(apache.tableToIPC(new apache.Table({ at: times })));
    for (const as of ['objects', 'rows'] as const) {
      const rows = await createDecoder().decode<{ at: unknown }[]>(bytes, {
        format: 'arrow',
        as: as as 'objects',
        options: { timestamps: 'number' },
      });
      expect([...rows]).toEqual([{ at: 2n ** 62n }]);
    }
  });

  test('is the message with its seconds in Protocol Buffers', async () => {
    const schema = await protobuf.compileSchema!(TIMESTAMP);
    expect(decodeWith(protobuf, hex('0a 0a 08 ffffffffffffffff7f'), { schema })).toEqual({ at: { seconds: 2n ** 63n - 1n, nanos: 0 } });
  });

  test('is null in JSON, as JSON.stringify writes it', () => {
    expect(new TextDecoder().decode(encodeSync(json, { at: new Date(Number.NaN) }))).toBe('{"at":null}');
  });
});
