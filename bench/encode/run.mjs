// The part of the benchmark that measures encoding, in Node and in Chromium.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BenchBrowser } from '../browser.mjs';
import { DOCUMENTS } from '../documents/sources.mjs';
import { describeMachine, inTime, save } from '../report.mjs';
import { bundleForNode, serveBench } from '../site.mjs';
import { barTable } from '../table.mjs';
import { ENCODE_FORMATS, selectEncoding } from './cases.mjs';
import { writeEncodingPart } from './document.mjs';
import { encodeBars } from './figures.mjs';
import { measureEncoding } from './measure.mjs';
import { openPage, openProcess } from './places.mjs';
import { encodeCaseTable } from './tables.mjs';

const REPORT = 'bench-report/encode.json';
/** Time limit for one contender on one value, including its preparation. */
const TIME_BOX_MS = 120_000;
/** After this time no further run of a contender starts. */
const ENOUGH_MS = 20_000;

/** @typedef {import('./measure.mjs').EncodeResult} EncodeResult */
/** @typedef {EncodeResult['place']} PlaceName */

/**
 * @typedef {object} EncodeOutcome
 * @property {import('../report.mjs').Machine} machine
 * @property {string} browser
 * @property {string} node
 * @property {string} date
 * @property {readonly EncodeResult[]} results
 */

/**
 * Measures, prints a table for each case and the bars, and writes the figures as JSON and, if everything ran, the part
 * about encoding of `docs/internals/BAKEOFF.md`. With `from`, writes only the document, from earlier figures.
 *
 * @param {import('../options.mjs').Options} options
 * @returns {Promise<number>} exit status
 */
export async function runEncoding(options) {
  if (options.from !== undefined) {
    const outcome = JSON.parse(await readFile(options.from, 'utf8'));
    printBars(outcome.results);
    console.log(`Written: ${await writeEncodingPart(outcome)}`);
    return 0;
  }
  const unknown = options.formats?.find((format) => !ENCODE_FORMATS.includes(format));
  const selection = selectEncoding(options);
  if (unknown !== undefined || selection.length === 0) {
    console.error(
      unknown === undefined ? 'Nothing is left to measure: see --list.' : `There is no format ${unknown} here: ${ENCODE_FORMATS.join(', ')}.`,
    );
    return 2;
  }
  if (options.list) {
    for (const { encodeCase, contenders } of selection) console.log(`${encodeCase.name.padEnd(34)} ${contenders.map(({ id }) => id).join(' ')}`);
    return 0;
  }
  const outcome = await measureAll(selection, options);
  printBars(outcome.results);
  const isWhole =
    !options.quick && options.only.length + options.contenderNames.length === 0 && !options.sizes && !options.formats && !options.places;
  const written = [options.json ?? REPORT, ...(isWhole ? [await writeEncodingPart(outcome)] : [])];
  console.log(`\nWritten: ${written.join(', ')}`);
  return outcome.results.some(({ error }) => error !== undefined) ? 1 : 0;
}

/**
 * @param {ReturnType<typeof selectEncoding>} selection
 * @param {import('../options.mjs').Options} options
 * @returns {Promise<EncodeOutcome>}
 */
async function measureAll(selection, options) {
  const machine = describeMachine();
  const date = new Date().toISOString();
  const site = await serveBench({ library: true, encoders: true });
  const harness = await bundleForNode();
  const browser = await BenchBrowser.launch();
  /** @type {EncodeResult[]} */
  const results = [];
  const outcome = { machine, browser: browser.name, node: process.versions.node, date, results };
  console.log(`${browser.name}, Node ${outcome.node}, ${machine.cores} × ${machine.cpu}, load ${machine.load} at the start`);
  console.log('÷ JSON: the time ÷ that of JSON.stringify and TextEncoder, in turn in one process. Medians, and minima in parentheses.\n');
  try {
    for (const { encodeCase, contenders } of selection) {
      const url = encodeCase.dataset === 'document' ? await writeDocument(site.root, encodeCase.group) : null;
      for (const place of /** @type {const} */ (['node', 'chromium'])) {
        if (options.places?.includes(place) === false) continue;
        const at = {
          open: () => (place === 'node' ? openProcess(`${harness}/harness.js`) : openPage(browser, site.url)),
          library: place === 'node' ? pathToFileURL(join(site.root, 'dist')).href : '/dist',
          contenders: place === 'node' ? `${harness}/contenders` : '/bench/encode/contenders',
          url: url && (place === 'node' ? join(site.root, url) : url),
        };
        for (const contender of contenders) results.push(await measureOne(at, place, encodeCase, contender, options.runs ?? encodeCase.runs));
        console.log(`${encodeCaseTable(results, encodeCase.name, place)}\n`);
        await save(options.json ?? REPORT, outcome);
      }
    }
    return outcome;
  } finally {
    await browser.close();
    await site.close();
  }
}

/**
 * @param {{ open: () => Promise<import('./places.mjs').Place>, library: string, contenders: string, url: string | null }} at
 * @param {PlaceName} place
 * @param {import('./cases.mjs').EncodeCase} encodeCase
 * @param {import('./contenders/contender.js').EncodingContender} contender
 * @param {number} runs
 * @returns {Promise<EncodeResult>}
 */
async function measureOne(at, place, { name, format, dataset, list, rows, mode }, { id }, runs) {
  const result = { case: name, place, contender: id, rows };
  /** @type {import('./places.mjs').Place | undefined} */
  let opened;
  const preparation = {
    contender: `${at.contenders}/${id}.js`,
    task: { format, list, dataset, library: at.library },
    rows,
    url: at.url,
    isSmall: mode === 'calls',
  };
  try {
    opened = await at.open();
    return { ...result, ...(await inTime(measureEncoding(opened, preparation, runs, ENOUGH_MS), TIME_BOX_MS)) };
  } catch (error) {
    return { ...result, bytes: 0, samples: [], error: /** @type {Error} */ (error).message };
  } finally {
    await opened?.close().catch(() => undefined);
  }
}

/**
 * Writes a document into the served folder, which both places read.
 *
 * @param {string} root the site's
 * @param {string} name
 * @returns {Promise<string>} its path
 */
async function writeDocument(root, name) {
  const document = DOCUMENTS.find((one) => one.name === name);
  if (!document) throw new Error(`There is no document ${name}.`);
  const url = `/documents/${name}.json`;
  await mkdir(join(root, 'documents'), { recursive: true });
  await writeFile(join(root, url), JSON.stringify(await document.read()));
  return url;
}

/** @param {readonly EncodeResult[]} results */
function printBars(results) {
  const bars = encodeBars(results);
  if (bars.length > 0) console.log(`${barTable(bars)}\n\n${bars.filter(({ met }) => met).length} of ${bars.length} bars met.`);
}
