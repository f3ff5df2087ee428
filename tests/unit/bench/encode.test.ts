import { describe, expect, test } from 'vitest';
import { ENCODE_FORMATS, selectEncoding, STREAMS } from '../../../bench/encode/cases.mjs';
import { encodingPart } from '../../../bench/encode/document.mjs';
import { ENCODING_FIELD } from '../../../bench/encode/contenders/field.js';
import { encodeBars, fastestLibrary, ratioToFastest, ratioToJson } from '../../../bench/encode/figures.mjs';
import { publishedEncoding } from '../../../bench/encode/published.mjs';
import { camelCase, withDates, withEnums, withNumbers, withoutNulls } from '../../../bench/encode/rows.js';
import { barLines, documentTable, encodeCaseTable, groupTable } from '../../../bench/encode/tables.mjs';
import { readOptions } from '../../../bench/options.mjs';

function chosen(...args: string[]) {
  const options = readOptions(['--encode', ...args]);
  if ('help' in options) throw new Error('help');
  return selectEncoding(options);
}

const groupsOf = (selection: ReturnType<typeof chosen>) => [...new Set(selection.map(({ encodeCase }) => encodeCase.group))];

function result(name: string, contender: string, ms: number[], more: object = {}) {
  const samples = ms.map((one) => ({ ms: one, jsonMs: 100, blockMs: one, gcMs: 1, peakBytes: 40e6 }));
  return { case: name, place: 'node' as const, contender, bytes: 30e6, rows: 100_000, samples, ...more };
}

