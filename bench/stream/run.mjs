// `--stream`: measures payloads that are used while they arrive.
import { plainBrowserName, reportOf } from '../plain-browser.mjs';
import { describeMachine, firstLine, save } from '../report.mjs';
import { serveBench } from '../site.mjs';
import { align, barTable, duration, size } from '../table.mjs';
import { checkStreamBars } from './bars.mjs';
import { FLAT_CASES, FLAT_STEP_MS, STREAM_CASES } from './cases.mjs';
import { STREAM_CONTENDERS } from './contenders.js';
import { serveEndless } from './endless.mjs';

const RUNS = 3;
const WARM_UP_ROWS = 10_000;
const REPORT = 'bench-report/streams.json';
/** Rows of the payload that is repeated. */
const REPEATED_ROWS = 10_000;
/** Bytes of the payload that warms up the code for endless ones. */
const WARM_UP_BYTES = 5e6;
/** Let a page collect its garbage, and measure its memory without delay. */
const FLAGS = ['--js-flags=--expose-gc', '--enable-precise-memory-info', '--enable-blink-features=ForceEagerMeasureMemory'];
/** Time limit of a page. */
const PATIENCE_MS = 300_000;

/**
 * @typedef {object} StreamResult
 * @property {string} case
 * @property {string} contender
 * @property {number} [rows]
 * @property {number} [firstMs] from the first byte to the first rows
 * @property {number} [readyMs] from the last byte to all rows
 * @property {number} [totalMs]
 * @property {number} [networkMs] from the first byte to the last
 * @property {number} [longestBlockMs]
 * @property {number | null} [peakBytes] growth of the page's process, workers included
 * @property {number} [pageBytes] peak of live memory in the page, for payloads that are read slowly
 * @property {number} [workerBytes]
 * @property {number} [errorOffset] offset of the invalid byte
 * @property {string} [error]
 */

/** @typedef {Required<Pick<StreamResult, 'rows' | 'firstMs' | 'readyMs' | 'totalMs' | 'networkMs' | 'longestBlockMs' | 'peakBytes'>>} Sample */

/**
 * @param {import('../options.mjs').Options} options
 * @returns {Promise<number>} exit status
 */
export async function runStreams(options) {
  const isChosen = (/** @type {string} */ name, /** @type {boolean} */ quick) =>
    options.names.length > 0 ? options.names.some((part) => name.includes(part)) : quick || !options.quick;
  const cases = STREAM_CASES.filter(({ name, quick }) => isChosen(name, quick));
  const flat = FLAT_CASES.filter(({ name }) => isChosen(name, false));
  if (options.list) {
    for (const { name, format } of cases)
      console.log(
        `${name.padEnd(40)} ${fitting(format, options)
          .map(({ id }) => id)
          .join(' ')}`,
      );
    for (const { name } of flat) console.log(`${name.padEnd(40)} unspool-batches`);
    return 0;
  }
  const machine = describeMachine();
  const site = await serveBench({ library: true });
  const browser = plainBrowserName();
  /** @type {StreamResult[]} */
  const results = [];
  try {
    console.log(`${browser}, ${machine.cores} × ${machine.cpu}, load ${machine.load} at the start`);
    console.log('Medians. First rows: from the first byte. All rows: from the last byte, by the browser’s own record.\n');
    for (const streamCase of cases) {
      for (const contender of fitting(streamCase.format, options)) {
        results.push(await measure(site.url, streamCase, contender, options.runs ?? RUNS));
      }
      console.log(`${table(results, streamCase)}\n`);
    }
    for (const flatCase of flat) {
      const result = await measureFlat(site.url, flatCase);
      results.push(result);
      const { rows = 0, totalMs = 0, peakBytes = null, pageBytes = null, workerBytes = null, errorOffset, error } = result;
      const memory = `page ${size(pageBytes)}, worker ${size(workerBytes)}, process ${size(peakBytes)} at most`;
      const offset = errorOffset === undefined ? '' : `, error found at byte ${errorOffset.toLocaleString('en')}`;
      console.log(error ?? `${flatCase.name}: ${rows.toLocaleString('en')} rows in ${duration(totalMs)}, ${memory}${offset}`);
    }
    const bars = checkStreamBars(results);
    if (bars.length > 0) console.log(`\n${barTable(bars)}\n`);
    const json = options.json ?? REPORT;
    await save(json, { machine, browser, date: new Date().toISOString(), results, bars });
    console.log(`Written: ${json}`);
  } finally {
    await site.close();
  }
  return results.some(({ error }) => error !== undefined) ? 1 : 0;
}

