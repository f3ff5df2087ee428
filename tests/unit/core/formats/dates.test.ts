/** Tests the one rule for points in time that a `Date` cannot hold. */
import * as apache from 'apache-arrow';
import { describe, expect, test } from 'vitest';
import arrow from '../../../../core/formats/arrow/index.ts';
import avro from '../../../../core/formats/avro/index.ts';
import bebop from '../../../../core/formats/bebop/index.ts';
import bson from '../../../../core/formats/bson/index.ts';
import cbor from '../../../../core/formats/cbor/index.ts';
import jsbinary from '../../../../core/formats/jsbinary/index.ts';
import json from '../../../../core/formats/json/writer.ts';
import messagepack from '../../../../core/formats/messagepack/index.ts';
import protobuf from '../../../../core/formats/protobuf/index.ts';
import sia from '../../../../core/formats/sia/index.ts';
import type { FormatId } from '../../../../core/format/format-id.ts';
import { createDecoder } from '../../../../main/decoder/create-decoder.ts';
import type { DecodeOptions, Rows } from '../../../../main/index.ts';
import { encodeSync } from '../../../../main/sync.ts';
import { localWorker } from '../../../setup/stand-ins/local-workers.ts';
import { hex } from '../../../setup/values/hex.ts';
import { decodeWith } from '../../../setup/ways/differential.ts';

const times = apache.vectorFromArray([2n ** 62n], new apache.TimestampMillisecond());
const TIMESTAMP = {
  proto: 'syntax = "proto3"; import "google/protobuf/timestamp.proto"; message M { google.protobuf.Timestamp at = 1; }',
  message: 'M',
};

const MILLIS = { type: 'long', logicalType: 'timestamp-millis' };
/** An Avro long of 2⁶³ − 1. */
const LONG = 'fe ff ff ff ff ff ff ff ff 01';
/** The year 275,761 in the form of ISO 8601. */
const TEXT = 'c0 78 1b 2b3237353736312d30312d30315430303a30303a30302e3030305a';

/** A record with the field `at`, or the date itself. */
const FAR: [format: string, decode: () => unknown][] = [
  ['Arrow', () => (decodeWith(arrow, Uint8Array.from(apache.tableToIPC(new apache.Table({ at: times })))) as object[])[0]],
  ['Avro', async () => decodeWith(avro, hex(LONG), { schema: await avro.compileSchema!(MILLIS) })],
  ['BSON', () => decodeWith(bson, hex('11000000 09 617400 ffffffffffffff7f 00'))],
  ['CBOR with tag 0', () => decodeWith(cbor, hex(TEXT))],
  ['CBOR with tag 1', () => decodeWith(cbor, hex('c1 1b 7fffffffffffffff'))],
  ['CBOR with tag 1 and a float', () => decodeWith(cbor, hex('c1 fb c37fffffffffffff'))],
  ['CBOR with tag 100', () => decodeWith(cbor, hex('d8 64 1b 7fffffffffffffff'))],
  ['CBOR with tag 1004', () => decodeWith(cbor, hex(`d9 03ec ${TEXT.slice(3)}`))],
  ['js-binary', () => decodeWith(jsbinary, hex('ffffffffffffffff'), { schema: jsbinary.compileSchema!('date') })],
  ['MessagePack', () => decodeWith(messagepack, hex('c7 0c ff 00000000 7fffffffffffffff'))],
  ['Sia', () => decodeWith(sia, hex('2b ffffffffffffffff'))],
];

const repeated = (bytes: string, count: number): string => `${bytes} `.repeat(count);

/** Lists of 40 records with the fields `at` and `id`. */
const LISTS: [name: string, format: FormatId, list: string, schema?: unknown][] = [
  [
    'Avro',
    'avro',
    `50 ${repeated(`${LONG} 02`, 40)} 00`,
    {
      type: 'array',
      items: {
        type: 'record',
        name: 'R',
        fields: [
          { name: 'at', type: MILLIS },
          { name: 'id', type: 'int' },
        ],
      },
    },
  ],
  ['CBOR with tag 0', 'cbor', `98 28 ${repeated(`a2 62 6174 ${TEXT} 62 6964 01`, 40)}`],
  ['CBOR with tag 1', 'cbor', `98 28 ${repeated('a2 62 6174 c1 1b 7fffffffffffffff 62 6964 01', 40)}`],
  ['js-binary', 'jsbinary', `28 ${repeated('ffffffffffffffff 01', 40)}`, [{ at: 'date', id: 'uint' }]],
  ['MessagePack', 'messagepack', `dc 0028 ${repeated('82 a2 6174 c7 0c ff 00000000 7fffffffffffffff a2 6964 01', 40)}`],
];

describe('a point in time that a Date cannot hold', () => {
  test.each(FAR)('is an invalid Date in %s', async (_, decode) => {
    const value = (await decode()) as Date | { at: Date };
    const date = value instanceof Date ? value : value.at;
    expect(date).toBeInstanceOf(Date);
    expect(date.getTime()).toBeNaN();
  });

  test.each(LISTS)('is an invalid Date in records, rows and columns from a worker in %s', async (_, format, list, schema) => {
    for (const kernel of [true, false]) {
      const decoder = createDecoder({ createWorker: localWorker, kernel });
      const [objects, rows, columns] = await Promise.all(
        (['objects', 'rows', 'columns'] as const).map((as) => decoder.decode(hex(list), { format, schema, as, route: 'worker' } as DecodeOptions)),
      );
      const dates = [
        (objects as { at: Date }[]).map(({ at }) => at),
        (rows as Rows<{ at: Date }>).map(({ at }) => at),
        [...(rows as Rows<{ at: Date }>).column('at', { as: 'values' })],
        [...(columns as { at: Date[] }).at],
      ];
      for (const found of dates) {
        expect(found).toHaveLength(40);
        expect(found.map((date) => new Date(date!).getTime())).toEqual(Array.from({ length: 40 }, () => Number.NaN));
      }
      expect(JSON.parse(JSON.stringify(rows))).toEqual(Array.from({ length: 40 }, () => ({ at: null, id: 1 })));
      decoder.close();
    }
  });

  test('does not exist in Bebop, whose dates of 62 bits end in the year 14,614', async () => {
    const schema = await bebop.compileSchema!({ bop: 'struct M { date at; }', record: 'M' });
    for (const bytes of ['ffffffffffffffff', 'ffffffffffffff3f']) {
      expect(decodeWith(bebop, hex(bytes), { schema })).toEqual({ at: new Date('+014614-11-08T13:24:02.738Z') });
    }
    expect(decodeWith(bebop, hex('0000000000000000'), { schema })).toEqual({ at: new Date('0001-01-01T00:00:00.000Z') });
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
