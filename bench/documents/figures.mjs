// Medians and minima of the samples, ratios, bars and tables.
import { groupBy, median } from '../statistics.mjs';
import { align, duration, size } from '../table.mjs';

/**
 * A median and the least.
 *
 * @typedef {{ median: number, least: number }} Figure
 */

/**
 * @typedef {object} Line
 * @property {string} contender
 * @property {'main' | 'worker' | 'unspool'} kind
 * @property {Figure} [totalMs] until all objects, or rows
 * @property {Figure} [busyMs] total busy time of the page
 * @property {Figure} [blockMs] longest block
 * @property {number | null} [peakBytes]
 * @property {number} runs
 * @property {string} [error]
 */

/**
 * One document of one size in one format.
 *
 * @typedef {object} Comparison
 * @property {string} document
 * @property {string} label
 * @property {'nested' | 'flat'} kind
 * @property {number} megabytes requested size
 * @property {number} jsonBytes
 * @property {string} format
 * @property {number} bytes
 * @property {Line[]} lines
 * @property {string} [impossible] why the format cannot hold the document
 */

/** @typedef {import('../table.mjs').Bar} Bar */

const BASELINE = 'json-parse';
const OBJECTS = 'unspool-objects';
const ROWS = 'unspool-rows';

/** Limits of the bars. */
const LIMITS = {
  objects: /** @type {Record<string, number>} */ ({ json: 1.25, messagepack: 1, cbor: 1, bson: 1 }),
  busy: { nested: 1.3, flat: 0.3 },
  nestedRows: 0.8,
  blockMs: 16,
};

/**
 * @param {import('./measure.mjs').Measured} measured
 * @param {Line['kind']} kind
 * @returns {Line}
 */
export function lineOf({ contender, samples, error }, kind) {
  const line = { contender, kind, runs: samples.length };
  if (error !== undefined || samples.length === 0) return { ...line, error: error ?? 'no run' };
  const figure = (/** @type {(sample: import('./measure.mjs').Sample) => number | null | undefined} */ of) => {
    const values = samples.map((sample) => of(sample) ?? 0);
    return { median: median(values) ?? 0, least: Math.min(...values) };
  };
  const peaks = samples.flatMap(({ peakBytes }) => peakBytes ?? []);
  return {
    ...line,
    totalMs: figure(({ plainMs, readyMs }) => plainMs ?? readyMs),
    busyMs: figure(({ takenMs }) => takenMs),
    blockMs: figure(({ longestBlockMs }) => longestBlockMs),
    peakBytes: peaks.length === 0 ? null : Math.max(...peaks),
  };
}

/**
 * @param {Figure | undefined} value
 * @param {Figure | undefined} reference
 * @returns {Figure | undefined}
 */
export function ratioOf(value, reference) {
  if (!value || !reference || reference.median === 0 || reference.least === 0) return undefined;
  return { median: value.median / reference.median, least: value.least / reference.least };
}

/** The competitor of objects: `JSON.parse` for JSON, otherwise the fastest library on the page. @param {Comparison} comparison @returns {Line | undefined} */
function rivalOf({ lines, format }) {
  const rivals = lines.filter(({ contender, kind, totalMs }) => kind === 'main' && totalMs && (format === 'json') === (contender === BASELINE));
  return rivals.toSorted((a, b) => Number(a.totalMs?.median) - Number(b.totalMs?.median))[0];
}

/** @param {Comparison} comparison */
function ratiosOf(comparison) {
  const { lines } = comparison;
  const of = (/** @type {string} */ id) => lines.find(({ contender }) => contender === id);
  const baseline = of(BASELINE);
  const rival = rivalOf(comparison);
  const objects = of(OBJECTS);
  const rows = of(ROWS);
  return {
    baseline,
    rival,
    objects,
    rows,
    objectsByRival: ratioOf(objects?.totalMs, rival?.totalMs),
    objectsByJson: ratioOf(objects?.totalMs, baseline?.totalMs),
    objectsBusy: ratioOf(objects?.busyMs, baseline?.busyMs),
    rowsByJson: ratioOf(rows?.totalMs, baseline?.totalMs),
    rowsBusy: ratioOf(rows?.busyMs, baseline?.busyMs),
  };
}

/**
 * @param {Comparison} comparison
 * @returns {Bar[]} verdicts on medians, as far as there are figures
 */
export function documentBars(comparison) {
  const { document, kind, megabytes, format } = comparison;
  const { objects, rows, rival, objectsByRival, objectsBusy, rowsByJson } = ratiosOf(comparison);
  const name = `${document}-${megabytes}/${format}`;
  /** @param {string} what @param {Figure | undefined} figure @param {number | undefined} limit @param {string} unit @returns {Bar[]} */
  const bar = (what, figure, limit, unit = '×') => {
    if (!figure || limit === undefined) return [];
    return [{ case: name, name: what, value: figure.median, limit, unit, met: figure.median <= limit }];
  };
  return [
    ...bar(`objects / ${rival?.contender}`, objectsByRival, LIMITS.objects[format]),
    ...bar('objects: busy time of the page / json-parse', objectsBusy, LIMITS.busy[kind]),
    ...bar('objects: longest block', objects?.blockMs, LIMITS.blockMs, 'ms'),
    ...(kind === 'nested' ? bar('rows / json-parse', rowsByJson, LIMITS.nestedRows) : []),
    ...bar('rows: longest block', rows?.blockMs, LIMITS.blockMs, 'ms'),
  ];
}

