import { Decoder } from 'cbor-x';
import { decode as decodeCbor2 } from 'cbor2';
import { describe, expect, test } from 'vitest';
import cbor from '../../../../../../core/formats/cbor/index.ts';
import type { CborWriteOptions } from '../../../../../../core/formats/cbor/options.ts';
import writer from '../../../../../../core/formats/cbor/writer.ts';
import { decodeWith } from '../../../../../setup/ways/differential.ts';
import { encodeWith } from '../../../../../setup/ways/encode-with.ts';
import { toHex } from '../../../../../setup/values/hex.ts';

const seconds = [0, 1, -1, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 32 + 1, -(2 ** 32), -(2 ** 32) - 1, 8.64e12, -8.64e12, 5e9, -5e9, 5e9 + 0.001, -1.5];

describe.each<[string, CborWriteOptions]>([
  ['by default', {}],
  ['with floats for long integers', { int64: 'float' }],
  ['deterministically', { deterministic: 'bytewise' }],
  ['deterministically, by length', { deterministic: 'length-first' }],
  ['with records', { records: true }],
])('writer of dates %s', (_, options) => {
  test.each(seconds)('writes dates that this library, cbor-x and cbor2 decode: %d seconds', (value) => {
    const date = new Date(value * 1000);
    const bytes = encodeWith(writer, [date], { options });
    const { deterministic = false } = options;
    expect(decodeWith(cbor, bytes, { options: { deterministic } })).toEqual([date]);
    expect(new Decoder().decode(bytes)).toEqual([date]);
    expect(decodeCbor2(bytes)).toEqual([date]);
  });
});

test.each<[string, string, string]>([
  // Integers up to 32 bits, then floats: of 64 bits, or the shortest.
  ['2106-02-07T06:28:15Z', 'c11affffffff', 'c11affffffff'],
  ['2106-02-07T06:28:16Z', 'c1fb41f0000000000000', 'c1fa4f800000'],
  ['2106-02-07T06:28:17Z', 'c1fb41f0000000100000', 'c1fb41f0000000100000'],
  ['1833-11-24T17:31:44Z', 'c13affffffff', 'c13affffffff'],
  ['1833-11-24T17:31:43Z', 'c1fbc1f0000000100000', 'c1fbc1f0000000100000'],
])('the Date %s is encoded as %s, deterministically as %s', (text, expected, deterministic) => {
  expect(toHex(encodeWith(writer, new Date(text)))).toBe(expected);
  expect(toHex(encodeWith(writer, new Date(text), { options: { deterministic: 'bytewise' } }))).toBe(deterministic);
});
