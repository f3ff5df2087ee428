import { Binary, BSONRegExp, BSONSymbol, Code, Decimal128, Double, Long, MaxKey, MinKey, ObjectId, serialize, Timestamp, UUID } from 'bson';
import type { BsonOptions } from '../../../core/formats/bson/index.ts';

/** Options for decoding mutated inputs, used in turn. */
export const options: readonly BsonOptions[] = [
  {},
  { types: 'relaxed', sequence: true },
  { types: 'canonical' },
  { types: 'classes', int64: 'bigint' },
  { types: 'classes', promoteValues: false },
  { int64: 'string', regExpS: 'dotAll' },
];

/** Valid inputs of every type. */
export function seeds(): Uint8Array[] {
  const id = new ObjectId('0102030405060708090a0b0c');
  const rich = {
    id,
    text: 'größer',
    numbers: [1, -1, 0.5, new Double(3), Long.fromBigInt(2n ** 60n), Decimal128.fromString('12.50')],
    dates: [new Date(0), new Timestamp({ t: 1, i: 2 })],
    bytes: [new Binary(Uint8Array.of(1, 2, 3)), new Binary(Uint8Array.of(1), 2), new UUID(), Binary.fromInt8Array(Int8Array.of(1, 2))],
    rest: [null, undefined, true, /a+/i, new BSONRegExp('a', 'ix'), new BSONSymbol('s'), new MinKey(), new MaxKey()],
    code: [new Code('f()'), new Code('g()', { x: 1, inner: { y: id } })],
    rows: Array.from({ length: 4 }, (_, i) => ({ i, name: `name ${i}`, list: [[i], {}] })),
  };
  const setting = { ignoreUndefined: false };
  // DBPointer, which the package cannot write.
  const pointer = [36, 0, 0, 0, 0x0c, 0x61, 0, 5, 0, 0, 0, 0x64, 0x62, 0x2e, 0x63, 0, ...id.id, 0x10, 0x62, 0, 1, 0, 0, 0, 0];
  return [
    serialize(rich, setting),
    serialize({}),
    serialize({ a: { b: { c: [] } } }),
    new Uint8Array([...serialize({ a: 1 }), ...serialize({ b: [2] })]),
    Uint8Array.from(pointer),
  ];
}
