// The benchmark's command: see options.mjs for its arguments.
import { runBakeoff } from './bakeoff/run.mjs';
import { BenchBrowser } from './browser.mjs';
import { CASES, DOCUMENT_WARM_UPS, isBaseline, select, WARM_UP_ROWS } from './cases.mjs';
import { runCold } from './cold/run.mjs';
import { CONTENDERS } from './contenders/index.js';
import { runDocuments } from './documents/run.mjs';
import { runEngineSwitches } from './engine/run.mjs';
import { runLive } from './live/run.mjs';
import { runEncoding } from './encode/run.mjs';
import { describeMachine, save } from './report.mjs';
import { measure } from './measure.mjs';
import { readOptions } from './options.mjs';
import { serveBench } from './site.mjs';
import { runReadme } from './readme/run.mjs';
import { runRefetches } from './refetch/run.mjs';
import { runSecondVisits } from './second-visit/run.mjs';
import { runNode } from './node/run.mjs';
import { runStreams } from './stream/run.mjs';
import { caseTable } from './table.mjs';
import { runTables } from './tables/run.mjs';

const REPORT = 'bench-report/bench.json';
const NOTES = `Each contender runs in a process of its own and has first decoded ${WARM_UP_ROWS.toLocaleString('en')} rows of the same \
kind (or the payload itself, where it is smaller; a document ${DOCUMENT_WARM_UPS} times).
Times are medians. The longest block is the longest time in which no task of input's priority ran: it is at most 1 ms too \
long. The busy time is sampled each millisecond. A long task is the browser's own record, which leaves out the garbage \
collector's tasks.
Peak is the process's memory above what it had before the run, its copy of the payload included.`;

process.exitCode = await main();

async function main() {
  const options = parse();
  if (typeof options === 'number') return options;
  if (options.bakeoff) return await runBakeoff(options);
  if (options.stream || options.names.some((name) => name.startsWith('stream'))) return await runStreams(options);
  if (options.secondVisit || options.names.some((name) => name.startsWith('second-visit'))) return await runSecondVisits(options);
  if (options.live) return await runLive(options);
  if (options.cold) return await runCold(options);
  if (options.encode) return await runEncoding(options);
  if (options.node) return await runNode(options);
  if (options.documents) return await runDocuments(options);
  if (options.refetch) return await runRefetches(options);
  if (options.engineSwitches) return await runEngineSwitches(options);
  if (options.tables) return await runTables(options);
  if (options.quick && !options.list && options.names.length + options.contenderNames.length === 0) return await runReadme(options, run);
  const selection = select(CASES, CONTENDERS, options);
  if (options.list) {
    for (const { benchCase, contenders } of selection) {
      console.log(`${benchCase.name.padEnd(44)} ${contenders.map(({ id }) => id).join(' ')}`);
    }
    return 0;
  }
  if (selection.length === 0) {
    console.error(`No case is named ${options.names.join(' or ')}: see --list.`);
    return 2;
  }
  return await run(selection, options);
}

/**
 * @param {ReturnType<typeof select>} selection
 * @param {import('./options.mjs').Options} options
 */
async function run(selection, options) {
  const date = new Date().toISOString();
  const machine = describeMachine();
  const library = selection.some(({ contenders }) => contenders.some(({ kind }) => kind === 'unspool'));
  const site = await serveBench({ library });
  try {
    const browser = await BenchBrowser.launch();
    try {
      console.log(`${browser.name}, ${machine.cores} × ${machine.cpu}, load ${machine.load} at the start`);
      if (machine.load > machine.cores / 4) console.log('Other work is running: times and blocks will be longer than they are alone.');
      console.log(`${NOTES}\n`);
      const results = await measureAll(browser, site.url, selection, options.runs);
      const json = options.json ?? REPORT;
      await save(json, { machine, browser: browser.name, date, results });
      console.log(`Written: ${json}`);
      return results.some(({ error }) => error !== undefined) ? 1 : 0;
    } finally {
      await browser.close();
    }
  } finally {
    await site.close();
  }
}

/**
 * Measures the cases and prints a table after each. A contender whose value differs from the baseline's gets an error
 * instead of figures.
 *
 * @param {BenchBrowser} browser
 * @param {string} site
 * @param {ReturnType<typeof select>} selection
 * @param {number | undefined} runs
 */
async function measureAll(browser, site, selection, runs) {
  /** @type {import('./statistics.mjs').Result[]} */
  const results = [];
  /** @type {Map<string, string | undefined>} */
  const expected = new Map();
  for (const { benchCase, contenders } of selection) {
    for (const contender of contenders) {
      progress(`${benchCase.name} ${contender.id} …`);
      const { result, digest } = await measure(browser, site, benchCase, contender, runs ?? benchCase.runs);
      progress('');
      if (isBaseline(benchCase.format, contender.id)) expected.set(benchCase.group, digest);
      else if (result.error === undefined && digest !== expected.get(benchCase.group)) {
        result.error = `wrong value: ${digest} where JSON.parse gives ${expected.get(benchCase.group)}`;
      }
      results.push(result);
    }
    console.log(`${caseTable(results, benchCase.name)}\n`);
  }
  return results;
}

/** @returns {import('./options.mjs').Options | number} the options, or an exit status */
function parse() {
  try {
    const options = readOptions(process.argv.slice(2));
    if (!('help' in options)) return options;
    console.log(options.help);
    return 0;
  } catch (error) {
    console.error(`${/** @type {Error} */ (error).message}\nSee --help.`);
    return 2;
  }
}

/** Prints a line that the next one overwrites, on a terminal. */
function progress(/** @type {string} */ text) {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001B[2K${text}`);
}
