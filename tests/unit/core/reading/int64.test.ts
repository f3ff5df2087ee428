/** All formats follow one rule for `int64: 'auto'`: numbers within ±(2⁵³ − 1), and bigints beyond. */
import { describe, expect, test } from 'vitest';
import avro from '../../../../core/formats/avro/index.ts';
import bebop from '../../../../core/formats/bebop/index.ts';
import bson from '../../../../core/formats/bson/index.ts';
import cbor from '../../../../core/formats/cbor/index.ts';
import type { AnyFormat } from '../../../../core/format/format.ts';
import jsbinary from '../../../../core/formats/jsbinary/index.ts';
import messagepack from '../../../../core/formats/messagepack/index.ts';
import protobuf from '../../../../core/formats/protobuf/index.ts';
import sia from '../../../../core/formats/sia/index.ts';
import { decodeWith } from '../../../setup/ways/differential.ts';

interface Subject {
  format: unknown;
  schema?: unknown;
  /** Encodes an integer. */
  encode: (value: bigint) => number[];
  /** Extracts the integer from the decoded value. */
  of?: (value: never) => unknown;
}

const wide = (value: bigint, littleEndian: boolean): number[] => {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigInt64(0, value, littleEndian);
  return [...new Uint8Array(view.buffer)];
};

const varint = (value: bigint): number[] => {
  const bytes: number[] = [];
  let left = BigInt.asUintN(64, value);
  for (; left > 127n; left >>= 7n) bytes.push(Number(left & 127n) | 128);
  return [...bytes, Number(left)];
};

const subjects: Record<string, Subject> = {
  messagepack: { format: messagepack, encode: (value) => [0xd3, ...wide(value, false)] },
  cbor: { format: cbor, encode: (value) => (value < 0n ? [0x3b, ...wide(-1n - value, false)] : [0x1b, ...wide(value, false)]) },
  bson: { format: bson, encode: (value) => [16, 0, 0, 0, 0x12, 0x61, 0, ...wide(value, true), 0], of: ({ a }: { a: unknown }) => a },
  avro: { format: avro, schema: 'long', encode: (value) => varint(value < 0n ? -2n * value - 1n : 2n * value) },
  jsbinary: { format: jsbinary, schema: 'int', encode: (value) => wide((7n << 61n) | BigInt.asUintN(61, value), false) },
  protobuf: {
    format: protobuf,
    schema: { proto: 'syntax = "proto3"; message M { int64 a = 1; }', message: 'M' },
    encode: (value) => [8, ...varint(value)],
    of: ({ a }: { a: unknown }) => a,
  },
  bebop: {
    format: bebop,
    schema: { bop: 'struct S { int64 a; }', record: 'S' },
    encode: (value) => wide(value, true),
    of: ({ a }: { a: unknown }) => a,
  },
  sia: { format: sia, encode: (value) => [11, ...wide(value, true)] },
};

const MAX_COUNT = 2n ** 53n - 1n;

describe.each(Object.entries(subjects))('reader of 64-bit integers of %s', (_, { format, schema, encode, of = (value) => value }) => {
  const decode = async (value: bigint): Promise<unknown> => {
    const compiled: unknown = schema === undefined ? undefined : await (format as AnyFormat).compileSchema!(schema);
    const bytes = Uint8Array.from(encode(value));
    return of(decodeWith(format, bytes, { schema: compiled }) as never);
  };

  test.each([MAX_COUNT, -MAX_COUNT])('returns numbers if safe: %s', async (value) => {
    expect(await decode(value)).toBe(Number(value));
  });

  test.each([MAX_COUNT + 1n, -MAX_COUNT - 1n, MAX_COUNT + 2n, -MAX_COUNT - 2n])(
    'returns bigints beyond the safe range, even if a number would be exact: %s',
    async (value) => {
      expect(await decode(value)).toBe(value);
    },
  );
});
