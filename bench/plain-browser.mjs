import { execFileSync, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findChromium } from '../scripts/browsers.mjs';
import { RendererMemory } from './memory.mjs';
import { inTime } from './report.mjs';

const FLAGS = ['--headless=new', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update'];

/** @throws {Error} if Chromium is not installed */
function chromiumPath() {
  const found = findChromium();
  if (!found) throw new Error('Chromium is not installed: run node scripts/browsers.mjs --install chromium.');
  return found.path;
}

/** Name and version of the Chromium that `openPlain` starts. */
export function plainBrowserName() {
  return /Chrom\w+ [\d.]+/.exec(execFileSync(chromiumPath(), ['--version'], { encoding: 'utf8' }))?.[0] ?? 'Chromium';
}

/**
 * Opens an address in a new Chromium that nothing drives, with an empty profile. The page reports by a request of its own: a page
 * under the debugging protocol freezes for about 40 ms after each body of 10 MB, since the protocol's network events copy it.
 *
 * @param {string} address
 * @param {readonly string[]} [flags] further switches of Chromium
 * @returns {Promise<{ pid: number | undefined, close: () => Promise<void> }>} `close` ends the browser and deletes its profile
 */
export async function openPlain(address, flags = []) {
  const profile = await mkdtemp(join(tmpdir(), 'unspool-plain-'));
  const browser = spawn(chromiumPath(), [...FLAGS, ...flags, `--user-data-dir=${profile}`, address], { stdio: 'ignore' });
  const ended = new Promise((resolve) => browser.once('exit', resolve));
  return {
    pid: browser.pid,
    async close() {
      browser.kill();
      await ended;
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/**
 * Opens a page in such a browser, and resolves with what it reports. The query of its address gets `report`, an address ending in a
 * slash: a request to `outcome` there has the report as JSON, one to `mark` begins a measurement of memory, and one to `peak`
 * is answered with the growth of the page's process since then at its peak, or null where that is unknown.
 *
 * @param {string} page
 * @param {Readonly<Record<string, string>>} query
 * @param {{ patienceMs: number, flags?: readonly string[] }} options `patienceMs`: time limit
 * @returns {Promise<any>}
 * @throws {Error} with the page's message, if it reports an `error`
 */
export async function reportOf(page, query, { patienceMs, flags }) {
  /** @type {(report: any) => void} */
  let settle = () => {};
  const reported = new Promise((resolve) => (settle = resolve));
  const memory = new RendererMemory();
  const server = http.createServer((request, response) => {
    void answer(request)
      .catch((error) => settle({ error: String(error) }))
      .then((value) => response.writeHead(200, { 'Access-Control-Allow-Origin': '*' }).end(JSON.stringify(value ?? null)));
  });
  /** @param {http.IncomingMessage} request */
  async function answer(request) {
    const text = Buffer.concat(await request.toArray()).toString();
    if (request.url === '/mark') await memory.mark();
    else if (request.url === '/peak') return memory.peak();
    else settle(JSON.parse(text));
    return undefined;
  }
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const browser = await openPlain(`${page}?${new URLSearchParams({ ...query, report: `http://127.0.0.1:${port}/` })}`, flags);
  memory.browser = browser.pid;
  try {
    const report = await inTime(reported, patienceMs);
    if (report?.error !== undefined) throw new Error(report.error);
    return report;
  } finally {
    await browser.close();
    server.closeAllConnections();
    server.close();
  }
}
