// `--second-visit`: measures the wait for cached rows when a page is visited again.
import { plainBrowserName, reportOf } from '../plain-browser.mjs';
import { describeMachine, save } from '../report.mjs';
import { serveBench } from '../site.mjs';
import { align, duration, figure, size } from '../table.mjs';

const RUNS = 7;
/** Time limit of all visits of one kind. */
const PATIENCE_MS = 300_000;
const REPORT = 'bench-report/second-visit.json';
const SIZES = [100_000, 1_000_000];
const KINDS = /** @type {const} */ ([
  { kind: 'block', label: 'Unspool, block kept', format: 'messagepack' },
  { kind: 'json', label: 'JSON kept, response.json()', format: 'json' },
]);

/** Limits of a second visit with a cached block of 1,000,000 rows, in milliseconds. */
const READY_MS = 300;
const BLOCK_MS = 16;

/**
 * @typedef {object} VisitResult
 * @property {string} case
 * @property {string} contender
 * @property {number} rows
 * @property {number} keptBytes
 * @property {number} headersMs from the request to the beginning of the answer
 * @property {number} readyMs from the request to the first row read
 * @property {number} longestBlockMs
 * @property {number} runs
 */

/**
 * @param {import('../options.mjs').Options} options
 * @returns {Promise<number>} exit status
 */
export async function runSecondVisits(options) {
  const cases = SIZES.filter((rows) => !options.quick || rows < 1_000_000)
    .map((rows) => ({ rows, name: `second-visit-${rows / 1_000}k` }))
    .filter(({ name }) => options.names.length === 0 || options.names.some((part) => name.includes(part)));
  const kinds = KINDS.filter(({ kind }) => options.contenderNames.length === 0 || options.contenderNames.some((part) => kind.includes(part)));
  if (options.list) {
    for (const { name } of cases) console.log(`${name.padEnd(40)} ${kinds.map(({ kind }) => kind).join(' ')}`);
    return 0;
  }
  const machine = describeMachine();
  const site = await serveBench({ library: true });
  const browser = plainBrowserName();
  /** @type {VisitResult[]} */
  const results = [];
  try {
    console.log(`${browser}, ${machine.cores} × ${machine.cpu}, load ${machine.load} at the start`);
    console.log('Medians of visits after the first. The page is loaded again for each; times are from the request.\n');
    for (const { rows, name } of cases) {
      for (const { kind, format } of kinds) {
        results.push({ case: name, contender: kind, ...(await measure(site.url, kind, format, rows, options.runs ?? RUNS)) });
      }
      console.log(`${table(results, name)}\n`);
    }
    console.log(bars(results));
    await save(options.json ?? REPORT, { machine, browser, date: new Date().toISOString(), results });
    return 0;
  } finally {
    await site.close();
  }
}

/**
 * @param {string} site
 * @param {typeof KINDS[number]['kind']} kind
 * @param {string} format
 * @param {number} rows
 * @param {number} runs
 * @returns {Promise<Omit<VisitResult, 'case' | 'contender'>>}
 */
async function measure(site, kind, format, rows, runs) {
  const url = `/api/trips?dataset=trips&rows=${rows}&format=${format}`;
  /** @type {{ samples: readonly Pick<VisitResult, 'rows' | 'headersMs' | 'readyMs' | 'longestBlockMs'>[], keptBytes: number }} */
  const { samples, keptBytes } = await reportOf(`${site}visit.html`, { kind, url, runs: String(runs) }, { patienceMs: PATIENCE_MS });
  if (keptBytes === 0) throw new Error(`The service worker has kept nothing of ${url}.`);
  const wrong = samples.find((sample) => sample.rows !== rows);
  if (wrong) throw new Error(`${wrong.rows} rows where there are ${rows}`);
  /** @param {(sample: typeof samples[number]) => number} of */
  const median = (of) => samples.map(of).toSorted((a, b) => a - b)[samples.length >> 1] ?? Number.NaN;
  return {
    rows,
    keptBytes,
    headersMs: median(({ headersMs }) => headersMs),
    readyMs: median(({ readyMs }) => readyMs),
    longestBlockMs: median(({ longestBlockMs }) => longestBlockMs),
    runs,
  };
}

/** @param {readonly VisitResult[]} results @param {string} name */
function table(results, name) {
  const own = results.filter((result) => result.case === name);
  const lines = own.map(({ contender, keptBytes, headersMs, readyMs, longestBlockMs }) => [
    KINDS.find(({ kind }) => kind === contender)?.label ?? contender,
    size(keptBytes),
    duration(headersMs),
    duration(readyMs),
    duration(longestBlockMs),
  ]);
  return `${name}\n${align([['', 'kept', 'answer begins', 'rows usable', 'longest block'], ...lines])}`;
}

/** @param {readonly VisitResult[]} results */
function bars(results) {
  return results
    .filter(({ contender, rows }) => contender === 'block' && rows === 1_000_000)
    .flatMap(({ readyMs, longestBlockMs }) => [bar('usable rows of a kept block', readyMs, READY_MS), bar('longest block', longestBlockMs, BLOCK_MS)])
    .join('\n');
}

/** @param {string} name @param {number} value @param {number} limit */
function bar(name, value, limit) {
  return `${value <= limit ? 'met' : 'MISSED'}  ${figure(value, 'ms')}, at most ${figure(limit, 'ms')}: ${name}`;
}
