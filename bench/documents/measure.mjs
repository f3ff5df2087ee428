// Runs contenders in turn on one payload, each in its own page.
import { firstLine } from '../report.mjs';

/**
 * @typedef {import('../contenders/contender.js').Payload} Payload
 * @typedef {import('../contenders/contender.js').Contender} Contender
 * @typedef {Omit<import('../statistics.mjs').Sample, 'peakBytes'> & { peakBytes: number | null }} Sample
 * @typedef {{ contender: string, samples: Sample[], error?: string }} Measured
 */

/**
 * @typedef {object} Entry
 * @property {Contender} contender
 * @property {string} url
 * @property {Payload} payload
 */

/** Large payloads have fewer warm-up decodes. */
const WARM_UP_BYTES = 40e6;
const MAX_WARM_UPS = 8;

/**
 * Measures in rounds in which every contender decodes once, so that other work of the machine affects all of them. The
 * value of each contender is compared with that of the first.
 *
 * @param {import('../browser.mjs').BenchBrowser} browser
 * @param {string} site
 * @param {readonly Entry[]} entries
 * @param {number} runs
 * @param {number} bytes approximate size of the payload
 * @returns {Promise<Measured[]>}
 */
export async function measureInTurn(browser, site, entries, runs, bytes) {
  const warmUps = Math.max(1, Math.min(MAX_WARM_UPS, Math.round(WARM_UP_BYTES / bytes)));
  /** @type {(Measured & { loses: boolean, page?: Opened })[]} */
  const all = [];
  try {
    for (const { contender, url, payload } of entries) {
      /** @type {typeof all[number]} */
      const own = { contender: contender.id, samples: [], loses: contender.loses === true };
      all.push(own);
      await failing(own, async () => {
        own.page = await open(browser, site);
        const preparation = { contender: contender.id, payload, url, warmUpUrl: url, warmUps };
        await own.page.page.evaluate((given) => bench.prepare(given), preparation);
      });
    }
    for (let round = 0; round < runs; round += 1) {
      for (const own of all) {
        await failing(own, async () => {
          const { page, memory } = /** @type {Opened} */ (own.page);
          await page.evaluate(() => bench.release());
          await memory.mark();
          const sample = await page.evaluate(() => bench.run());
          own.samples.push({ ...sample, peakBytes: await memory.peak() });
          if (round < runs - 1) await page.evaluate(() => bench.release());
        });
      }
    }
    let expected = '';
    for (const own of all) {
      if (own.loses) continue;
      await failing(own, async () => {
        const { digest } = await /** @type {Opened} */ (own.page).page.evaluate(() => bench.check());
        expected ||= digest;
        if (digest !== expected) throw new Error(`wrong value: ${digest} where JSON.parse gives ${expected}`);
      });
    }
  } finally {
    for (const { page } of all) await page?.close();
  }
  return all.map(({ contender, samples, error }) => ({ contender, samples, ...(error !== undefined && { error }) }));
}

/** @typedef {Awaited<ReturnType<typeof open>>} Opened */

/** @param {import('../browser.mjs').BenchBrowser} browser @param {string} site */
async function open(browser, site) {
  const page = await browser.newPage(site);
  return { page, memory: await browser.memoryOf(page), close: () => page.context().close() };
}

/**
 * Runs an action for a contender that has not failed, and records its failure.
 *
 * @param {Measured} own
 * @param {() => Promise<void>} action
 */
async function failing(own, action) {
  if (own.error !== undefined) return;
  try {
    await action();
  } catch (error) {
    own.error = firstLine(error);
  }
}
