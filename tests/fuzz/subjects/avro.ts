import { deflateSync } from 'fflate';
import avro, { type AvroOptions } from '../../../core/formats/avro/index.ts';
import { loadCodecs } from '../../../core/formats/avro/container/codecs.ts';
import { container } from '../../unit/core/formats/avro/bytes.ts';
import { Dice, forSchema, type Json, ValueMaker } from '../../unit/core/formats/avro/random.ts';

await loadCodecs();

const ROW: Json = {
  type: 'record',
  name: 'Row',
  fields: [
    { name: 'yes', type: 'boolean' },
    { name: 'i', type: 'int' },
    { name: 'l', type: 'long' },
    { name: 'f', type: 'float' },
    { name: 'd', type: 'double' },
    { name: 's', type: 'string' },
    { name: 'b', type: 'bytes' },
    { name: 'x', type: { type: 'fixed', name: 'F', size: 16 } },
    { name: 'e', type: { type: 'enum', name: 'E', symbols: ['A', 'B', 'C'] } },
    { name: 'u', type: ['null', 'int', 'string', 'E'] },
    { name: 'list', type: { type: 'array', items: ['null', 'Row'] } },
    { name: 'map', type: { type: 'map', values: 'long' } },
    { name: 'nothing', type: { type: 'array', items: 'null' } },
    { name: 'again', type: ['null', 'Row'] },
  ],
};
const READER = {
  type: 'record',
  name: 'Row',
  fields: [
    { name: 'l', type: 'double' },
    { name: 's', type: 'bytes' },
    { name: 'new', type: { type: 'array', items: 'int' }, default: [1, 2] },
    { name: 'when', aliases: ['i'], type: { type: 'long', logicalType: 'timestamp-micros' } },
    { name: 'number', aliases: ['b'], type: { type: 'bytes', logicalType: 'decimal', precision: 9, scale: 2 } },
    { name: 'e', type: { type: 'enum', name: 'E', symbols: ['Z', 'A'], default: 'Z' } },
  ],
};

/** The schema of the inputs. */
export const schema = await avro.compileSchema!({ writer: ROW as never, reader: READER, registered: ['long'] });

/** The schema for writing values. */
export const writeSchema = await avro.compileSchema!(ROW);

/** Options for decoding mutated inputs, used in turn. */
export const options: readonly AvroOptions[] = [
  {},
  { unions: 'wrapped', maps: 'map', int64: 'string', framing: 'datum' },
  { sequence: true, int64: 'bigint', decimals: 'number' },
  { logicalTypes: false, unions: 'plain' },
];

/** Valid inputs of every kind. */
export function seeds(): Uint8Array[] {
  const type = forSchema(ROW);
  const data = Array.from({ length: 30 }, (_, seed) => type.toBuffer(new ValueMaker(new Dice(seed), ROW).make(ROW)).slice()).filter(
    ({ length }) => length < 2000,
  );
  const joined = Uint8Array.from(data.flatMap((datum) => [...datum]));
  const stored: [string, Uint8Array][] = [
    ['null', joined],
    ['deflate', deflateSync(joined)],
    ['snappy', Uint8Array.of(4, 0x0c, 1, 2, 3, 4, 0xb6, 0x3c, 0xfb, 0xcd)],
    ['zstandard', Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x20, 4, 0x21, 0, 0, 1, 2, 3, 4)],
  ];
  return [...data, joined, ...stored.map(([codec, bytes]) => container(ROW, codec, [{ count: data.length, data: bytes }]))];
}