export const TABLE_HEADER = [
  'document',
  'MB',
  'format',
  'JSON.parse',
  'fastest library',
  'objects',
  '÷ library',
  'busy ÷ JSON.parse',
  'block',
  'peak',
  'rows ÷ JSON.parse',
  'busy ÷',
  'block',
  'peak',
  'clone ÷ JSON.parse',
];

/** @param {Comparison} comparison @returns {string[]} */
export function tableLine(comparison) {
  const { label, megabytes, format, bytes, impossible, lines } = comparison;
  const head = [label, String(megabytes), `${format} ${size(bytes)}`];
  if (impossible !== undefined) return [label, String(megabytes), `${format}: not possible, ${impossible}`];
  const { baseline, rival, objects, rows, objectsByRival, objectsBusy, rowsByJson, rowsBusy } = ratiosOf(comparison);
  const clone = lines.find(({ contender }) => contender === 'worker-clone');
  return [
    ...head,
    duration(baseline?.totalMs?.median ?? null),
    rival ? `${rival.contender} ${duration(rival.totalMs?.median ?? null)}` : '–',
    objects?.error ?? duration(objects?.totalMs?.median ?? null),
    both(objectsByRival),
    both(objectsBusy),
    duration(objects?.blockMs?.median ?? null),
    size(objects?.peakBytes ?? null),
    rows?.error ?? both(rowsByJson),
    both(rowsBusy),
    duration(rows?.blockMs?.median ?? null),
    size(rows?.peakBytes ?? null),
    both(ratioOf(clone?.totalMs, baseline?.totalMs)),
  ];
}

/** Ratios of medians and of minima. @param {Figure | undefined} figure */
export function both(figure) {
  return figure ? `${figure.median.toFixed(2)} (${figure.least.toFixed(2)})` : '–';
}

/**
 * @param {readonly (readonly string[])[]} lines
 * @returns {string} a table in Markdown
 */
export function markdown([header, ...lines]) {
  const row = (/** @type {readonly string[]} */ cells) => `| ${cells.join(' | ')} |`;
  return [row(header), row(header.map((_, index) => (index === 0 ? '---' : '--:'))), ...lines.map((cells) => row(cells))].join('\n');
}

/**
 * The table in docs/internals/benchmarks.md: the range over all sizes, per document and format.
 *
 * @param {readonly Comparison[]} comparisons
 */
export function summary(comparisons) {
  const header = [
    'document',
    'format',
    '`JSON.parse`',
    'objects ÷ fastest on the page',
    'page busy ÷ `JSON.parse`',
    'rows ÷ `JSON.parse`',
    'longest block',
  ];
  const possible = comparisons.filter(({ impossible }) => impossible === undefined);
  const lines = [...groupBy(possible, ({ label, format }) => `${label} ${format}`).values()].map((group) => {
    const ratios = group.map(ratiosOf);
    const blocks = ratios.flatMap(({ objects, rows }) => [objects?.blockMs?.median, rows?.blockMs?.median]);
    return [
      group[0].label,
      group[0].format,
      range(
        ratios.map(({ baseline }) => baseline?.totalMs?.median),
        (value) => duration(value),
      ),
      range(ratios.map(({ objectsByRival }) => objectsByRival?.median)),
      range(ratios.map(({ objectsBusy }) => objectsBusy?.median)),
      range(ratios.map(({ rowsByJson }) => rowsByJson?.median)),
      range(blocks, (value) => duration(value)),
    ];
  });
  return markdown([header, ...lines]);
}

/** @param {readonly (number | undefined)[]} values @param {(value: number) => string} [text] */
function range(values, text = (value) => value.toFixed(2)) {
  const known = values.filter((value) => value !== undefined);
  if (known.length === 0) return '–';
  const [least, most] = [text(Math.min(...known)), text(Math.max(...known))];
  return least === most ? least : `${least} to ${most}`;
}

/** Prints the times of every contender. @param {Comparison} comparison */
export function contenderTable({ lines }) {
  const cells = lines.map(({ contender, totalMs, busyMs, blockMs, peakBytes = null, runs, error }) => {
    if (error !== undefined) return [contender, error];
    const pair = (/** @type {Figure | undefined} */ figure) => `${duration(figure?.median ?? null)} (${duration(figure?.least ?? null)})`;
    return [contender, pair(totalMs), pair(busyMs), pair(blockMs), size(peakBytes), String(runs)];
  });
  return align([['', 'total', 'page busy', 'longest block', 'peak', 'runs'], ...cells]);
}
