import { Encoder } from 'cbor-x';
import { Packr } from 'msgpackr';
import { afterAll, describe, expect, test } from 'vitest';
import { choosePieces } from '../../../main/parallel/pieces.ts';
import { find } from '../../../worker/formats/indexed.ts';
import fc from '../../setup/property.ts';
import { type Decoding, everyCut, localDecoder, same } from './pieces.ts';

const decoder = localDecoder();
afterAll(() => decoder.close());

const forms = ['objects', 'rows', 'columns'] as const;
const KEYS = ['id', 'name', 'legs'];

/** Values one after the other, and where each but the first begins. */
function sequence(values: readonly Uint8Array[]): { bytes: Uint8Array; begins: number[] } {
  const begins: number[] = [];
  let length = 0;
  for (const value of values) {
    begins.push(length);
    length += value.length;
  }
  const bytes = new Uint8Array(length);
  for (const [index, value] of values.entries()) bytes.set(value, begins[index]);
  return { bytes, begins: begins.slice(1) };
}

const trips = Array.from({ length: 20 }, (_, id) => ({ id: 60 + id, name: `station ${id % 7}`, legs: id % 3 === 0 ? [{ x: id }, { x: 64.5 }] : [] }));
const mixed: unknown[] = [
  1,
  'two',
  { three: 3 },
  null,
  true,
  [4, [64]],
  -1,
  1e300,
  'ü€𝄞',
  new Date(1e12),
  new Uint8Array(5),
  2n ** 60n,
  {},
  [],
  'x'.repeat(300),
  undefined,
];
const shared: object = { name: 'shared' };

/** One writer of each format, with what readers have to know of how it writes. */
const formats = [
  {
    format: 'messagepack' as const,
    packer: (options: object) => new Packr({ useRecords: false, ...options }),
    bundles: { bundleStrings: true },
    records: { useRecords: true },
    shares: { structuredClone: true, moreTypes: true },
  },
  {
    format: 'cbor' as const,
    packer: (options: object) => new Encoder({ useRecords: false, mapsAsObjects: true, ...options }),
    bundles: { bundleStrings: true },
    records: { useRecords: true },
    shares: { structuredClone: true },
  },
];

