import { describe, expect, test } from 'vitest';
import { encodings } from '../../../demo/server/encodings.mjs';
import { BAKEOFF_CASES, BAKEOFF_CONTENDERS, FORMATS, selectBakeoff } from '../../../bench/bakeoff/cases.mjs';
import { publishedSizes } from '../../../bench/bakeoff/published.mjs';
import { callTable, leftoversTable, resultTables, sizeTable, survivalTable } from '../../../bench/bakeoff/tables.mjs';
import { canonicalRow } from '../../../bench/page/canonical.js';
import { readOptions } from '../../../bench/options.mjs';

const NOTHING = { longestBlockMs: 5, mainMs: 5, longestWaitMs: 5, longTaskMs: 0, peakBytes: 1e6, retainedBytes: 1e6, runs: 1, samples: [] };

function chosen(...args: string[]) {
  const options = readOptions(['--bakeoff', ...args]);
  if ('help' in options) throw new Error('help');
  return selectBakeoff(options);
}

describe('bake-off', () => {
  test('includes a library, Unspool and an encoder for each format', () => {
    for (const format of FORMATS) {
      const kinds = BAKEOFF_CONTENDERS.filter(({ formats }) => formats.includes(format)).map(({ kind }) => kind);
      expect(kinds, format).toContain('main');
      expect(kinds, format).toContain('unspool');
      expect(encodings.has(format)).toBe(true);
    }
    expect(new Set(BAKEOFF_CONTENDERS.map(({ id }) => id)).size).toBe(BAKEOFF_CONTENDERS.length);
  });

  test('measures a short selection by default, and starts each group with the baseline', () => {
    const groups = (selection: ReturnType<typeof chosen>) => [...new Set(selection.map(({ benchCase }) => benchCase.group))];
    expect(groups(chosen())).toEqual(['trips-100k', 'trips-1m', 'trips-3', 'trips-8']);
    expect(groups(chosen('--full')).length).toBe(new Set(BAKEOFF_CASES.map(({ group }) => group)).size);
    for (const selection of [chosen(), chosen('--case', 'trips-1k/bson', '--contender', 'bson')]) {
      expect(selection[0]!.contenders[0]!.id).toBe('json-parse');
    }
    const ids = chosen('--case', 'trips-1k/bson', '--contender', 'bson').map(({ contenders }) => contenders.map(({ id }) => id));
    expect(ids).toEqual([['json-parse'], ['bson']]);
  });

  test('accepts rows in different representations as the same value', () => {
    const trip = { ride_id: 'A', rideable_type: 'classic_bike', started_at: '2024-01-01 00:00:00.000', end_lat: null };
    const others = [
      { rideId: 'A', rideableType: 1, startedAt: 1_704_067_200_000n },
      { ride_id: 'A', rideable_type: 'classicBike', started_at: new Date(1_704_067_200_000), end_station_name: '', end_lat: NaN },
    ];
    for (const other of others) expect(canonicalRow(other)).toEqual(canonicalRow(trip));
    expect(canonicalRow({ ...trip, ride_id: 'B' })).not.toEqual(canonicalRow(trip));
  });

  test('writes its tables from figures', () => {
    const results = chosen('--case', 'trips-100k').flatMap(({ benchCase, contenders }) =>
      contenders.map(({ id, result }, index) => {
        const readyMs = 100 + index;
        const totalMs = result === 'objects' ? readyMs : null;
        return { case: benchCase.name, contender: id, bytes: 1e6, rows: benchCase.rows, readyMs, totalMs, ...NOTHING };
      }),
    );
    const failed = { ...results[0]!, case: 'trips-100k/bson', contender: 'bson', readyMs: null, totalMs: null, error: 'Page crashed' };
    const all = [...results.filter(({ contender }) => contender !== 'bson'), failed];
    const tables = resultTables(all, new Map([['trips-100k', 'bakeoff/trips-100k.svg']]));
    expect(tables).toContain('![trips-100k: times and longest blocks](bakeoff/trips-100k.svg)');
    expect(tables).toContain('| JSON | JSON.parse | 100 ms | 100 ms | 1.00 × | 1.00 × | 5.00 ms | 1.0 MB |');
    expect(tables).toContain('| BSON | bson | crashed |');
    expect(survivalTable(all)).toContain('| BSON | bson | none | trips-100k: crashed |');
    const sizes = FORMATS.map((format) => ({ group: 'trips-100k', format, bytes: 1e6, gzip: 1e5, brotli: null }));
    expect(sizeTable(sizes)).toContain('| JSON | 1.0 MB | 1.00 | 100 KB | – |');
    expect(publishedSizes(sizes, { trips: 'trips-1m', numbers: 'numbers-10mb' })).toContain('| Avro | 129.2 MB | 0.38 | 1.0 MB | 1.00 | 2.64 |');
    expect(callTable(results)).toBe('');
    const calls = chosen('--case', 'trips-3/').flatMap(({ benchCase, contenders }) =>
      contenders.map(({ id }, index) => ({
        case: benchCase.name,
        contender: id,
        bytes: 376,
        rows: 3,
        readyMs: 0.002 + index * 0.001,
        totalMs: 0.002 + index * 0.001,
        ...NOTHING,
      })),
    );
    expect(callTable(calls)).toContain('| Avro | 376 B | 4.00 µs | avsc 5 | 2.00 µs | 2.00 × |');
    expect(resultTables(calls, new Map())).toBe('');
    const left = {
      prototype: '',
      getters: '',
      unwrap: '',
      renamed: '',
      extra: '',
      proto: 'own property',
      codegen: 'no',
      contender: 'cbor2',
      format: 'cbor',
    };
    expect(leftoversTable([left])).toContain('| CBOR | cbor2 |  |  |  |  |  |  |  |');
  });
});
