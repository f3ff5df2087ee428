/** Tests the packed and installed package: the only end-to-end test of `npm test`. */
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { chromiumLaunch } from '../setup/browsers/chromium.ts';
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

/** Prints the route and the outcome of decodes, and how often the event loop ran during them. */
const IN_THREADS = `
  import { createDecoder } from 'unspool';
  import { createEncoder } from 'unspool/encode';
  const decoder = createDecoder();
  const routes = [];
  decoder.addEventListener('decode', ({ detail }) => routes.push(detail.route));
  const trips = Array.from({ length: 100_000 }, (_, id) => ({ id, at: [id, { id }] }));
  const bytes = new TextEncoder().encode(JSON.stringify(trips));
  let turns = 0;
  let done = false;
  const turn = () => { turns += 1; if (!done) setImmediate(turn); };
  setImmediate(turn);
  const objects = await decoder.decode(bytes);
  done = true;
  const rows = await decoder.decode(bytes, { as: 'rows', route: 'worker' });
  const cbor = await createEncoder().encode(trips.slice(0, 10), { format: 'cbor' });
  const columns = await decoder.decode(cbor, { format: 'cbor', as: 'columns', route: 'worker' });
  let items = 0;
  for await (const batch of decoder.batches(new Blob([bytes]), { format: 'json', as: 'rows', route: 'worker' })) items += batch.length;
  const broken = await decoder.decode(bytes.subarray(0, -1), { as: 'rows', route: 'worker' }).catch((error) => error.code);
  console.log(JSON.stringify([routes, objects.length, rows.at(-1), [...columns.id], items, broken, turns > 1]));
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

  it('decodes in Node in slices of the event loop, and in threads, which do not keep the process alive', () => {
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', IN_THREADS], { cwd: application, encoding: 'utf8' });
    expect(stderr).toBe('');
    const ids = Array.from({ length: 10 }, (_, id) => id);
    const last = { id: 99_999, at: [99_999, { id: 99_999 }] };
    const routes = ['page', 'worker', 'worker', 'worker', 'worker'];
    expect(JSON.parse(stdout)).toEqual([routes, 100_000, last, ids, 100_000, 'truncated', true]);
  });

  it('decodes in a page without a bundler, large payloads in a worker and small ones on the page', async () => {
    const site = join(folder, 'site');
    await buildWithNothing(application, site, ['beside']);
    await writePayloads(site);
    const { url, close } = await serveAndCount(site);
    onTestFinished(close);
    const browser = await chromium.launch(chromiumLaunch());
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
