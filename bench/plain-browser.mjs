import { execFileSync, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findChromium } from '../scripts/browsers.mjs';

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
 * @returns {Promise<{ close: () => Promise<void> }>} `close` ends the browser and deletes its profile
 */
export async function openPlain(address) {
  const profile = await mkdtemp(join(tmpdir(), 'unspool-plain-'));
  const browser = spawn(chromiumPath(), [...FLAGS, `--user-data-dir=${profile}`, address], { stdio: 'ignore' });
  const ended = new Promise((resolve) => browser.once('exit', resolve));
  return {
    async close() {
      browser.kill();
      await ended;
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
