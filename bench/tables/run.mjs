// `--tables`: measures sorting, filtering and grouping a million rows that are in memory, and nested orders; decoding some fields, and
// decoding coordinates and lists of numbers.
import { cp, mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { BenchBrowser } from '../browser.mjs';
import { describeMachine, save } from '../report.mjs';
import { serveBench } from '../site.mjs';
import { median } from '../statistics.mjs';
import { align, barTable, duration } from '../table.mjs';
import { ARROW_CONTENDERS, WRITE_CONTENDERS } from './arrow.js';
import { GEOMETRY_CASES, LIBRARIES } from './geometry.js';
import { NESTED_CASES } from './nested.js';
import { VIEW_CASES } from './views.js';
import { OPERATIONS } from './operations.js';
import { PICK_CASES } from './pick.js';

const RUNS = 5;
const ROWS = 1_000_000;
const QUICK_ROWS = 100_000;
const REPORT = 'bench-report/tables.json';
/** Goal for the longest block of the page, in milliseconds. */
const BLOCK_MS = 8;

/** Goals for some fields: share of the time of all, if records are flat and nested, and of their memory. */
const PICK_TIME = { trips: 0.5, orders: 0.4 };
const PICK_MEMORY = 0.35;
/** Name of the case that opens an Arrow stream, and its goal: share of the time of `JSON.parse`. */
const ARROW = 'open an Arrow stream';
const ARROW_TIME = 0.05;
/** Name of the case that writes an Arrow stream. */
const WRITTEN = 'write an Arrow stream';
/** Some fields are measured on a tenth of the rows with `--quick`. */
const QUICK_SHARE = 0.1;

/** Bytes of the GeoJSON, also with `--quick`, and the goal: share of the time of `JSON.parse`. */
const GEOMETRY_BYTES = 100_000_000;
const QUICK_GEOMETRY_BYTES = 10_000_000;
const GEOMETRY_TIME = 0.4;

/** Nested orders in memory, and the goal: share of the time of an array. */
const ORDERS = 300_000;
const QUICK_ORDERS = 30_000;
const NESTED_TIME = 1;
/** The most milliseconds in which a view follows a refetch. */
const VIEW_MS = 20;

/** The first is the baseline. */
const CONTENDERS = [
  { id: 'arrays', label: 'arrays of objects' },
  { id: 'unspool', label: 'Unspool' },
  { id: 'arquero', label: 'arquero' },
  { id: 'apache-arrow', label: 'apache-arrow, by hand' },
  { id: 'flechette', label: 'flechette, by hand' },
  { id: 'duckdb', label: 'DuckDB-WASM' },
];

/** @typedef {{ operation: string, contender: string, ms: number, blockMs: number, result: string }} TableResult */
/** @typedef {{ name: string, limit: number } & import('./pick.js').PickSample} PickResult */
/** @typedef {{ name: string } & import('./nested.js').NestedSample} NestedResult */
/** @typedef {{ name: string } & import('./views.js').ViewSample} ViewResult */
/** @typedef {import('./geometry.js').GeometryCase & import('./geometry.js').GeometrySample} GeometryResult */

/**
 * @param {import('../options.mjs').Options} options
 * @returns {Promise<number>} exit status
 */
export async function runTables({ runs = RUNS, quick, names, contenderNames, json = REPORT }) {
  const contenders = CONTENDERS.filter(
    ({ id }) => id === 'arrays' || contenderNames.length === 0 || contenderNames.some((part) => id.includes(part)),
  );
  const operations = OPERATIONS.filter(({ name }) => names.length === 0 || names.some((part) => name.includes(part)));
  const picks = PICK_CASES.filter(({ name }) => names.length === 0 || names.some((part) => name.includes(part)));
  const nestedCases = NESTED_CASES.filter(({ name }) => names.length === 0 || names.some((part) => name.includes(part)));
  const viewCases = VIEW_CASES.filter(({ name }) => names.length === 0 || names.some((part) => name.includes(part)));
  const writesArrow = names.length === 0 || names.some((part) => WRITTEN.includes(part));
  const geometries = GEOMETRY_CASES.filter(({ name }) => names.length === 0 || names.some((part) => name.includes(part)));
  const opensArrow = names.length === 0 || names.some((part) => ARROW.includes(part));
  const rows = quick ? QUICK_ROWS : ROWS;
  const machine = describeMachine();
  const site = await serveBench({ library: true });
  const browser = await BenchBrowser.launch();
  /** @type {TableResult[]} */
  const results = [];
  /** @type {PickResult[]} */
  const picked = [];
  /** @type {NestedResult[]} */
  const nested = [];
  /** @type {ViewResult[]} */
  const views = [];
  /** @type {GeometryResult[]} */
  const decoded = [];
  /** @type {Record<string, import('./arrow.js').ArrowSample>} */
  let opened = {};
  /** @type {Record<string, import('./arrow.js').ArrowSample>} */
  let written = {};
  try {
    await copyDuckDb(join(site.root, 'duckdb'));
    console.log(`${browser.name}, ${machine.cores} × ${machine.cpu}, load ${machine.load} at the start`);
    console.log(`Medians of ${runs} runs after one that warms up, on ${rows.toLocaleString('en')} trips in memory.\n`);
    for (const { id, label } of operations.length === 0 ? [] : contenders) {
      try {
        results.push(...(await measure(browser, `${site.url}tables.html`, id, operations, rows, runs)));
      } catch (error) {
        // A page may run out of memory.
        console.log(`${label} failed: ${/** @type {Error} */ (error).message}\n`);
      }
    }
    if (opensArrow) opened = await measureStreams(browser, site.url, 'arrow', rows, runs);
    if (writesArrow) written = await measureStreams(browser, site.url, 'written', rows, runs);
    for (const given of picks) picked.push(await measurePicked(browser, site.url, given, quick ? QUICK_SHARE : 1, runs));
    for (const given of nestedCases) nested.push(await measureOrders(browser, site.url, given, quick ? QUICK_ORDERS : ORDERS, runs));
    for (const given of viewCases) views.push(await measureView(browser, site.url, given, quick ? QUICK_ORDERS : ORDERS, runs));
    for (const given of geometries)
      decoded.push(await measureCoordinates(browser, site.url, given, quick ? QUICK_GEOMETRY_BYTES : GEOMETRY_BYTES, runs));
  } finally {
    await browser.close();
    await site.close();
  }
  for (const { name } of operations) console.log(`${tableOf(results, name)}\n`);
  if (opensArrow) console.log(`${streamTable(ARROW, '× JSON.parse', ARROW_CONTENDERS, opened)}\n`);
  if (writesArrow) console.log(`${streamTable(WRITTEN, '× JSON.stringify', WRITE_CONTENDERS, written)}\n`);
  if (picked.length > 0) console.log(`${pickTable(picked)}\n`);
  if (nested.length > 0) console.log(`${nestedTable(nested)}\n`);
  if (views.length > 0) console.log(`${nestedTable(views, 'created')}\n`);
  if (decoded.length > 0) console.log(`${geometryTable(decoded)}\n`);
  console.log(
    barTable([
      ...bars(results, operations),
      ...(opensArrow ? openBars(opened) : []),
      ...(writesArrow ? writtenBars(written) : []),
      ...picked.flatMap(pickBars),
      ...nested.flatMap(nestedBars),
      ...views.flatMap(viewBars),
      ...decoded.flatMap(geometryBars),
    ]),
  );
  await save(json, {
    machine,
    browser: browser.name,
    date: new Date().toISOString(),
    rows,
    results,
    opened,
    written,
    picked,
    nested,
    views,
    decoded,
  });
  return wrong(results).length + [...nested, ...views].filter(({ result, expected }) => result !== expected).length;
}

/** Copies the files that DuckDB-WASM loads by their URLs. */
async function copyDuckDb(/** @type {string} */ folder) {
  const from = dirname(createRequire(import.meta.url).resolve('@duckdb/duckdb-wasm'));
  await mkdir(folder);
  for (const file of ['duckdb-browser-eh.worker.js', 'duckdb-eh.wasm']) await cp(join(from, file), join(folder, file));
}

/**
 * @param {BenchBrowser} browser
 * @param {string} url
 * @param {string} contender
 * @param {readonly import('./operations.js').Operation[]} operations
 * @param {number} rows
 * @param {number} runs
 */
async function measure(browser, url, contender, operations, rows, runs) {
  return browser.withPage(url, async (page) => {
    await page.evaluate(
      ([id, payload]) => tables.open(id, payload),
      /** @type {const} */ ([contender, `/payload?dataset=trips&format=json&rows=${rows}`]),
    );
    /** @type {TableResult[]} */
    const results = [];
    for (const operation of operations) {
      const samples = [];
      for (let run = 0; run <= runs; run += 1) samples.push(await page.evaluate((given) => tables.run(given), operation));
      const timed = samples.slice(1).filter((sample) => sample !== undefined);
      const [first] = timed;
      if (!first) continue;
      const of = (/** @type {'ms' | 'blockMs'} */ key) => median(timed.map((sample) => sample[key])) ?? NaN;
      results.push({ operation: operation.name, contender, ms: of('ms'), blockMs: of('blockMs'), result: first.result });
    }
    return results;
  });
}

/**
 * @param {BenchBrowser} browser
 * @param {string} url
 * @param {import('./pick.js').PickCase} given
 * @param {number} share of the rows
 * @param {number} runs
 * @returns {Promise<PickResult>}
 */
async function measurePicked(browser, url, given, share, runs) {
  const payload = `/payload?dataset=${given.dataset}&format=${given.format}&rows=${given.rows * share}`;
  const samples = await browser.withPage(`${url}tables.html`, (page) =>
    page.evaluate(([one, from, times]) => tables.pick(one, from, times), /** @type {const} */ ([given, payload, runs])),
  );
  const of = (/** @type {keyof import('./pick.js').PickSample} */ key) => median(samples.map((sample) => sample[key])) ?? NaN;
  const { name, dataset } = given;
  const limit = PICK_TIME[/** @type {keyof typeof PICK_TIME} */ (dataset)];
  return { name, limit, allMs: of('allMs'), pickMs: of('pickMs'), allBytes: of('allBytes'), pickBytes: of('pickBytes') };
}

/**
 * @param {BenchBrowser} browser
 * @param {string} url
 * @param {import('./nested.js').NestedCase} given
 * @param {number} rows
 * @param {number} runs
 * @returns {Promise<NestedResult>}
 */
async function measureOrders(browser, url, given, rows, runs) {
  const payload = `/payload?dataset=orders&format=json&rows=${rows}`;
  const samples = await browser.withPage(`${url}tables.html`, (page) =>
    page.evaluate(([one, from, times]) => tables.nested(one, from, times), /** @type {const} */ ([given, payload, runs])),
  );
  const of = (/** @type {'arraysMs' | 'ms' | 'blockMs' | 'firstMs'} */ key) => median(samples.map((sample) => sample[key])) ?? NaN;
  const { result, expected } = /** @type {import('./nested.js').NestedSample} */ (samples[0]);
  const figures = { arraysMs: of('arraysMs'), ms: of('ms'), blockMs: of('blockMs'), firstMs: of('firstMs') };
  return { name: given.name, ...figures, result, expected, others: mediansOf(samples) };
}

/**
 * @param {BenchBrowser} browser
 * @param {string} url
 * @param {import('./views.js').ViewCase} given
 * @param {number} rows
 * @param {number} runs
 * @returns {Promise<ViewResult>}
 */
async function measureView(browser, url, given, rows, runs) {
  const payload = `/payload?dataset=orders&format=json&rows=${rows}`;
  const samples = await browser.withPage(`${url}tables.html`, (page) =>
    page.evaluate(([one, from, times]) => tables.views(one, from, times), /** @type {const} */ ([given, payload, runs])),
  );
  const of = (/** @type {'arraysMs' | 'ms' | 'blockMs' | 'firstMs'} */ key) => median(samples.map((sample) => sample[key])) ?? NaN;
  const wrongOne = samples.find(({ result, expected }) => result !== expected) ?? samples[0];
  const { result, expected } = /** @type {import('./views.js').ViewSample} */ (wrongOne);
  const figures = { arraysMs: of('arraysMs'), ms: of('ms'), blockMs: of('blockMs'), firstMs: of('firstMs') };
  return { name: given.name, ...figures, result, expected, others: mediansOf(samples) };
}

/** Medians of the times of other libraries, by name. @param {readonly import('./nested.js').NestedSample[]} samples */
function mediansOf(samples) {
  const labels = Object.keys(samples[0]?.others ?? {});
  return Object.fromEntries(labels.map((label) => [label, median(samples.map(({ others }) => others[label] ?? NaN)) ?? NaN]));
}

/**
 * @param {BenchBrowser} browser
 * @param {string} url
 * @param {import('./geometry.js').GeometryCase} given
 * @param {number} bytes
 * @param {number} runs
 * @returns {Promise<GeometryResult>}
 */
async function measureCoordinates(browser, url, given, bytes, runs) {
  const samples = await browser.withPage(`${url}tables.html`, (page) =>
    page.evaluate(([one, size, times]) => tables.geometry(one, size, times), /** @type {const} */ ([given, bytes, runs])),
  );
  const of = (/** @type {keyof import('./geometry.js').GeometrySample} */ key) => median(samples.map((sample) => sample[key])) ?? NaN;
  return { ...given, parseMs: of('parseMs'), libraryMs: of('libraryMs'), ms: of('ms'), blockMs: of('blockMs') };
}

/**
 * @param {BenchBrowser} browser
 * @param {string} url
 * @param {'arrow' | 'written'} what
 * @param {number} rows
 * @param {number} runs
 * @returns {Promise<Record<string, import('./arrow.js').ArrowSample>>} medians by contender
 */
async function measureStreams(browser, url, what, rows, runs) {
  const samples = await browser.withPage(`${url}tables.html`, (page) =>
    page.evaluate(
      ([which, from, times]) => tables[which](from, times),
      /** @type {const} */ ([what, `/payload?dataset=trips&format=json&rows=${rows}`, runs]),
    ),
  );
  const of = (/** @type {readonly import('./arrow.js').ArrowSample[]} */ own) => ({
    ms: median(own.map(({ ms }) => ms)) ?? NaN,
    blockMs: median(own.map(({ blockMs }) => blockMs)) ?? NaN,
  });
  return Object.fromEntries(Object.entries(samples).map(([label, own]) => [label, of(own)]));
}

/**
 * @param {string} name @param {string} ratio @param {readonly string[]} labels
 * @param {Record<string, import('./arrow.js').ArrowSample>} results
 */
function streamTable(name, ratio, labels, results) {
  const baseline = results[labels[0] ?? '']?.ms ?? NaN;
  const lines = Object.entries(results).map(([label, { ms, blockMs }]) => [label, duration(ms), (ms / baseline).toFixed(3), duration(blockMs)]);
  return `${name}\n${align([['', 'time', ratio, 'longest block'], ...lines])}`;
}

/** @param {Record<string, import('./arrow.js').ArrowSample>} written */
function writtenBars(written) {
  return Object.entries(written)
    .filter(([label]) => label.startsWith('Unspool'))
    .map(([label, { blockMs }]) => {
      const own = label.replace('Unspool, ', '');
      return { case: WRITTEN, name: `longest block, ${own}`, value: blockMs, limit: BLOCK_MS, unit: 'ms', met: blockMs <= BLOCK_MS };
    });
}

/** @param {Record<string, import('./arrow.js').ArrowSample>} opened */
function openBars(opened) {
  const value = (opened['Unspool']?.ms ?? NaN) / (opened[ARROW_CONTENDERS[0] ?? '']?.ms ?? NaN);
  return [{ case: ARROW, name: 'time', value, limit: ARROW_TIME, unit: '×', met: value <= ARROW_TIME }];
}

/** @param {readonly PickResult[]} picked */
function pickTable(picked) {
  const lines = picked.map(({ name, allMs, pickMs, allBytes, pickBytes }) => [
    name,
    duration(allMs),
    duration(pickMs),
    (pickMs / allMs).toFixed(2),
    (pickBytes / allBytes).toFixed(2),
  ]);
  return `rows of some fields\n${align([['', 'all', 'picked', '× all', '× memory'], ...lines])}`;
}

/** @param {PickResult} result */
function pickBars({ name, limit, allMs, pickMs, allBytes, pickBytes }) {
  const bar = (/** @type {string} */ what, /** @type {number} */ value, /** @type {number} */ most) => ({
    case: name,
    name: what,
    value,
    limit: most,
    unit: '×',
    met: value <= most,
  });
  return [bar('time', pickMs / allMs, limit), bar('memory', pickBytes / allBytes, PICK_MEMORY)];
}

/** @param {readonly NestedResult[]} nested @param {string} [first] */
function nestedTable(nested, first = 'first call') {
  const labels = Object.keys(nested[0]?.others ?? {});
  const lines = nested.map(({ name, arraysMs, ms, blockMs, firstMs, result, expected, others }) => [
    name,
    duration(arraysMs),
    result === expected ? duration(ms) : `wrong result: ${result}`,
    (ms / arraysMs).toFixed(2),
    duration(blockMs),
    duration(firstMs),
    ...labels.map((label) => (others[label] === undefined ? '' : duration(others[label]))),
  ]);
  return align([['', 'arrays', 'Unspool', '× arrays', 'longest block', first, ...labels], ...lines]);
}

/** @param {NestedResult} result */
function nestedBars({ name, arraysMs, ms, blockMs }) {
  const value = ms / arraysMs;
  return [
    { case: name, name: 'time', value, limit: NESTED_TIME, unit: '×', met: value <= NESTED_TIME },
    { case: name, name: 'longest block', value: blockMs, limit: BLOCK_MS, unit: 'ms', met: blockMs <= BLOCK_MS },
  ];
}

/** @param {ViewResult} result */
function viewBars({ name, ms, blockMs }) {
  return [
    { case: name, name: 'time', value: ms, limit: VIEW_MS, unit: 'ms', met: ms <= VIEW_MS },
    { case: name, name: 'longest block', value: blockMs, limit: BLOCK_MS, unit: 'ms', met: blockMs <= BLOCK_MS },
  ];
}

/** @param {readonly GeometryResult[]} decoded */
function geometryTable(decoded) {
  const lines = decoded.map(({ name, format, parseMs, libraryMs, ms, blockMs }) => [
    name,
    duration(parseMs),
    format === 'json' ? '' : `${LIBRARIES[format]} ${duration(libraryMs)}`,
    duration(ms),
    (ms / parseMs).toFixed(2),
    format === 'json' ? '' : (ms / libraryMs).toFixed(2),
    duration(blockMs),
  ]);
  return align([['', 'JSON.parse', 'library', 'Unspool', '× JSON.parse', '× library', 'longest block'], ...lines]);
}

/** @param {GeometryResult} result */
function geometryBars({ name, parseMs, ms, blockMs }) {
  const value = ms / parseMs;
  return [
    { case: name, name: 'time', value, limit: GEOMETRY_TIME, unit: '×', met: value <= GEOMETRY_TIME },
    { case: name, name: 'longest block', value: blockMs, limit: BLOCK_MS, unit: 'ms', met: blockMs <= BLOCK_MS },
  ];
}

/** Results that are not those of the arrays. DuckDB's sorted values are not read, so only their number is compared. */
function wrong(/** @type {readonly TableResult[]} */ results) {
  return results.filter(({ operation, result }) => {
    const expected = results.find((other) => other.operation === operation && other.contender === 'arrays')?.result ?? '';
    return result !== expected && result !== expected.split(' ')[0];
  });
}

/** @param {readonly TableResult[]} results @param {string} name */
function tableOf(results, name) {
  const own = results.filter(({ operation }) => operation === name);
  const baseline = own.find(({ contender }) => contender === 'arrays')?.ms ?? NaN;
  const lines = own.map((result) => {
    const label = CONTENDERS.find(({ id }) => id === result.contender)?.label ?? '';
    if (wrong(results).includes(result)) return [label, `wrong result: ${result.result}`, '', ''];
    return [label, duration(result.ms), (result.ms / baseline).toFixed(2), duration(result.blockMs)];
  });
  return `${name}\n${align([['', 'time', '× arrays', 'longest block'], ...lines])}`;
}

/** @param {readonly TableResult[]} results @param {readonly import('./operations.js').Operation[]} operations */
function bars(results, operations) {
  return operations.flatMap(({ name, limitMs, filter }) => {
    const find = (/** @type {string} */ id) => results.find(({ operation, contender }) => operation === name && contender === id);
    const [own, arrays] = [find('unspool'), find('arrays')];
    if (!own) return [];
    const limit = limitMs ?? (filter === 'predicate' ? arrays?.ms : undefined);
    const bar = (/** @type {string} */ what, /** @type {number} */ value, /** @type {number} */ most) => ({
      case: name,
      name: what,
      value,
      limit: most,
      unit: 'ms',
      met: value <= most,
    });
    return [...(limit === undefined ? [] : [bar('time', own.ms, limit)]), bar('longest block', own.blockMs, BLOCK_MS)];
  });
}
