// Figures, bars and tables of first decodes.
import { both, markdown, ratioOf } from '../documents/figures.mjs';
import { median } from '../statistics.mjs';
import { duration, size } from '../table.mjs';
import { BASELINE, VISITORS, isOurs } from './cases.mjs';

/** @typedef {import('../documents/figures.mjs').Figure} Figure */

/**
 * One page in one case.
 *
 * @typedef {object} ColdResult
 * @property {string} build
 * @property {number} latency
 * @property {number} bytes of the JSON
 * @property {string} visitor
 * @property {number} payloadBytes
 * @property {Figure} [first] ms
 * @property {Figure} [second]
 * @property {Figure} [last] the tenth decode
 * @property {Figure} [block] the longest of the first decode
 * @property {number} [requests] for code until the end of the first decode, including the page's own script
 * @property {number} [codeBytes] gzip size of this code, without the benchmark's own
 * @property {number} samples
 * @property {string} [error]
 */

/** @typedef {{ samples: readonly { ms: number, blockMs: number }[], requests: number, codeBytes: number }} Visit */

/**
 * @param {readonly Visit[]} visits
 * @returns {Pick<ColdResult, 'first' | 'second' | 'last' | 'block' | 'requests' | 'codeBytes' | 'samples'>}
 */
export function summariseVisits(visits) {
  const figure = (/** @type {(visit: Visit) => number | undefined} */ of) => {
    const values = visits.flatMap((visit) => of(visit) ?? []);
    return { median: median(values) ?? 0, least: values.length === 0 ? 0 : Math.min(...values) };
  };
  return {
    first: figure(({ samples }) => samples[0]?.ms),
    second: figure(({ samples }) => samples[1]?.ms),
    last: figure(({ samples }) => samples[samples.length - 1]?.ms),
    block: figure(({ samples }) => samples[0]?.blockMs),
    requests: median(visits.map(({ requests }) => requests)) ?? 0,
    codeBytes: median(visits.map(({ codeBytes }) => codeBytes)) ?? 0,
    samples: visits.length,
  };
}

/** The bars apply to this latency and build. */
const LINE = { build: 'vite', latency: 50 };
/** Limits of the first decode ÷ `response.json()`, by size. */
const BARS = [
  { upTo: 512e3, objects: 1.15, rows: undefined },
  { upTo: 1e6, objects: 1.5, rows: 1.5 },
  { upTo: 5e6, objects: undefined, rows: 1.3 },
];
const REQUESTS = 2;
const CODE_BYTES = 70e3;
/** Formats with bars: those whose code needs no further file. */
const BARRED_FORMATS = ['json', 'messagepack'];

/**
 * @param {readonly ColdResult[]} results
 * @returns {import('../table.mjs').Bar[]}
 */
export function coldBars(results) {
  return results.flatMap((result) => {
    const { build, latency, bytes, visitor } = result;
    const known = VISITORS.find(({ id }) => id === visitor);
    if (!known || !isOurs(known) || build !== LINE.build || latency !== LINE.latency || !BARRED_FORMATS.includes(known.format)) return [];
    const limit = BARS.find(({ upTo }) => bytes <= upTo)?.[known.form];
    /** @param {string} what @param {number | undefined} value @param {number | undefined} most @param {string} unit */
    const bar = (what, value, most, unit) => {
      if (value === undefined || most === undefined) return [];
      return [{ case: `${size(bytes)}/${visitor}`, name: what, value, limit: most, unit, met: value <= most }];
    };
    return [
      ...bar('first decode / response.json()', ratioOf(result.first, baselineOf(results, result)?.first)?.median, limit, '×'),
      ...bar('requests of code', result.requests, REQUESTS, ''),
      ...bar('code, gzip', result.codeBytes, CODE_BYTES, 'B'),
    ];
  });
}

/** @param {readonly ColdResult[]} results @param {ColdResult} result */
export function baselineOf(results, { build, latency, bytes }) {
  return results.find((other) => other.visitor === BASELINE && other.build === build && other.latency === latency && other.bytes === bytes);
}

export const COLD_HEADER = [
  'build',
  'latency',
  'JSON',
  'page',
  'first',
  '÷ response.json()',
  'second ÷',
  'tenth ÷',
  'longest block',
  'requests',
  'code, gzip',
];

/** @param {readonly ColdResult[]} results @param {ColdResult} result @returns {string[]} */
export function coldLine(results, result) {
  const { build, latency, bytes, visitor, first, second, last, block, requests, codeBytes, error } = result;
  const label = VISITORS.find(({ id }) => id === visitor)?.label ?? visitor;
  const head = [build, `${latency} ms`, size(bytes), label];
  if (error !== undefined) return [...head, error];
  const baseline = baselineOf(results, result);
  return [
    ...head,
    `${duration(first?.median ?? null)} (${duration(first?.least ?? null)})`,
    both(ratioOf(first, baseline?.first)),
    both(ratioOf(second, baseline?.second)),
    both(ratioOf(last, baseline?.last)),
    duration(block?.median ?? null),
    String(requests),
    size(codeBytes ?? null),
  ];
}

/** Columns of the table in docs/internals/benchmarks.md: ratios of medians to `response.json()`. */
const SUMMARY = [
  { header: 'JSON, objects', visitor: 'unspool-json-objects' },
  { header: 'JSON, rows', visitor: 'unspool-json-rows' },
  { header: 'MessagePack, objects', visitor: 'unspool-messagepack-objects' },
  { header: 'MessagePack, rows', visitor: 'unspool-messagepack-rows' },
  { header: 'msgpackr', visitor: 'msgpackr' },
  { header: 'worker, Comlink, JSON', visitor: 'comlink-json' },
];

/**
 * The table in docs/internals/benchmarks.md: first decodes by size, for the build and the latency of the bars.
 *
 * @param {readonly ColdResult[]} results
 */
export function coldSummary(results) {
  const own = results.filter(({ build, latency }) => build === LINE.build && latency === LINE.latency);
  const baselines = own.filter(({ visitor }) => visitor === BASELINE);
  const lines = baselines.map((baseline) => [
    size(baseline.bytes),
    duration(baseline.first?.median ?? null),
    ...SUMMARY.map(({ visitor }) => {
      const result = own.find((other) => other.visitor === visitor && other.bytes === baseline.bytes);
      return ratioOf(result?.first, baseline.first)?.median.toFixed(2) ?? '–';
    }),
  ]);
  return markdown([['JSON', '`response.json()`', ...SUMMARY.map(({ header }) => `${header} ÷`)], ...lines]);
}
