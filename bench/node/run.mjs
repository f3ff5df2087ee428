// Large documents in Node: decoding time, and the delay of the event loop while they are decoded.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { markdown } from '../documents/figures.mjs';
import { DOCUMENTS } from '../documents/sources.mjs';
import { describeMachine, save } from '../report.mjs';
import { CONTENDERS } from './contenders.mjs';

/**
 * One contender with one document: medians.
 *
 * @typedef {object} NodeResult
 * @property {string} contender
 * @property {string} document
 * @property {number} bytes
 * @property {number | null} totalMs
 * @property {number | null} p99Ms 99th percentile of the event loop's delay, by Node's `monitorEventLoopDelay`
 * @property {number | null} maxMs
 * @property {string} [error]
 */

const REPORT = 'bench-report/node.json';
/** Documents that are generated: nested orders, and flat trips. */
const NAMES = ['orders', 'trips'];
const MEGABYTES = [75];
const QUICK_MEGABYTES = [10];
const RUNS = 5;
/** Megabytes of a child's heap: an object takes several times its JSON. */
const HEAP = 8192;

/**
 * @param {import('../options.mjs').Options} options
 * @returns {Promise<number>} the exit status
 */
export async function runNode({ only, sizes, quick, contenderNames, runs = quick ? 3 : RUNS, json = REPORT, list }) {
  const documents = DOCUMENTS.filter(({ name }) => NAMES.includes(name) && (only.length === 0 || only.some((part) => name.includes(part))));
  const contenders = CONTENDERS.filter(
    ({ id }) => id === 'json-parse' || contenderNames.length === 0 || contenderNames.some((part) => id.includes(part)),
  );
  if (list) {
    console.log([...documents.map(({ name }) => name), ...contenders.map(({ id }) => id)].join('\n'));
    return 0;
  }
  const machine = describeMachine();
  console.log(`Node ${process.versions.node}, ${machine.cores} × ${machine.cpu}, load ${machine.load} at the start`);
  if (machine.load > machine.cores / 4) console.log('Other work is running: times and delays will be longer than they are alone.');
  /** @type {NodeResult[]} */
  const results = [];
  for (const { name, label } of documents) {
    for (const megabytes of sizes ?? (quick ? QUICK_MEGABYTES : MEGABYTES)) {
      /** @type {NodeResult[]} */
      const group = [];
      for (const { id, mostBytes = Infinity } of contenders) {
        if (megabytes * 1e6 > mostBytes) continue;
        group.push(await measure(id, name, megabytes, runs));
      }
      console.log(`\n${label}, ${megabytes} MB of JSON\n\n${table(group)}`);
      results.push(...group);
    }
  }
  await save(json, { machine, node: process.versions.node, date: new Date().toISOString(), results });
  console.log(`\nWritten: ${json}`);
  return results.some(({ error }) => error !== undefined) ? 1 : 0;
}

/**
 * Measures in a process of its own.
 *
 * @param {string} contender
 * @param {string} document
 * @param {number} megabytes
 * @param {number} runs
 * @returns {Promise<NodeResult>}
 */
function measure(contender, document, megabytes, runs) {
  const script = fileURLToPath(new URL('child.mjs', import.meta.url));
  const child = fork(script, [contender, document, String(megabytes), String(runs)], {
    execArgv: ['--expose-gc', `--max-old-space-size=${HEAP}`],
  });
  return new Promise((resolve) => {
    child.on('message', (result) => resolve(/** @type {NodeResult} */ (result)));
    child.on('exit', (code) =>
      resolve({ contender, document, bytes: 0, totalMs: null, p99Ms: null, maxMs: null, error: `The process ended with ${code}.` }),
    );
  });
}

/** @param {readonly NodeResult[]} results of one document; the first is that of JSON.parse */
function table(results) {
  const reference = results[0]?.totalMs;
  const ms = (/** @type {number | null} */ value) => {
    if (value === null) return '–';
    return value < 0.1 ? `${(value * 1000).toFixed(1)} µs` : `${value.toFixed(value < 10 ? 1 : 0)} ms`;
  };
  const lines = results.map(({ contender, totalMs, p99Ms, maxMs, error }) => {
    const label = CONTENDERS.find(({ id }) => id === contender)?.label ?? contender;
    if (error !== undefined) return [label, error, '', '', ''];
    const ratio = totalMs === null || !reference ? '–' : `${(totalMs / reference).toFixed(2)} ×`;
    return [label, ms(totalMs), ratio, ms(p99Ms), ms(maxMs)];
  });
  return markdown([['', 'time', '÷ `JSON.parse`', 'delay of the event loop, p99', 'longest delay'], ...lines]);
}
