import { Encoder } from 'cbor-x';
import { decode } from 'cbor2';
import { describe, expect, test } from 'vitest';
import { mixed } from '../../../demo/server/data/mixed.mjs';
import { createTripSource } from '../../../demo/server/data/trips.mjs';
import { encodeDocument, encoderFor, encodeRows } from '../../../demo/server/encode.mjs';
import cbor from '../../../worker/formats/cbor/index.ts';
import { assertSame, decodeWith } from '../../setup/differential.ts';

const source = createTripSource(1);
const rowsAs = (format: string, count: number): Uint8Array<ArrayBuffer> =>
  encodeRows(format, source.rows(count), { key: 'trips', count, dataset: 'trips' });

describe('the encoder of the payload server', () => {
  // Around the length forms of arrays, and around the batches that rows are encoded in.
  test.each([0, 1, 23, 24, 255, 256, 511, 512, 513, 1500, 65_535, 65_536])('gives the bytes of cbor-x for %i rows', (count) => {
    const settings = { useRecords: false, variableMapSize: true, tagUint8Array: false };
    const whole = new Encoder(settings).encode({ trips: source.take(count) });
    const rows = rowsAs('cbor', count);
    expect(rows.length).toBe(whole.length);
    expect(rows.every((byte, i) => byte === whole[i])).toBe(true);
  });

  test.each(['cbor', 'cbor-records'])('writes %s as the reader decodes it', (format) => {
    assertSame(decodeWith(cbor, rowsAs(format, 600)), { trips: source.take(600) });
    const value = mixed(200, { features: encoderFor(format).carries });
    // cbor-x writes every bigint in 8 bytes, and no other integer.
    assertSame(decodeWith(cbor, encodeDocument(format, value), { options: { int64: 'bigint' } }), value);
  });

  test('is read by an independent decoder', () => {
    expect(decode(rowsAs('cbor', 600))).toEqual({ trips: source.take(600) });
  });
});