describe('encoding benchmark', () => {
  test('includes a library and three forms of Unspool for each format', () => {
    for (const format of ENCODE_FORMATS) {
      const kinds = ENCODING_FIELD.filter(({ id, formats }) => formats.includes(format) && !STREAMS.includes(id)).map(({ kind }) => kind);
      expect(
        kinds.filter((kind) => kind === 'unspool'),
        format,
      ).toHaveLength(3);
      expect(
        kinds.some((kind) => kind !== 'unspool'),
        format,
      ).toBe(true);
    }
    expect(new Set(ENCODING_FIELD.map(({ id }) => id)).size).toBe(ENCODING_FIELD.length);
  });

  test('measures trips in four sizes, numbers and documents, and only the fastest contenders on a million trips', () => {
    const groups = groupsOf(chosen());
    expect(groups).toEqual(expect.arrayContaining(['trips-3', 'trips-1000', 'trips-100000', 'trips-1000000', 'numbers-100000', 'twitter', 'movies']));
    expect(groupsOf(chosen('--quick'))).toEqual(['trips-3', 'trips-100000']);
    expect(groupsOf(chosen('--sizes', '1000'))).toEqual(['trips-1000']);
    expect(groupsOf(chosen('--only', 'twit'))).toEqual(['twitter']);
    const ids = (...args: string[]) => chosen('--sizes', '1000000', '--formats', 'protobuf', ...args)[0]!.contenders.map(({ id }) => id);
    expect(ids()).not.toContain('google-protobuf');
    expect(ids('--full')).toContain('google-protobuf');
    expect(chosen('--formats', 'avro').every(({ encodeCase }) => encodeCase.format === 'avro')).toBe(true);
  });

  test('measures discarded streams only on a million trips, in some formats', () => {
    const streamed = chosen().flatMap(({ encodeCase, contenders }) => contenders.filter(({ id }) => STREAMS.includes(id)).map(() => encodeCase.name));
    expect(new Set(streamed)).toEqual(new Set(['trips-1000000/json', 'trips-1000000/messagepack', 'trips-1000000/avro']));
  });

  test('compares with JSON in the same process and with the fastest library of the format', () => {
    const name = 'trips-100000/messagepack';
    const own = result(name, 'unspool', [30, 50, 40]);
    const all = [result(name, 'msgpackr', [80, 80, 70]), result(name, 'notepack', [90, 95, 99]), own];
    expect(ratioToJson(own)).toEqual({ median: 0.4, least: 0.3 });
    expect(fastestLibrary(all, own)!.contender).toBe('msgpackr');
    expect(ratioToFastest(all, own)!.median).toBeCloseTo(0.5);
    expect(fastestLibrary([result(name, 'msgpackr', [1], { error: 'crashed' }), own], own)).toBeUndefined();
  });

  test('compares medians with the bars', () => {
    const name = 'trips-100000/messagepack';
    const verdicts = (results: Parameters<typeof encodeBars>[0]) => encodeBars(results).map(({ name: what, met }) => [what, met]);
    expect(verdicts([result(name, 'msgpackr', [80]), result(name, 'unspool', [30, 50, 41])])).toEqual([
      ['Node: ÷ JSON.stringify', false],
      ['Node: ÷ msgpackr', true],
    ]);
    const million = 'trips-1000000/messagepack';
    expect(verdicts([result(million, 'unspool', [300]), result(million, 'unspool-slices', [15, 17, 18])])).toEqual([
      ['Node: peak memory − output', true],
      ['Node, in slices: longest block', false],
    ]);
    expect(verdicts([result(million, 'unspool-stream', [300]), result(million, 'unspool-stream-items', [300], { place: 'chromium' })])).toEqual([
      ['Node, stream of a list: peak memory', false],
      ['Chromium, stream of items: peak memory', false],
    ]);
  });

  test('writes its tables from figures', () => {
    const name = 'trips-100000/avro';
    const results = [
      result(name, 'avsc', [50]),
      result(name, 'unspool', [20]),
      result(name, 'unspool', [15], { place: 'chromium' }),
      result(name, 'avsc6', [40], { differs: 'reads as another', place: 'chromium' }),
      result('twitter/json', 'json-stringify', [100]),
      result('twitter/json', 'unspool', [80], { rows: null }),
    ];
    expect(encodeCaseTable(results, name, 'node')).toContain('Unspool  20.0 ms  0.20 (0.20)  0.40 (0.40)');
    const table = groupTable(results, 'trips-100000');
    expect(table).toContain('| Avro | **Unspool** | 30 MB | 20.0 ms | 0.20 (0.20) | 0.40 (0.40) | 1.00 ms | 40 MB | 15.0 ms | 0.15 (0.15) |');
    expect(table).toContain('avsc 6 alpha ¹');
    expect(documentTable(results, ['twitter'])).toContain('| twitter | JSON | 30 MB | 0.80 (0.80) | 0.80 (0.80) | – | – |');
    expect(publishedEncoding(results)).toContain('| Avro | avsc | 0.41 | 0.50 | 0.20 |');
    expect(barLines(results)).toContain('bars are met');
  });

  test('finds its part of the document', () => {
    const part = '<!-- Encoding: npm run bench -- --encode -->\n## Encoding\n<!-- End of encoding -->';
    expect(encodingPart(`# The bake-off\n\n${part}\n`)).toBe(part);
    expect(encodingPart('# The bake-off\n')).toBe('');
  });

  test('converts rows to the form that each schema needs', () => {
    const trip = {
      ride_id: 'A',
      rideable_type: 'classic_bike' as const,
      started_at: '2024-01-01 00:00:00.000',
      ended_at: '2024-01-01 00:00:00.001',
      start_station_name: 'a',
      start_station_id: 'b',
      end_station_name: null,
      end_station_id: null,
      start_lat: 1,
      start_lng: 2,
      end_lat: null,
      end_lng: null,
      member_casual: 'member' as const,
    };
    expect(withNumbers(trip)).toEqual({ ...trip, started_at: 1_704_067_200_000, ended_at: 1_704_067_200_001 });
    expect(withDates(trip).ended_at).toEqual(new Date(1_704_067_200_001));
    expect(withEnums(trip)).toMatchObject({ rideable_type: 1, member_casual: 0 });
    expect(withoutNulls(trip)).toMatchObject({ end_station_name: '', end_lat: NaN });
    expect(camelCase({ ride_id: 1 })).toEqual({ rideId: 1 });
  });
});