/** @param {string} format @param {import('../options.mjs').Options} options */
function fitting(format, { contenderNames }) {
  const isWanted = (/** @type {string} */ id) => contenderNames.length === 0 || contenderNames.some((part) => id.includes(part));
  return STREAM_CONTENDERS.filter(({ id, formats }) => formats.includes(format) && isWanted(id));
}

/**
 * @param {string} site
 * @param {import('./cases.mjs').StreamCase} streamCase
 * @param {import('./contenders.js').StreamContender} contender
 * @param {number} runs
 * @returns {Promise<StreamResult>}
 */
async function measure(site, { name, dataset, format, rows, rate, fresh }, contender, runs) {
  const url = (/** @type {number} */ count, /** @type {number} */ throttle) =>
    `/payload?dataset=${dataset}&rows=${count}&format=${format}&throttle=${throttle}`;
  const query = { contender: contender.id, url: url(rows, rate), format, list: dataset };
  /** Runs a contender in one page. @param {Record<string, string>} more @returns {Promise<Sample[]>} */
  const measureIn = (more) => reportOf(`${site}stream.html`, { ...query, ...more }, { patienceMs: PATIENCE_MS, flags: FLAGS });
  try {
    /** @type {Sample[]} */
    const samples = fresh ? [] : await measureIn({ times: String(runs), warmUp: url(WARM_UP_ROWS, 0) });
    while (samples.length < runs) samples.push(...(await measureIn({ times: '1' })));
    const wrong = samples.find((sample) => sample.rows !== rows);
    if (wrong) throw new Error(`${wrong.rows} rows where there are ${rows}`);
    /** @param {(sample: Sample) => number} of */
    const median = (of) => samples.map(of).toSorted((a, b) => a - b)[samples.length >> 1];
    return {
      case: name,
      contender: contender.id,
      rows,
      firstMs: median(({ firstMs }) => firstMs),
      readyMs: median(({ readyMs }) => readyMs),
      totalMs: median(({ totalMs }) => totalMs),
      networkMs: median(({ networkMs }) => networkMs),
      longestBlockMs: median(({ longestBlockMs }) => longestBlockMs),
      peakBytes: median(({ peakBytes }) => peakBytes ?? 0),
    };
  } catch (error) {
    return { case: name, contender: contender.id, error: firstLine(error) };
  }
}

/**
 * Measures a payload larger than memory in a loop that drops every batch.
 *
 * @param {string} site
 * @param {typeof FLAT_CASES[number]} flatCase
 * @returns {Promise<StreamResult>}
 */
async function measureFlat(site, { name, format, bytes }) {
  const response = await fetch(`${site}payload?dataset=trips&rows=${REPEATED_ROWS}&format=${format}`);
  const endless = await serveEndless({ [format]: Buffer.from(await response.arrayBuffer()) });
  try {
    const query = { url: endless.url(format, bytes), warmUp: endless.url(format, WARM_UP_BYTES), format, step: String(FLAT_STEP_MS) };
    const figures = await reportOf(`${site}stream.html`, query, { patienceMs: PATIENCE_MS, flags: FLAGS });
    const { rows, totalMs, errorOffset, pageBytes, workerBytes, peakBytes } = figures;
    const expected = format === 'messagepack' ? endless.badOffset(bytes) : undefined;
    if (errorOffset !== expected) throw new Error(`an error at byte ${String(errorOffset)} where ${String(expected)} is right`);
    return {
      case: name,
      contender: 'unspool-batches',
      rows,
      totalMs,
      peakBytes,
      pageBytes,
      workerBytes,
      ...(errorOffset !== undefined && { errorOffset }),
    };
  } catch (error) {
    return { case: name, contender: 'unspool-batches', error: firstLine(error) };
  } finally {
    await endless.close();
  }
}

/** @param {readonly StreamResult[]} results @param {import('./cases.mjs').StreamCase} streamCase */
function table(results, { name, rows, rate }) {
  const lines = results
    .filter((result) => result.case === name)
    .map(({ contender, error, firstMs = null, readyMs = null, longestBlockMs = null, totalMs = null, peakBytes = null }) => {
      const label = STREAM_CONTENDERS.find(({ id }) => id === contender)?.label ?? contender;
      if (error !== undefined) return [label, error];
      return [label, duration(firstMs), duration(readyMs), duration(totalMs), duration(longestBlockMs), size(peakBytes)];
    });
  const header = ['', 'first rows', 'all rows', 'total', 'longest block', 'peak'];
  return `${name} (${rows.toLocaleString('en')} rows, ${rate} Mbit/s)\n${align([header, ...lines])}`;
}
