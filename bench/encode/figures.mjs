// Medians and minima of the samples, ratios and bars.
import { median } from '../statistics.mjs';
import { STREAMS } from './cases.mjs';
import { ENCODING_FIELD } from './contenders/field.js';

/** @typedef {import('./measure.mjs').EncodeResult} EncodeResult */
/** @typedef {import('../documents/figures.mjs').Figure} Figure */
/** @typedef {import('../table.mjs').Bar} Bar */

/** @typedef {EncodeResult['place']} PlaceName */

/** Limits of encoding 100,000 trips, ÷ JSON.stringify and TextEncoder. */
const LIMITS = /** @type {Record<string, Record<PlaceName, number>>} */ ({
  json: { node: 0.85, chromium: 0.4 },
  messagepack: { node: 0.4, chromium: 0.3 },
  'messagepack-records': { node: 0.3, chromium: 0.22 },
  cbor: { node: 0.4, chromium: 0.3 },
  'cbor-records': { node: 0.3, chromium: 0.22 },
  avro: { node: 0.22, chromium: 0.17 },
  protobuf: { node: 0.27, chromium: 0.17 },
  bebop: { node: 0.22, chromium: 0.17 },
  sia: { node: 0.33, chromium: 0.27 },
  bson: { node: 0.5, chromium: 0.4 },
  jsbinary: { node: 0.25, chromium: 0.2 },
  flatbuffers: { node: 0.4, chromium: 0.35 },
  capnproto: { node: 0.35, chromium: 0.3 },
});
const LIMITED_GROUP = 'trips-100000';
/** Limit of a small call ÷ that of the fastest library. */
const SMALL_CALLS = 1.05;
/** Limits for a million trips: longest block, and memory in addition to the output. */
const MAX_GROUP = 'trips-1000000';
const MAX_BLOCK_MS = 16;
const MARGIN_BYTES = 32e6;

const contenders = new Map(ENCODING_FIELD.map((contender) => [contender.id, contender]));

/** @param {Pick<EncodeResult, 'contender'>} result */
export function contenderOf({ contender }) {
  return /** @type {import('./contenders/contender.js').EncodingContender} */ (contenders.get(contender));
}

/** @param {Pick<EncodeResult, 'case'>} result */
export function caseNames({ case: name }) {
  const [group, format] = name.split('/');
  return { group: String(group), format: String(format) };
}

/** @param {EncodeResult} result @returns {Figure | undefined} */
export function timeOf({ samples, error }) {
  return error === undefined ? figure(samples.map(({ ms }) => ms)) : undefined;
}

/** Ratio to JSON.stringify and TextEncoder, measured in turn in the same process. @param {EncodeResult} result @returns {Figure | undefined} */
export function ratioToJson(result) {
  const own = timeOf(result);
  const json = figure(result.samples.flatMap(({ jsonMs }) => jsonMs ?? []));
  return own && json && { median: own.median / json.median, least: own.least / json.least };
}

/**
 * The library that writes the same value in the same format fastest; for JSON, the engine.
 *
 * @param {readonly EncodeResult[]} results
 * @param {EncodeResult} result
 */
function fastestLibrary(results, result) {
  const rivals = results.filter(
    (other) =>
      other.case === result.case && other.place === result.place && contenderOf(other).kind !== 'unspool' && ratioToJson(other) !== undefined,
  );
  return rivals.toSorted((a, b) => Number(ratioToJson(a)?.median) - Number(ratioToJson(b)?.median))[0];
}

/**
 * Ratio to the fastest library, each relative to JSON.stringify in its own process.
 *
 * @param {readonly EncodeResult[]} results
 * @param {EncodeResult} result
 * @returns {Figure | undefined}
 */
export function ratioToFastest(results, result) {
  const own = ratioToJson(result);
  const fastest = fastestLibrary(results, result);
  const other = fastest && ratioToJson(fastest);
  return own && other && { median: own.median / other.median, least: own.least / other.least };
}

/** The largest peak, since memory that the process keeps from an earlier run makes later peaks smaller. @param {EncodeResult} result */
export function peakOf({ samples }) {
  const peaks = samples.flatMap(({ peakBytes }) => peakBytes ?? []);
  return peaks.length === 0 ? null : Math.max(...peaks);
}

/** @param {EncodeResult} result @param {'blockMs' | 'gcMs'} field */
export function medianOf({ samples }, field) {
  return median(samples.flatMap((sample) => sample[field] ?? []));
}

/**
 * @param {readonly EncodeResult[]} results
 * @returns {Bar[]} verdicts on medians, as far as there are figures
 */
export function encodeBars(results) {
  return results.flatMap((result) => {
    if (contenderOf(result).kind !== 'unspool' || timeOf(result) === undefined) return [];
    const { group, format } = caseNames(result);
    const own = [];
    if (result.contender === 'unspool') {
      if (group === LIMITED_GROUP) own.push(...bar(result, '÷ JSON.stringify', ratioToJson(result)?.median, LIMITS[format]?.[result.place]));
      const isSmall = result.samples.every(({ blockMs }) => blockMs === undefined);
      const rival = fastestLibrary(results, result)?.contender;
      own.push(...bar(result, `÷ ${rival}`, ratioToFastest(results, result)?.median, isSmall ? SMALL_CALLS : 1));
    }
    if (group !== MAX_GROUP) return own;
    if (STREAMS.includes(result.contender)) return bar(result, 'peak memory', peakOf(result) ?? undefined, MARGIN_BYTES, 'B');
    // Pages encode in slices, servers at once.
    const isFor = result.place === 'chromium' ? result.contender === 'unspool-slices' : result.contender === 'unspool';
    if (isFor) own.push(...bar(result, 'peak memory − output', (peakOf(result) ?? NaN) - result.bytes, MARGIN_BYTES, 'B'));
    if (result.contender === 'unspool-slices') {
      own.push(...bar(result, 'longest block', medianOf(result, 'blockMs') ?? undefined, MAX_BLOCK_MS, 'ms'));
    }
    return own;
  });
}

/**
 * @param {EncodeResult} result
 * @param {string} name
 * @param {number | undefined} value
 * @param {number | undefined} limit
 * @param {string} unit
 * @returns {Bar[]} empty without a figure or a limit
 */
function bar(result, name, value, limit, unit = '×') {
  if (value === undefined || Number.isNaN(value) || limit === undefined) return [];
  const place = result.place === 'node' ? 'Node' : 'Chromium';
  const form = result.contender === 'unspool' ? '' : `, ${contenderOf(result).label.replace('Unspool, ', '')}`;
  return [{ case: result.case, name: `${place}${form}: ${name}`, value, limit, unit, met: value <= limit }];
}

/** @param {readonly number[]} values @returns {Figure | undefined} */
function figure(values) {
  return values.length === 0 ? undefined : { median: median(values) ?? 0, least: Math.min(...values) };
}
