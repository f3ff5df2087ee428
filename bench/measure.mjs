import { firstLine } from './report.mjs';
import { summarise } from './statistics.mjs';

/** Duration of the repeated calls of one run of a small payload. */
const CALLS_MS = 200;

/**
 * Measures one contender on one case, in its own page.
 *
 * @param {import('./browser.mjs').BenchBrowser} browser
 * @param {string} site the server's URL
 * @param {import('./cases.mjs').Case} benchCase
 * @param {import('./contenders/contender.js').Contender} contender
 * @param {number} runs
 * @param {number} [enoughMs] after this time no further run of a large payload starts
 * @returns {Promise<{ result: import('./statistics.mjs').Result, digest: string | undefined }>}
 */
export async function measure(browser, site, benchCase, contender, runs, enoughMs = Infinity) {
  const { name, format, list, mode, query, warmUpQuery, warmUps } = benchCase;
  const figures = { case: name, contender: contender.id, bytes: 0, rows: benchCase.rows };
  try {
    return await browser.withPage(site, async (page) => {
      figures.bytes = await page.evaluate((preparation) => bench.prepare(preparation), {
        contender: contender.id,
        payload: {
          format,
          list,
          repeated: mode === 'calls',
          canonical: benchCase.canonical === true,
          dataset: String(query['dataset']),
        },
        url: payloadUrl(query),
        warmUpUrl: payloadUrl(warmUpQuery),
        warmUps,
      });
      const { samples, digest } = mode === 'calls' ? await calls(page, runs) : await once(page, await browser.memoryOf(page), runs, enoughMs);
      return { result: { ...figures, ...summarise(samples, contender.result) }, digest };
    });
  } catch (error) {
    return { result: { ...figures, ...summarise([], contender.result), error: firstLine(error) }, digest: undefined };
  }
}

/** Figures that small calls do not have. */
const NOT_MEASURED = { longestBlockMs: null, mainMs: null, longestWaitMs: null, longTaskMs: null, peakBytes: null };

/** @typedef {{ samples: import('./statistics.mjs').Sample[], digest: string }} Measured */

/**
 * @param {import('playwright-core').Page} page
 * @param {import('./memory.mjs').ProcessMemory} memory
 * @param {number} runs
 * @param {number} enoughMs
 * @returns {Promise<Measured>}
 */
async function once(page, memory, runs, enoughMs) {
  /** @type {import('./statistics.mjs').Sample[]} */
  const samples = [];
  const digests = new Set();
  const begun = performance.now();
  for (let index = 0; index < runs && (index === 0 || performance.now() - begun < enoughMs); index += 1) {
    await page.evaluate(() => bench.release());
    await memory.mark();
    const sample = await page.evaluate(() => bench.run());
    samples.push({ ...sample, peakBytes: await memory.peak() });
    digests.add(describe(await page.evaluate(() => bench.check())));
  }
  return { samples, digest: theOnly(digests) };
}

/**
 * @param {import('playwright-core').Page} page
 * @param {number} runs
 * @returns {Promise<Measured>}
 */
async function calls(page, runs) {
  const batch = () => page.evaluate((forMs) => bench.calls(forMs), CALLS_MS);
  await batch();
  const samples = [];
  const digests = new Set();
  for (let index = 0; index < runs; index += 1) {
    await page.evaluate(() => bench.release());
    const readyMs = await batch();
    samples.push({ ...NOT_MEASURED, readyMs, plainMs: readyMs });
    digests.add(describe(await page.evaluate(() => bench.check())));
  }
  return { samples, digest: theOnly(digests) };
}

/** @param {{ digest: string, rows: number | null }} checked */
function describe({ digest, rows }) {
  return rows === null ? digest : `${rows} rows ${digest}`;
}

/** @param {Set<string>} digests */
function theOnly(digests) {
  const [first, ...others] = digests;
  if (first === undefined || others.length > 0) throw new Error(`The runs gave different values: ${[...digests].join(', ')}`);
  return first;
}

/** @param {Record<string, string | number>} query */
function payloadUrl(query) {
  return `/payload?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))}`;
}
