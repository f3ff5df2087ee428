/** Text that a reader makes of other values, which `stringLength` limits like text of the input. */
import { describe, expect, test } from 'vitest';
import { loadFormat } from '../../../core/formats/loaders.ts';
import type { FormatId } from '../../../core/format/format-id.ts';
import { resolveLimits } from '../../../core/limits.ts';
import { PartialSink } from '../../../core/sinks/partial/partial-sink.ts';
import { PickSink } from '../../../core/sinks/pick/pick-sink.ts';
import { DecodeSession } from '../../../core/format/decode-session.ts';
import type { Sink } from '../../../core/reading/sink.ts';
import { RowSink } from '../../../core/kernels/row-sink.ts';
import { JsonTextSink } from '../../../core/sinks/json/text.ts';
import { ObjectSink } from '../../../core/sinks/objects/objects.ts';
import { TypedSink } from '../../../core/sinks/typed/typed-sink.ts';
import siaWriter from '../../../core/formats/sia/writer.ts';
import { encodeWith } from '../../setup/ways/encode-with.ts';
import { hex } from '../../setup/values/hex.ts';
import { Bytes } from './formats/avro/bytes.ts';

type Case = [name: string, id: FormatId, bytes: Uint8Array, length: number, options: object, schema?: unknown];

const decimal = { type: 'bytes', logicalType: 'decimal', precision: 40, scale: 30 };
const uuid = { type: 'fixed', name: 'u', size: 16, logicalType: 'uuid' };
const asText = { int64: 'string' };

/** A value of each format that becomes text of `length` characters. */
const CASES: readonly Case[] = [
  ['a 64-bit integer', 'messagepack', hex('cf 0fff ffff ffff ffff'), 19, asText],
  ['a 64-bit integer', 'cbor', hex('1b 0fff ffff ffff ffff'), 19, asText],
  ['a bignum', 'cbor', hex('c2 4a ffff ffff ffff ffff ffff'), 25, asText],
  ['a 64-bit integer', 'bson', hex('10000000 12 61 00 ffffffffffffff0f 00'), 19, asText],
  ['a decimal', 'bson', hex('18000000 13 61 00 07000000000000000000000000003a30 00'), 5, {}],
  ['an ObjectId', 'bson', hex('14000000 07 61 00 000102030405060708090a0b 00'), 24, {}],
  ['a 64-bit integer', 'sia', encodeWith(siaWriter, 2n ** 60n - 1n), 19, asText],
  ['a long', 'avro', new Bytes().long(2n ** 60n - 1n).done(), 19, { ...asText, framing: 'datum' }, 'long'],
  ['a decimal', 'avro', new Bytes().string(Uint8Array.of(7)).done(), 32, { framing: 'datum' }, decimal],
  ['a UUID', 'avro', new Uint8Array(16), 36, { framing: 'datum' }, uuid],
  [
    'a 64-bit integer',
    'protobuf',
    hex('08 ffffffffffffffff0f'),
    19,
    asText,
    { proto: 'syntax = "proto3"; message M { int64 a = 1; }', message: 'M' },
  ],
  ['a 64-bit integer', 'bebop', hex('ffffffffffffff0f'), 19, asText, { bop: 'struct M { int64 a; }', record: 'M' }],
];

const SINKS: Readonly<Record<string, (stringLength: number) => Sink>> = {
  objects: () => new ObjectSink((_, inner) => inner),
  'picked objects': () => new PickSink(new ObjectSink((_, inner) => inner), [['a']]),
  'typed objects': () => new TypedSink(new ObjectSink((_, inner) => inner)),
  columns: (stringLength) => new RowSink(() => {}, resolveLimits({ stringLength })),
  'a value in part': () => new PartialSink((_, inner) => inner),
  'JSON text': (stringLength) => new JsonTextSink((_, inner) => inner, {}, resolveLimits({ stringLength })),
};

describe.each(Object.entries(SINKS))('for %s', (_, sinkFor) => {
  test.each(CASES)('limits the text that is made of %s of %s', async (_name, id, bytes, length, options, given) => {
    const format = await loadFormat(id);
    const schema: unknown = given === undefined ? undefined : await format.compileSchema!(given);
    const read = (stringLength: number): void => {
      const setting = { id, format, options, limits: resolveLimits({ stringLength }), schema };
      new DecodeSession(setting, sinkFor(stringLength)).end(bytes);
    };
    read(length);
    expect(() => read(length - 1)).toThrow(expect.objectContaining({ limit: 'stringLength', offset: expect.any(Number) as number }));
  });
});
