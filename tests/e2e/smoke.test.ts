/** Tests the packed and installed package: the only end-to-end test of `npm test`. */
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { findChromium } from '../../scripts/browsers.mjs';
import { serveAndCount } from '../../scripts/checks/count-scripts.mjs';
import { buildWithNothing } from './bundlers/builds.ts';
import { makeApplication } from './bundlers/package.ts';
import { LARGE, PAYLOADS, SMALL } from './bundlers/payloads.ts';
import { PATIENCE_MS } from '../setup/browsers/patience.ts';

const IN_NODE = `
  import { readFileSync } from 'node:fs';
  import { decodeSync } from 'unspool/sync';
  import json from 'unspool/formats/json';
  import messagepack from 'unspool/formats/messagepack';
  console.log(JSON.stringify([decodeSync(json, readFileSync('small.json')), decodeSync(messagepack, readFileSync('small.msgpack'))]));
`;

let folder: string;
let application: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'unspool-smoke-'));
  application = join(folder, 'application');
  await makeApplication(application);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

async function writePayloads(to: string): Promise<void> {
  await Promise.all(Object.entries(PAYLOADS).map(([name, bytes]) => writeFile(join(to, name), bytes)));
}

describe('the packed package', () => {
  it('decodes in Node', async () => {
    await writePayloads(application);
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', IN_NODE], { cwd: application, encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual([SMALL, SMALL]);
  });

  it('decodes in a page without a bundler, large payloads in a worker and small ones on the page', async () => {
    const site = join(folder, 'site');
    await buildWithNothing(application, site, ['beside']);
    await writePayloads(site);
    const { url, close } = await serveAndCount(site);
    onTestFinished(close);
    const browser = await chromium.launch(findChromium()!.launch);
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    await page.goto(`${url}beside.html`);
    expect(await page.evaluate(() => outcome as Promise<object>)).toEqual({
      'large.msgpack': { route: 'worker', value: LARGE },
      'large.json': { route: 'worker', value: LARGE },
      'large.cbor': { route: 'worker', value: LARGE },
      'small.msgpack': { route: 'page', value: SMALL },
      'small.json': { route: 'page', value: SMALL },
      'small.pb': { route: 'page', value: { hello: 'world', list: [1, -2] } },
    });
  });
});
