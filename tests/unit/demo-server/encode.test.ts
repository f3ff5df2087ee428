import { decode } from '@msgpack/msgpack';
import { Packr, Unpackr } from 'msgpackr';
import { describe, expect, it } from 'vitest';
import { mixed } from '../../../demo/server/data/mixed.mjs';
import { createTripSource } from '../../../demo/server/data/trips.mjs';
import { encodeDocument, encoderFor, encodeRows, encoders } from '../../../demo/server/encode.mjs';
import { counted, joinChunks } from '../../../demo/server/encoders/encoder.mjs';

const source = createTripSource(1);
const options = (count: number) => ({ key: 'trips', count, dataset: 'trips' });
const rowsAs = (format: string, count: number) => Buffer.from(encodeRows(format, source.rows(count), options(count)));

// Around the length forms of arrays, and around the batches that rows are encoded in.
const COUNTS = [0, 1, 15, 16, 511, 512, 513, 1024, 1500];

describe('json encoder', () => {
  it.each(COUNTS)('gives the bytes of JSON.stringify for %i rows', (count) => {
    expect(rowsAs('json', count).equals(Buffer.from(JSON.stringify({ trips: source.take(count) })))).toBe(true);
  });

  it('gives the bytes of JSON.stringify for mixed values', () => {
    const value = mixed(700, { features: encoderFor('json').carries });
    const bytes = Buffer.from(encodeRows('json', value.items, { key: 'items', count: 700, dataset: 'mixed' }));
    expect(bytes.equals(Buffer.from(JSON.stringify(value)))).toBe(true);
  });
});

describe('messagepack encoder', () => {
  const packr = new Packr({ useRecords: false });

  it.each([...COUNTS, 65_535, 65_536])('gives the bytes of msgpackr for %i rows', (count) => {
    expect(rowsAs('messagepack', count).equals(packr.pack({ trips: source.take(count) }))).toBe(true);
  });

  it('gives the bytes of msgpackr for mixed values', () => {
    const value = mixed(700, { features: encoderFor('messagepack').carries });
    const bytes = Buffer.from(encodeRows('messagepack', value.items, { key: 'items', count: 700, dataset: 'mixed' }));
    expect(bytes.equals(packr.pack(value))).toBe(true);
  });

  it('is read by an independent decoder', () => {
    expect(decode(rowsAs('messagepack', 600))).toEqual({ trips: source.take(600) });
  });

  it('keeps chunks valid while it goes on', () => {
    const chunks = encoderFor('messagepack').encode(source.rows(5000), options(5000));
    const kept = [];
    const copies = [];
    for (const chunk of chunks) {
      kept.push(chunk);
      copies.push(chunk.slice());
    }
    expect(kept.length).toBeGreaterThan(5);
    expect(Buffer.from(joinChunks(kept)).equals(joinChunks(copies))).toBe(true);
  });
});

describe.each([
  ['messagepack-records', {}],
  ['messagepack-records-bundled', { bundleStrings: true }],
])('%s encoder', (format, packing) => {
  it('writes records that msgpackr reads back', () => {
    const bytes = rowsAs(format, 1000);
    expect(bytes.equals(new Packr({ useRecords: true, ...packing }).pack({ trips: source.take(1000) }))).toBe(true);
    expect(bytes.includes(Buffer.from([0xd4, 0x72]))).toBe(true);
    expect(bytes.length).toBeLessThan(rowsAs('messagepack', 1000).length * 0.6);
    expect(new Unpackr({ useRecords: true, ...packing }).unpack(bytes)).toEqual({ trips: source.take(1000) });
  });
});

describe('every encoder', () => {
  it.each([...encoders.values()])('$id has a media type and encodes any document', ({ id, mediaType, encodeDocument: encode }) => {
    expect(mediaType).toMatch(/^[a-z]+\/[a-z.+-]+$/);
    if (encode) expect(encodeDocument(id, { a: [1, 'two', null] }).length).toBeGreaterThan(5);
  });

  it.each([...encoders.keys()])('%s refuses a wrong count', (format) => {
    expect(() => encodeRows(format, source.rows(3), options(4))).toThrow('There are 3 rows, not the 4 announced.');
    expect(() => encodeRows(format, source.rows(5), options(4))).toThrow('There are more than the 4 rows announced.');
  });

  it('is named when another is asked for', () => {
    expect(() => encoderFor('yaml')).toThrow('No format is named "yaml". There are: json, messagepack,');
  });

  it('takes rows one by one', () => {
    let taken = 0;
    const rows = counted(
      (function* () {
        for (; taken < 100_000; taken++) yield source.at(taken);
      })(),
      100_000,
    );
    const [, , first] = encoderFor('messagepack').encode(rows, options(100_000));
    expect(first?.length).toBeGreaterThan(100_000);
    expect(taken).toBeLessThan(2000);
  });
});
