// `--quick` without a mode: the table of README.md, in five minutes.
import { readFile } from 'node:fs/promises';
import { CASES, select } from '../cases.mjs';
import { runCold } from '../cold/run.mjs';
import { CONTENDERS } from '../contenders/index.js';
import { markdown } from '../documents/figures.mjs';
import { runDocuments } from '../documents/run.mjs';
import { median } from '../statistics.mjs';
import { duration } from '../table.mjs';

const COLD = 'bench-report/readme-cold.json';
const DOCUMENTS = 'bench-report/readme-documents.json';
const MILLION = 'bench-report/readme-million.json';

const SAMPLES = 5;
const RUNS = 3;

/** @typedef {import('../options.mjs').Options} Options */
/** @typedef {(selection: ReturnType<typeof select>, options: Options) => Promise<number>} RunCases */

/**
 * Measures what the table has, and prints it. The figures of each part are in `bench-report/readme-*.json`.
 *
 * @param {Options} options
 * @param {RunCases} runCases
 * @returns {Promise<number>} exit status
 */
export async function runReadme(options, runCases) {
  const own = { ...options, quick: false, bars: false };
  const statuses = [
    await runCold({
      ...own,
      sizes: [5, 0.1],
      formats: ['json', 'messagepack'],
      forms: ['objects'],
      contenderNames: COLD_CONTENDERS,
      runs: SAMPLES,
      json: COLD,
    }),
    await runDocuments({
      ...own,
      sizes: [5],
      formats: ['json', 'messagepack'],
      forms: ['objects'],
      contenderNames: ['worker-clone', 'msgpackr'],
      runs: RUNS,
      json: DOCUMENTS,
    }),
    await runCases(millionRows(), { ...own, runs: RUNS, json: MILLION }),
  ];
  console.log(`\n${await table()}`);
  return Math.max(...statuses);
}

const COLD_CONTENDERS = ['unspool-json', 'comlink-json', 'msgpackr'];

function millionRows() {
  const choice = { names: ['trips-1m/json', 'trips-1m/messagepack'], contenderNames: ['unspool-rows', 'msgpackr'], quick: false };
  return select(CASES, CONTENDERS, choice).filter(({ benchCase }) => ['json', 'messagepack'].includes(benchCase.format));
}

/** The table of README.md, from the figures that were written. */
async function table() {
  const [cold, documents, million] = await Promise.all([COLD, DOCUMENTS, MILLION].map(async (file) => JSON.parse(await readFile(file, 'utf8'))));
  return markdown([
    ['', 'Unspool', '`response.json()`', 'worker, Comlink, structured clone', 'msgpackr'],
    coldLine(cold.results, 5, '5 MB'),
    coldLine(cold.results, 0.1, '100 KB'),
    documentLine(documents.comparisons, 'json'),
    documentLine(documents.comparisons, 'messagepack'),
    blockLine(documents.comparisons),
    ...millionLines(million.results),
  ]);
}

/**
 * @param {readonly import('../cold/figures.mjs').ColdResult[]} results
 * @param {number} megabytes
 * @param {string} size
 */
function coldLine(results, megabytes, size) {
  const first = (/** @type {string} */ id) => results.find(({ visitor, bytes }) => visitor === id && bytes === megabytes * 1e6)?.first?.median ?? NaN;
  const base = first('response-json');
  const by = (/** @type {string} */ id) => times(first(id) / base);
  return [`first payload of a page, ${size} of JSON`, bold(by('unspool-json-objects')), `1 (${duration(base)})`, by('comlink-json'), by('msgpackr')];
}

/** @param {readonly import('../documents/figures.mjs').Comparison[]} comparisons @param {string} format */
function of(comparisons, format) {
  const own = comparisons.filter((one) => one.format === format && one.impossible === undefined);
  const line = (/** @type {(typeof own)[number]} */ { lines }, /** @type {string} */ id) => lines.find(({ contender }) => contender === id);
  const middle = (/** @type {(one: (typeof own)[number]) => number | undefined} */ value) => median(own.flatMap((one) => value(one) ?? [])) ?? NaN;
  const ratio = (/** @type {string} */ id) =>
    middle((one) => Number(line(one, id)?.totalMs?.median) / Number(line(one, 'json-parse')?.totalMs?.median));
  return { count: own.length, line, middle, ratio };
}

/** @param {readonly import('../documents/figures.mjs').Comparison[]} comparisons @param {string} format */
function documentLine(comparisons, format) {
  const { count, line, middle, ratio } = of(comparisons, format);
  const parse = middle((one) => line(one, 'json-parse')?.totalMs?.median);
  return [
    `${count} documents of 5 MB, ${format === 'json' ? 'JSON' : 'MessagePack'}: all objects`,
    bold(times(ratio('unspool-objects'))),
    `1 (${duration(parse)})`,
    times(ratio('worker-clone')),
    format === 'json' ? '' : times(ratio('msgpackr')),
  ];
}

/** @param {readonly import('../documents/figures.mjs').Comparison[]} comparisons */
function blockLine(comparisons) {
  const { count, line, middle } = of(comparisons, 'messagepack');
  const block = (/** @type {string} */ id) => duration(middle((one) => line(one, id)?.blockMs?.median));
  return [
    `${count} documents of 5 MB, MessagePack: longest pause`,
    bold(block('unspool-objects')),
    block('json-parse'),
    block('worker-clone'),
    block('msgpackr'),
  ];
}

/** @param {readonly import('../statistics.mjs').Result[]} results */
function millionLines(results) {
  const find = (/** @type {string} */ id, /** @type {string} */ format) =>
    results.find(({ case: name, contender }) => contender === id && name.endsWith(`/${format}`));
  const [ours, parse, packr] = [find('unspool-rows', 'json'), find('json-parse', 'json'), find('msgpackr', 'messagepack')];
  /** @param {string} what @param {'readyMs' | 'longestBlockMs'} key */
  const line = (what, key) => {
    const value = (/** @type {import('../statistics.mjs').Result | undefined} */ result) => duration(result?.[key] ?? null);
    return [`a million records: ${what}`, bold(value(ours)), value(parse), '', value(packr)];
  };
  return [line('all can be read after', 'readyMs'), line('longest pause of the page', 'longestBlockMs')];
}

/** @param {number} ratio */
function times(ratio) {
  return `${ratio.toFixed(2)} ×`;
}

/** @param {string} text */
function bold(text) {
  return `**${text}**`;
}
