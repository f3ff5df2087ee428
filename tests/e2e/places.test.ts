/** Runs the built library in pages without an origin of their own: sandboxed frames, files and data: URLs. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumLaunch } from '../setup/browsers/chromium.ts';
import { ROOT } from '../../scripts/run.mjs';
import { PATIENCE_MS } from '../setup/browsers/patience.ts';

const ROWS = 20_000;
/** An application that decodes with `unspool/inline`, on the page and in a worker, and a payload of another format. */
const USE = `
import { createDecoder } from 'unspool/inline';
import { createEncoder } from 'unspool/encode';
const found = [];
try {
  const decoder = createDecoder();
  addEventListener('securitypolicyviolation', (event) => found.push(event.violatedDirective));
  const rows = Array.from({ length: ${ROWS} }, (_, id) => ({ id, text: 'row ' + id }));
  const json = new TextEncoder().encode(JSON.stringify(rows));
  let route;
  decoder.addEventListener('decode', ({ detail }) => (route = detail.route));
  for (const [bytes, options] of [[json], [await createEncoder().encode(rows, { format: 'cbor' }), { format: 'cbor' }]]) {
    const table = await decoder.decode(bytes, { ...options, as: 'rows', route: 'worker' });
    found.push(route, table.at(-1).id);
    found.push((await decoder.decode(bytes, options)).length);
  }
} catch (error) {
  found.push(String(error));
}
document.title = JSON.stringify(found);
parent.postMessage(document.title, '*');
`;
const EXPECTED = ['worker', ROWS - 1, ROWS, 'worker', ROWS - 1, ROWS];

let folder: string;
let browser: Browser;
/** The application in one script, which needs no other file. */
let script: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'unspool-places-'));
  const built = await esbuild.build({
    stdin: { contents: USE, resolveDir: ROOT },
    alias: { 'unspool/inline': join(ROOT, 'dist/inline.js'), 'unspool/encode': join(ROOT, 'dist/encode.js') },
    bundle: true,
    format: 'esm',
    write: false,
    logLevel: 'silent',
  });
  script = built.outputFiles[0]!.text.replaceAll('</script', '<\\/script');
  browser = await chromium.launch(chromiumLaunch());
});

afterAll(async () => {
  await browser.close();
  await rm(folder, { recursive: true, force: true });
});

async function titleOf(page: Page): Promise<unknown> {
  await page.waitForFunction(() => document.title.startsWith('['), undefined, { timeout: PATIENCE_MS });
  return JSON.parse(await page.title()) as unknown;
}

const html = (): string => `<!doctype html><title></title><script type="module">${script}</script>`;

describe('unspool/inline', () => {
  it('decodes in workers in a sandboxed frame', async () => {
    const page = await browser.newPage();
    await page.route('**/*', async (route) => {
      const isFrame = new URL(route.request().url()).pathname === '/frame';
      const body = `<!doctype html><title></title><script>onmessage = ({ data }) => (document.title = data)</script><iframe sandbox="allow-scripts" src="/frame"></iframe>`;
      await route.fulfill({ contentType: 'text/html', body: isFrame ? html() : body });
    });
    await page.goto('http://localhost/');
    expect(await titleOf(page)).toEqual(EXPECTED);
    await page.close();
  });

  it('decodes in workers in a page that is a file', async () => {
    await writeFile(join(folder, 'page.html'), html());
    const page = await browser.newPage();
    await page.goto(pathToFileURL(join(folder, 'page.html')).href);
    expect(await titleOf(page)).toEqual(EXPECTED);
    await page.close();
  });

  it('decodes in workers in a data: page', async () => {
    const page = await browser.newPage();
    // Browsers open no data: URL as long as the script.
    const headers = { 'access-control-allow-origin': '*' };
    await page.route('http://localhost/app.js', (route) => route.fulfill({ contentType: 'text/javascript', body: script, headers }));
    await page.goto('data:text/html,<!doctype html><title></title><script type="module" src="http://localhost/app.js"></script>');
    expect(await titleOf(page)).toEqual(EXPECTED);
    await page.close();
  });
});
