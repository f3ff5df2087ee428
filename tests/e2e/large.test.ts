/** JSON of 600 MB, more than a string of V8 can hold: `response.json()` fails in Chromium, and a decoder reads it. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type BrowserType, chromium, firefox } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { findChromium, findFirefox } from '../../scripts/browsers.mjs';
import { ROOT } from '../../scripts/run.mjs';
import { PATIENCE_MS } from '../setup/browsers/patience.ts';

const BYTES = 600e6;
const TEXT = 'x'.repeat(2_000);

const recordOf = (id: number): object => ({ id, text: TEXT, at: [id / 8, { id }] });
const RECORDS = Math.ceil(BYTES / JSON.stringify(recordOf(100_000)).length);

function* payload(): Generator<string> {
  yield '{"records":[';
  for (let id = 0; id < RECORDS;) {
    const to = Math.min(id + 500, RECORDS);
    let text = '';
    for (; id < to; id += 1) text += `${id === 0 ? '' : ','}${JSON.stringify(recordOf(id))}`;
    yield text;
  }
  yield ']}';
}

const PAGE = `<!doctype html><script type="module">
  import { createDecoder } from '/dist/index.js';
  globalThis.decoder = createDecoder();
</script>`;

/** Serves the library, and the payload at `/large.json`. */
const server = http.createServer((request, response) => {
  answer(request.url ?? '/', response).catch(() => response.destroy());
});
let url: string;

async function answer(path: string, response: http.ServerResponse): Promise<void> {
  if (path === '/large.json') {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    await pipeline(Readable.from(payload()), response);
    return;
  }
  if (path.startsWith('/dist/')) {
    response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(await readFile(join(ROOT, path)));
    return;
  }
  response.writeHead(200, { 'Content-Type': 'text/html' }).end(PAGE);
}

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

interface Large {
  records: { id: number; text: string }[];
}

describe.each<[string, BrowserType, ReturnType<typeof findChromium>]>([
  ['Chromium', chromium, findChromium()],
  ['Firefox', firefox, findFirefox()],
])('a page in %s', (_, type, found) => {
  it.skipIf(!found)('decodes 600 MB of JSON to objects, more than a string of Chromium can hold', async () => {
    const browser = await type.launch(found!.launch);
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    await page.goto(url);
    await page.waitForFunction(() => 'decoder' in globalThis);
    const decoded = await page.evaluate(async () => {
      const { records } = await (await decoder.fetch('/large.json')).json<Large>();
      return [records.length, records.every(({ id, text }, index) => id === index && text.length === 2_000), records.at(-1)];
    });
    expect(decoded).toEqual([RECORDS, true, recordOf(RECORDS - 1)]);
    // Strings of Firefox have up to 1 GiB.
    if (type === firefox) return;
    const plain = await page.evaluate(() =>
      fetch('/large.json')
        .then((response) => response.json())
        .then(
          () => 'decoded',
          () => 'failed',
        ),
    );
    expect(plain).toBe('failed');
  });
});
