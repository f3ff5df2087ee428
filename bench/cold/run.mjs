// `--cold`: measures the first payload of a page, each sample in a new browser.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTripSource } from '../../demo/server/data/trips.mjs';
import { encodeRows } from '../../demo/server/encode.mjs';
import { encodingFor } from '../../demo/server/encodings.mjs';
import { markdown } from '../documents/figures.mjs';
import { openPlain, plainBrowserName } from '../plain-browser.mjs';
import { describeMachine, firstLine, inTime, save } from '../report.mjs';
import { barTable } from '../table.mjs';
import { buildPages, LIBRARY } from './build.mjs';
import { coldCases, visitorsFor, isOurs } from './cases.mjs';
import { COLD_HEADER, coldBars, coldLine, coldSummary, summariseVisits } from './figures.mjs';
import { DistantServer } from './server.mjs';

const SAMPLES = 7;
const QUICK_SAMPLES = 3;
const DECODES = 10;
/** Time limit of a visit. */
const PATIENCE_MS = 60_000;
const REPORT = 'bench-report/cold.json';

/**
 * @typedef {import('./cases.mjs').Case} Case
 * @typedef {import('./cases.mjs').Visitor} Visitor
 * @typedef {import('./figures.mjs').ColdResult} ColdResult
 * @typedef {import('./figures.mjs').Visit} Visit
 */

/**
 * @param {import('../options.mjs').Options} options
 * @returns {Promise<number>} exit status
 */
export async function runCold(options) {
  if (options.from !== undefined) {
    print(JSON.parse(await readFile(options.from, 'utf8')).results, true);
    return 0;
  }
  const cases = coldCases(options);
  const visitors = visitorsFor(options);
  if (options.list) {
    for (const { build, latency, bytes } of cases) console.log(`${build} ${latency} ms ${bytes / 1e3} kB: ${visitors.map(({ id }) => id).join(' ')}`);
    return 0;
  }
  const machine = describeMachine();
  const folder = await mkdtemp(join(tmpdir(), 'unspool-cold-'));
  const server = new DistantServer();
  /** @type {ColdResult[]} */
  const results = [];
  const browserName = plainBrowserName();
  try {
    const site = await server.listen(await buildPages(folder));
    for (const one of cases) {
      const payloads = makePayloads(one.bytes);
      const samples = options.runs ?? (options.quick ? QUICK_SAMPLES : SAMPLES);
      const visit = (/** @type {Visitor} */ visitor) => open(server, site, one, visitor, payloads);
      const own = await inTurn(visitors, samples, visit);
      if (results.length === 0) {
        console.log(`${browserName}, ${machine.cores} × ${machine.cpu}, load ${machine.load} at the start`);
        console.log(
          'From the call of fetch to the result, a browser of its own for each sample. Contenders take turns; medians, and minima in parentheses.\n',
        );
      }
      const codeOfPage = own.find(({ visitor }) => visitor.page === 'native')?.visits[0]?.codeBytes ?? 0;
      for (const { visitor, visits, error } of own) {
        const summary = summariseVisits(visits);
        const payloadBytes = payloads.get(`/payload.${visitor.format}`)?.bytes.length ?? 0;
        const codeBytes = Math.max(0, (summary.codeBytes ?? 0) - (one.build === 'vite' || !isOurs(visitor) ? codeOfPage : 0));
        results.push({ ...one, visitor: visitor.id, payloadBytes, ...summary, codeBytes, ...(error !== undefined && { error }) });
      }
      const lines = results.slice(-own.length).map((result) => coldLine(results, result));
      console.log(`${markdown([COLD_HEADER, ...lines])}\n`);
      await save(options.json ?? REPORT, { machine, browser: browserName, date: new Date().toISOString(), results });
    }
  } finally {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
  if (options.bars) print(results, options.summary);
  console.log(`Written: ${options.json ?? REPORT}`);
  return results.some(({ error }) => error !== undefined) ? 1 : 0;
}

/**
 * Visits the pages in rounds. A failed visit ends the rounds of its visitor.
 *
 * @param {readonly Visitor[]} visitors
 * @param {number} samples
 * @param {(visitor: Visitor) => Promise<Visit>} visit
 */
async function inTurn(visitors, samples, visit) {
  const own = visitors.map((visitor) => ({
    visitor,
    visits: /** @type {Visit[]} */ ([]),
    error: /** @type {string | undefined} */ (undefined),
  }));
  for (let sample = 0; sample < samples; sample += 1) {
    for (const one of own) {
      if (one.error !== undefined) continue;
      try {
        one.visits.push(await visit(one.visitor));
      } catch (error) {
        one.error = firstLine(error);
      }
    }
  }
  return own;
}

/**
 * Opens a page in a new browser and waits for its report.
 *
 * @param {DistantServer} server
 * @param {string} site
 * @param {Case} one
 * @param {Visitor} visitor
 * @param {ReadonlyMap<string, import('./server.mjs').Payload>} payloads
 * @returns {Promise<Visit>}
 */
async function open(server, site, { build, latency, bytes }, { page, format, form }, payloads) {
  const isBare = build === 'bare' && isOurs({ page });
  const { outcome, first } = server.expect(latency, payloads, (address) => !isBare || address.includes(`/${LIBRARY}/${LIBRARY}/`));
  const query = new URLSearchParams({ format, form, rows: String(rowsIn(bytes)), decodes: String(DECODES) });
  const browser = await openPlain(`${site}/${isBare ? 'bare' : 'vite'}/${page}/index.html?${query}`);
  try {
    const { samples, error } = await inTime(outcome, PATIENCE_MS);
    if (error !== undefined) throw new Error(error);
    return { samples, ...first() };
  } finally {
    await browser.close();
  }
}

const BYTES_OF_A_ROW = JSON.stringify(createTripSource().take(1000)).length / 1000;

/** @param {number} bytes of JSON */
function rowsIn(bytes) {
  return Math.max(1, Math.round(bytes / BYTES_OF_A_ROW));
}

/**
 * The same rows in each format.
 *
 * @param {number} bytes of the JSON, about
 * @returns {Map<string, import('./server.mjs').Payload>}
 */
function makePayloads(bytes) {
  const trips = createTripSource().take(rowsIn(bytes));
  return new Map(
    ['json', 'messagepack', 'protobuf'].map((format) => {
      const encoded = encodeRows(format, trips, { key: 'trips', count: trips.length, dataset: 'trips' });
      return [`/payload.${format}`, { mediaType: encodingFor(format).mediaType, bytes: encoded }];
    }),
  );
}

/** @param {readonly ColdResult[]} results @param {boolean} withSummary */
function print(results, withSummary) {
  const bars = coldBars(results);
  if (bars.length > 0) console.log(`${barTable(bars)}\n`);
  if (withSummary) console.log(`${coldSummary(results)}\n`);
}