describe.each(formats)('a sequence of $format that several workers decode', ({ format, packer, bundles, records, shares }) => {
  const decoding: Decoding = { format, options: { sequence: true } };
  const encode = (values: readonly unknown[], options: object = {}) => {
    const writer = packer(options);
    return sequence(values.map((value) => new Uint8Array(writer.encode(value))));
  };

  test('gives what one does, cut anywhere, and uses each piece that begins where a value does', async () => {
    const { bytes, begins } = encode(trips);
    for (const as of forms) {
      expect(
        await same(
          decoder,
          bytes,
          begins.map((at) => [at]),
          { ...decoding, as },
        ),
      ).toBe(begins.length);
      expect(await same(decoder, bytes, [begins.filter((_, index) => index % 5 === 4)], { ...decoding, as })).toBe(3);
    }
    const within = everyCut(bytes.subarray(0, begins[3])).filter(([at]) => !begins.includes(at!));
    expect(await same(decoder, bytes, within, decoding)).toBe(0);
    // The first piece ends inside a value, so that one worker reads on to where the next piece begins.
    expect(await same(decoder, bytes, [[begins[3]!, begins[8]! + 2, begins[12]!]], decoding)).toBe(1);
  });

  test('may hold values of all kinds, bundled strings, and records whose keys the options have', async () => {
    const all = encode(mixed);
    expect(
      await same(
        decoder,
        all.bytes,
        all.begins.map((at) => [at]),
        decoding,
      ),
    ).toBe(all.begins.length);
    const bundled = encode(
      trips.map((trip) => ({ ...trip, text: `${trip.name} and ${trip.name} é` })),
      bundles,
    );
    expect(
      await same(
        decoder,
        bundled.bytes,
        bundled.begins.map((at) => [at]),
        decoding,
      ),
    ).toBe(bundled.begins.length);
    const structures = [KEYS, ['x']];
    const known = encode(trips, { ...records, structures: structures.map((keys) => [...keys]) });
    const options = { ...decoding.options, structures };
    expect(
      await same(
        decoder,
        known.bytes,
        known.begins.map((at) => [at]),
        { ...decoding, options },
      ),
    ).toBe(known.begins.length);
  });

  test('is read by one worker from where it has defined records, or refers to values', async () => {
    // Each value defines its records anew; what comes behind one could be read by them. Only the piece of the 2 is used, twice.
    const defined = encode([1, 2, ...trips.slice(0, 4), 3, 4], records);
    const { begins } = defined;
    expect(await same(decoder, defined.bytes, [...begins.map((at) => [at]), begins, begins.slice(0, 2)], decoding)).toBe(2);
    const twice = encode(
      [
        { a: shared, b: shared },
        { a: shared, b: shared },
      ],
      shares,
    );
    expect(await same(decoder, twice.bytes, [twice.begins], decoding)).toBe(0);
  });

  test('fails where one does', async () => {
    const { bytes, begins } = encode(trips);
    const cuts = [[begins[6]!], [begins[6]!, begins[12]!]];
    for (let at = 1; at < bytes.length; at += 37) {
      const broken = bytes.slice();
      broken[at] = broken[at]! ^ 0xc1;
      await same(decoder, broken, cuts, decoding);
      await same(
        decoder,
        bytes.subarray(0, at),
        cuts.map((ats) => ats.filter((cut) => cut < at)).filter((ats) => ats.length > 0),
        decoding,
      );
    }
  });

  test('keeps the limits', async () => {
    const values = trips.map(({ id }) => [id, 'x'.repeat(id - 55), [[id], id]]);
    const { bytes, begins } = encode(values);
    // 20 arrays of 3 values, of which the last is one of 2.
    const ways = [[begins[9]!], [begins[4]!, begins[9]!, begins[14]!]];
    for (const limits of [{ values: 139 }, { values: 140 }, { values: 70 }, { stringLength: 15 }, { depth: 2 }, { depth: 11 }]) {
      await same(decoder, bytes, ways, { ...decoding, limits });
    }
  });

  test('gives what one does for any values, cut in several places, whole or broken', async () => {
    const record = fc.record(
      { id: fc.integer({ min: 50, max: 130 }), name: fc.string({ maxLength: 9 }), legs: fc.array(fc.record({ x: fc.double() })) },
      { requiredKeys: ['id'] },
    );
    const value = fc.oneof(record, fc.integer(), fc.string(), fc.array(record, { maxLength: 3 }));
    const way = fc.constantFrom({}, {}, bundles, records);
    const damage = fc.option(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { freq: 2 });
    const places = fc.array(fc.nat(), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(value, { minLength: 2, maxLength: 12 }),
        way,
        damage,
        places,
        fc.boolean(),
        fc.constantFrom(...forms),
        async (values, options, broken, at, right, as) => {
          const { bytes, begins } = encode(values, options);
          if (broken) bytes[broken[0] % bytes.length] = broken[1];
          const cuts = at
            .map((n) => (right ? begins[n % begins.length]! : 1 + (n % Math.max(bytes.length - 1, 1))))
            .filter((cut) => cut < bytes.length);
          const ascending = [...new Set(cuts)].sort((a, b) => a - b);
          if (ascending.length > 0) await same(decoder, bytes, [ascending], { ...decoding, as });
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe('records that one piece defines', () => {
  // 0xd4 0x72 0x40: the record 0x40 has the keys of the array behind it; then its values.
  const definition = [0xd4, 0x72, 0x40, 0x91, 0xa1, 0x61, 1];
  const decoding: Decoding = { format: 'messagepack', options: { sequence: true } };

  test('are never taken for integers in another', async () => {
    // The record {a: 2}, or, where 0x40 has no keys, the integers 64 and 2.
    const record = [0x40, 2];
    const bytes = Uint8Array.from([5, ...definition, ...record, ...record]);
    const begins = [1, 1 + definition.length, 3 + definition.length];
    await same(decoder, bytes, [...everyCut(bytes), begins, begins.slice(1), [begins[0]!, begins[2]!]], decoding);
  });
});

describe('an index of values', () => {
  const options = { sequence: true };
  const cutting = { find };
  const bytes = new Uint8Array(32 * 1024 * 1024);

  test('gives the places that are next to where a payload falls into parts', () => {
    const index = Uint32Array.from({ length: 1000 }, (_, at) => at * 33_000);
    expect(find(bytes, 33_001, options, index)).toBe(66_000);
    expect(find(bytes, 66_000, options, index)).toBe(66_000);
    const starts = choosePieces(cutting, bytes, options, 3, index).map(({ start }) => start);
    expect(starts).toEqual([339 * 33_000, 678 * 33_000]);
  });

  test('is not used where nothing is to be cut', () => {
    expect(find(bytes, 0, options)).toBe(-1);
    expect(find(bytes, 0, options, [])).toBe(-1);
    expect(find(bytes, 0, {}, [5])).toBe(-1);
    expect(find(bytes, 0, { sequence: true, deterministic: 'bytewise' }, [5])).toBe(-1);
  });

  test('that is broken gives no places', () => {
    for (const wrong of [NaN, 0.5, -7, Infinity, bytes.length, bytes.length + 1, '9000000', 9_000_000n, undefined, {}]) {
      expect(choosePieces(cutting, bytes, options, 4, [wrong, wrong, wrong] as number[])).toEqual([]);
    }
    const descending = choosePieces(cutting, bytes, options, 4, [3e7, 2e7, 1e7, 5]);
    for (const [at, piece] of descending.entries()) expect(piece.end).toBe(descending[at + 1]?.start ?? bytes.length);
  });
});
