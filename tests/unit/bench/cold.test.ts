import { describe, expect, test } from 'vitest';
import { coldCases, visitorsFor } from '../../../bench/cold/cases.mjs';
import { coldBars, coldLine, coldSummary, summariseVisits } from '../../../bench/cold/figures.mjs';

const visit = (...ms: number[]) => ({ samples: ms.map((one) => ({ ms: one, blockMs: one / 2 })), requests: 2, codeBytes: 60_000 });
const at = { build: 'vite', latency: 50, bytes: 512e3, payloadBytes: 500e3 };
const native = { ...at, visitor: 'response-json', ...summariseVisits([visit(100, 60, 50)]) };
const objects = { ...at, visitor: 'unspool-json-objects', ...summariseVisits([visit(140, 66, 60), visit(120, 66, 60), visit(110, 66, 60)]) };

describe('coldCases', () => {
  test('covers the Vite build at 50 ms latency in all sizes by default', () => {
    expect(coldCases({}).map(({ build, latency, bytes }) => `${build} ${latency} ${bytes}`)).toEqual(
      [10e3, 100e3, 512e3, 1e6, 5e6, 20e6].map((bytes) => `vite 50 ${bytes}`),
    );
  });

  test('covers all builds, latencies and sizes with --full', () => {
    expect(coldCases({ full: true })).toHaveLength(2 * 3 * 6);
  });

  test('filters by build, latency and megabytes', () => {
    expect(coldCases({ builds: ['bare'], latencies: [0, 200], sizes: [5] })).toEqual([
      { build: 'bare', latency: 0, bytes: 5e6 },
      { build: 'bare', latency: 200, bytes: 5e6 },
    ]);
  });
});

describe('visitorsFor', () => {
  test('always includes response.json()', () => {
    expect(visitorsFor({ formats: ['protobuf'], forms: ['rows'] }).map(({ id }) => id)).toEqual(['response-json', 'unspool-protobuf-rows']);
  });

  test('filters by parts of the ids', () => {
    expect(visitorsFor({ contenderNames: ['comlink'] }).map(({ id }) => id)).toEqual(['response-json', 'comlink-json', 'comlink-msgpackr']);
  });
});

describe('first-decode report', () => {
  test('describes the first, the second and the last decode of a page', () => {
    expect(objects).toMatchObject({
      first: { median: 120, least: 110 },
      second: { median: 66, least: 66 },
      last: { median: 60, least: 60 },
      block: { median: 60, least: 55 },
      samples: 3,
    });
  });

  test('compares each result with response.json() for the same rows', () => {
    expect(coldBars([native, objects]).map(({ name, value, limit, met }) => [name, value, limit, met])).toEqual([
      ['first decode / response.json()', 1.2, 1.15, false],
      ['requests of code', 2, 2, true],
      ['code, gzip', 60_000, 70_000, true],
    ]);
  });

  test('sets bars per size and result form', () => {
    const limit = (bytes: number, form: string) =>
      coldBars([
        { ...native, bytes },
        { ...objects, bytes, visitor: `unspool-json-${form}` },
      ]).find(({ name }) => name.startsWith('first'))?.limit;
    expect([10e3, 512e3, 1e6, 5e6, 20e6].map((bytes) => [limit(bytes, 'objects'), limit(bytes, 'rows')])).toEqual([
      [1.15, undefined],
      [1.15, undefined],
      [1.5, 1.5],
      [undefined, 1.3],
      [undefined, undefined],
    ]);
  });

  test('sets no bars for other builds, other latencies and formats loaded from a separate file', () => {
    const others = [{ build: 'bare' }, { latency: 200 }, { visitor: 'unspool-protobuf-objects' }];
    for (const other of others)
      expect(
        coldBars([
          { ...native, ...other, visitor: 'response-json' },
          { ...objects, ...other },
        ]),
      ).toEqual([]);
  });

  test('summarises results by size for the build and latency of the bars', () => {
    const far = { ...native, latency: 200 };
    expect(coldSummary([native, objects, far]).split('\n').slice(2)).toEqual(['| 512 KB | 100 ms | 1.20 | – | – | – | – | – |']);
  });

  test('prints a result in one line with the ratios of medians and minima', () => {
    expect(coldLine([native, objects], objects)).toEqual([
      'vite',
      '50 ms',
      '512 KB',
      'Unspool, json, objects',
      '120 ms (110 ms)',
      '1.20 (1.10)',
      '1.10 (1.10)',
      '1.20 (1.20)',
      '60.0 ms',
      '2',
      '60 KB',
    ]);
  });
});
