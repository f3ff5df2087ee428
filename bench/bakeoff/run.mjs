import { readFile } from 'node:fs/promises';
import { BenchBrowser } from '../browser.mjs';
import { isBaseline } from '../cases.mjs';
import { describeMachine, inTime, save } from '../report.mjs';
import { measure } from '../measure.mjs';
import { serveBench } from '../site.mjs';
import { caseTable, size } from '../table.mjs';
import { BAKEOFF_CASES, selectBakeoff, SIZED_GROUP } from './cases.mjs';
import { writeDocument } from './document.mjs';
import { probeLeftovers } from './leftovers.mjs';
import { sizesOf } from './sizes.mjs';

/** Time limit for one contender on one payload, including transfer and warm-up. */
const TIME_BOX_MS = 60_000;
/** After this time no further run of a contender starts, so that the slowest have fewer runs. */
const ENOUGH_MS = 20_000;

/** Matches errors of a lost page. These are retried once, in case something else on the machine ended the page. */
const LOST_PAGE = /has been closed|crashed/;

/**
 * @typedef {object} Outcome
 * @property {import('../report.mjs').Machine} machine
 * @property {string} browser
 * @property {string} date
 * @property {readonly import('../statistics.mjs').Result[]} results
 * @property {readonly import('./sizes.mjs').Size[]} sizes
 * @property {readonly import('./leftovers.mjs').Leftover[]} leftovers
 */

/**
 * Runs the bake-off: measures, writes the figures as JSON and, if all cases ran, `docs/internals/BAKEOFF.md` with its charts from
 * them. With `from`, writes only the document, from earlier figures.
 *
 * @param {import('../options.mjs').Options} options
 * @returns {Promise<number>} exit status
 */
export async function runBakeoff(options) {
  if (options.from !== undefined) {
    console.log(`Written: ${(await writeDocument(JSON.parse(await readFile(options.from, 'utf8')))).join(', ')}`);
    return 0;
  }
  const selection = selectBakeoff(options);
  if (options.list) {
    for (const { benchCase, contenders } of selection) {
      console.log(`${benchCase.name.padEnd(30)} ${contenders.map(({ id }) => id).join(' ')}`);
    }
    return 0;
  }
  const sizes = await allSizes(sizedCases(selection, options));
  if (options.prepare) return 0;
  const outcome = await measureAll(selection, sizes, options);
  const json = options.json ?? 'bench-report/bakeoff.json';
  await save(json, outcome);
  const isWhole = options.names.length + options.contenderNames.length === 0;
  console.log(`Written: ${[json, ...(isWhole ? await writeDocument(outcome) : [])].join(', ')}`);
  return 0;
}

/**
 * @param {ReturnType<typeof selectBakeoff>} selection
 * @param {Outcome['sizes']} sizes
 * @param {import('../options.mjs').Options} options
 * @returns {Promise<Outcome>}
 */
async function measureAll(selection, sizes, { runs }) {
  const machine = describeMachine();
  const date = new Date().toISOString();
  const site = await serveBench({ library: true, field: true });
  let browser = await BenchBrowser.launch();
  const { name } = browser;
  try {
    const leftovers = await probeLeftovers(browser, site);
    /** @type {import('../statistics.mjs').Result[]} */
    const results = [];
    /** @type {Map<string, string | undefined>} */
    const expected = new Map();
    for (const { benchCase, contenders } of selection) {
      for (const contender of contenders) {
        const attempt = () => orLate(measure(browser, site.url, benchCase, contender, runs ?? benchCase.runs, ENOUGH_MS));
        let measured = await attempt();
        if (measured?.result.error !== undefined && LOST_PAGE.test(measured.result.error)) {
          console.log(`${benchCase.name} ${contender.id}: ${measured.result.error}; once more`);
          await orLate(browser.close());
          browser = await BenchBrowser.launch();
          measured = await attempt();
        }
        const { result, digest } = measured ?? failed(benchCase, contender, `more than ${TIME_BOX_MS / 1000} s`);
        if (isBaseline(benchCase.format, contender.id)) expected.set(benchCase.group, digest);
        else if (result.error === undefined && digest !== expected.get(benchCase.group) && !contender.loses) {
          result.error = `wrong value: ${digest} where JSON.parse gives ${expected.get(benchCase.group)}`;
        }
        results.push(result);
        if (result.error === undefined) continue;
        // A page that hangs or crashed may affect the browser.
        await orLate(browser.close());
        browser = await BenchBrowser.launch();
      }
      console.log(`${caseTable(results, benchCase.name)}\n`);
    }
    return { machine, browser: name, date, results, sizes, leftovers };
  } finally {
    await orLate(browser.close());
    await site.close();
  }
}

/**
 * The measured cases, and those whose sizes alone are compared with published ones.
 *
 * @param {ReturnType<typeof selectBakeoff>} selection
 * @param {import('../options.mjs').Options} options
 */
function sizedCases(selection, { names }) {
  const measured = selection.map(({ benchCase }) => benchCase).filter(({ mode }) => mode === 'once');
  const sized = names.length > 0 ? [] : BAKEOFF_CASES.filter(({ group }) => group === SIZED_GROUP);
  return [...measured, ...sized.filter((benchCase) => !measured.includes(benchCase))];
}

/** @param {readonly import('../cases.mjs').Case[]} cases */
async function allSizes(cases) {
  /** @type {import('./sizes.mjs').Size[]} */
  const sizes = [];
  for (const benchCase of cases) {
    const sized = await sizesOf(benchCase);
    sizes.push(sized);
    const compressed = sized.gzip === null ? '' : `, gzip ${size(sized.gzip)}, brotli ${size(sized.brotli)}`;
    console.log(`${benchCase.name.padEnd(30)} ${size(sized.bytes)}${compressed}`);
  }
  return sizes;
}

/**
 * Waits for work; undefined if it fails or takes longer than the time box.
 *
 * @template T
 * @param {Promise<T>} work
 */
const orLate = (work) => inTime(work, TIME_BOX_MS).catch(() => undefined);

/**
 * @param {import('../cases.mjs').Case} benchCase
 * @param {import('../contenders/contender.js').Contender} contender
 * @param {string} error
 * @returns {Awaited<ReturnType<typeof measure>>}
 */
function failed({ name, rows }, { id }, error) {
  const none = { readyMs: null, totalMs: null, longestBlockMs: null, mainMs: null, longestWaitMs: null, longTaskMs: null };
  const result = { case: name, contender: id, bytes: 0, rows, ...none, peakBytes: null, runs: 0, samples: [], error };
  return { result, digest: undefined };
}
