/**
 * The examples, with the packed library: built and run against the libraries that the repository has, and, where the registry may be
 * asked, installed and started as a reader does. `frameworks.test.ts` has more of those whose libraries the repository has not.
 */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as esbuild from 'esbuild';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import * as vite from 'vite';
import { ROOT } from '../../scripts/run.mjs';
import { chromiumLaunch } from '../setup/browsers/chromium.ts';
import { PATIENCE_MS } from '../setup/browsers/patience.ts';
import { canInstall, install, npm } from '../setup/build/npm.ts';
import { startServer } from '../setup/servers/npm-server.ts';
import { makeApplication, pack } from './bundlers/package.ts';

const EXAMPLES = join(ROOT, 'docs/examples');
const MESSAGEPACK = 'application/vnd.msgpack';
const LISTED = [`5000 trips\n${JSON.stringify(tripsTo(20), null, 2)}`];

/** Text of a page once its example has run, and the media types of the answers that it gets; none for a socket. */
interface Page {
  readonly texts: readonly string[];
  readonly types: readonly string[];
}
/** Examples in a page. */
const PAGES: Readonly<Record<string, Page>> = {
  '01-fetch': { texts: LISTED, types: [MESSAGEPACK] },
  '02-ky': { texts: LISTED, types: [MESSAGEPACK] },
  '03-ofetch': { texts: LISTED, types: [MESSAGEPACK] },
  '04-axios': { texts: LISTED, types: [MESSAGEPACK] },
  '05-openapi-fetch': { texts: LISTED, types: [MESSAGEPACK] },
  '06-tanstack-query': { texts: ['5000 trips\n4950 are the same objects after a second request'], types: [MESSAGEPACK, MESSAGEPACK] },
  '07-swr': { texts: ['5000 trips, of which 0 are the same objects as before'], types: [MESSAGEPACK] },
  '08-validation': { texts: ['zod', 'valibot', 'arktype'].map((name) => `5000 trips validated by ${name}`), types: Array(3).fill(MESSAGEPACK) },
  '09-arrow': { texts: ['5000 trips in an Arrow table', '"station": "Station 19"'], types: [MESSAGEPACK, MESSAGEPACK] },
  '10-trpc': { texts: LISTED, types: [MESSAGEPACK] },
  '11-rtk-query': { texts: LISTED, types: [MESSAGEPACK] },
  // Apollo Client asks for the type of each trip too.
  '12-apollo': { texts: ['5000 trips\n', '"station": "Station 19"'], types: [MESSAGEPACK] },
  '13-urql': { texts: LISTED, types: [MESSAGEPACK] },
  '14-refetching-table': { texts: ['5000 of 5000 rows rendered', 'Station 299'], types: [MESSAGEPACK] },
  '15-connect': {
    texts: [`5000 trips\n5000 trips of a stream\n${JSON.stringify(tripsTo(20), null, 2)}`],
    types: ['application/proto', 'application/grpc-web+proto'],
  },
  '16-capnweb': { texts: LISTED, types: [] },
  '17-angular': { texts: LISTED, types: [MESSAGEPACK] },
  '21-etag': { texts: ['5000 trips of the version W/"monday', 'The same object after a second request'], types: [MESSAGEPACK] },
  // The server breaks the connection after ten of each.
  '22-reconnecting-socket': { texts: ['AAPL 187.50\n', 'MSFT 188.26\n'], types: [] },
  '24-plain-table': { texts: ['5000 of 5000', 'Station 9'], types: [MESSAGEPACK] },
  '25-tanstack-table': { texts: ['5000 of 5000', 'Station 9'], types: [MESSAGEPACK] },
  '26-ag-grid': { texts: ['Station 9'], types: [MESSAGEPACK] },
  '27-duckdb': { texts: ['5000 trips of 300 stations'], types: [MESSAGEPACK] },
  '34-react-answer': {
    texts: ['Two trips leave Station 7 before noon. I look up whether bikes are free for them.', 'find_bikes {"station":"Station 7","bikes":2}'],
    types: ['text/event-stream'],
  },
  '35-live-table': { texts: ['10 rows drawn, 3333 trips of members', 'Station 1'], types: [MESSAGEPACK] },
};
const PRICES = /^\{ symbol: 'AAPL', price: 187\.5 \}\n\{ symbol: 'AAPL', price: 188\.25 \}\n\{ symbol: 'AAPL', price: 186\.75 \}\n$/;
/** Examples in Node, and what they print. */
const PROGRAMS: Readonly<Record<string, RegExp>> = {
  '23-resuming': /^(?:event \{.+\}\n){9}(?:message \{.+\}\n){9}(?:line \{.+\}\n){9}$/,
  '28-perspective': /^5000 trips of 300 stations\n/,
  '29-signalr': PRICES,
  '30-phoenix': PRICES,
  '31-graphql-ws': PRICES,
  '32-mqtt':
    /sensors\/hall\/temperature \{ degrees: 19\.5 \}\nsensors\/kitchen\/temperature \{ degrees: 21\.25 \}\nsensors\/office\/temperature \{ degrees: 22 \}\n$/,
  '33-socket-io': PRICES,
};
/** Examples of frameworks, which `frameworks.test.ts` installs, builds and starts. */
const FRAMEWORKS = ['18-next', '19-sveltekit', '20-nuxt'];
/** Examples whose libraries the repository has not. */
const NOT_HERE = ['17-angular', '25-tanstack-table', '26-ag-grid', '28-perspective'];

const isPossible = await canInstall();
/** Inside the repository, so that the libraries of the examples resolve. */
let folder: string;
let application: string;
let browser: Browser;

/** The first trips of the server of most examples. */
function tripsTo(end: number): object[] {
  return Array.from({ length: end }, (_, id) => ({ id, station: `Station ${id % 300}`, minutes: id / 2, member: id % 3 > 0 }));
}

const compare = (one: string, other: string): number => (one < other ? -1 : 1);

interface Manifest {
  dependencies: Record<string, string>;
  devDependencies?: Record<string, string>;
}
const manifestOf = async (name: string): Promise<Manifest> => JSON.parse(await readFile(join(EXAMPLES, name, 'package.json'), 'utf8')) as Manifest;

beforeAll(async () => {
  const cache = join(ROOT, 'node_modules/.cache');
  await mkdir(cache, { recursive: true });
  folder = await mkdtemp(join(cache, 'examples-'));
  application = join(folder, 'application');
  await makeApplication(application);
  browser = await chromium.launch(chromiumLaunch());
});

afterAll(async () => {
  await browser.close();
  await rm(folder, { recursive: true, force: true });
});

/** Opens the page of an example, until it shows the expected texts. */
async function expectPage(url: string, { texts, types }: Page): Promise<void> {
  const page = await browser.newPage();
  onTestFinished(() => page.close());
  page.setDefaultTimeout(PATIENCE_MS);
  const failures: string[] = [];
  const received: string[] = [];
  page.on('pageerror', ({ message }) => failures.push(message));
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (/^\/(?:trips|trpc\/|graphql|answer|transit\.)/.test(pathname) && response.status() === 200)
      received.push(response.headers()['content-type'] ?? '');
  });
  await page.goto(url);
  const shown = (): Promise<string> => page.evaluate(() => document.body.textContent);
  for (const text of texts) await expect.poll(async () => [await shown(), ...failures].join('\n')).toContain(text);
  expect(failures).toEqual([]);
  expect(received.toSorted(compare)).toEqual(types.toSorted(compare));
}

describe('an example', () => {
  it('has a folder with a package of its own, and is tested', async () => {
    const folders = (await readdir(EXAMPLES)).filter((name) => /^\d\d-/.test(name));
    expect(folders.toSorted(compare)).toEqual([...Object.keys(PAGES), ...Object.keys(PROGRAMS), ...FRAMEWORKS].toSorted(compare));
    for (const name of folders) {
      expect(await manifestOf(name)).toMatchObject({ private: true, scripts: { start: expect.any(String) }, dependencies: { unspool: '^0.1.0' } });
    }
  });

  it.each([...Object.keys(PAGES), ...Object.keys(PROGRAMS)].filter((name) => !NOT_HERE.includes(name)))(
    '%s depends on its libraries in the major versions that the repository tests, and imports nothing from outside of its folder',
    async (name) => {
      const lock = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8')) as { packages: Record<string, { version: string }> };
      const { dependencies, devDependencies } = await manifestOf(name);
      const ranges = Object.entries({ ...dependencies, ...devDependencies }).filter(([library]) => library !== 'tsx');
      for (const [library, range] of ranges) {
        const [major] = lock.packages[library === 'unspool' ? '' : `node_modules/${library}`]!.version.split('.');
        expect(`${library} ${/^[~^](\d+)\./.exec(range)?.[1]}`).toBe(`${library} ${major}`);
      }
      for (const file of await readdir(join(EXAMPLES, name))) {
        if (/\.(?:tsx?|html)$/.test(file)) expect(await readFile(join(EXAMPLES, name, file), 'utf8')).not.toMatch(/['"]\.\.\//);
      }
    },
  );
});

describe('with the libraries of the repository, an example', () => {
  it.each(Object.entries(PAGES).filter(([name]) => !NOT_HERE.includes(name)))(
    '%s builds, and its page shows the decoded values',
    async (name, page) => {
      const example = join(application, name);
      await cp(join(EXAMPLES, name), example, { recursive: true });
      await vite.build({ root: example, logLevel: 'error' });
      const server = await vite.preview({ root: example, logLevel: 'error', preview: { port: 0, host: '127.0.0.1' } });
      onTestFinished(() => server.close());
      await expectPage(server.resolvedUrls!.local[0]!, page);
    },
  );

  it.each(Object.entries(PROGRAMS).filter(([name]) => !NOT_HERE.includes(name)))('%s prints the decoded values', async (name, printed) => {
    const example = join(application, name);
    await cp(join(EXAMPLES, name), example, { recursive: true });
    const outfile = join(example, 'main.mjs');
    await esbuild.build({ entryPoints: [join(example, 'main.ts')], bundle: true, packages: 'external', platform: 'node', format: 'esm', outfile });
    const { stdout } = await promisify(execFile)(process.execPath, [outfile], { timeout: PATIENCE_MS });
    expect(stdout).toMatch(printed);
  });
});

describe.skipIf(!isPossible)('installed from the registry, an example', () => {
  /** Copies an example out of the repository, and installs its libraries and the packed one. */
  async function installExample(name: string): Promise<string> {
    const outside = join(installed, name);
    await cp(join(EXAMPLES, name), outside, { recursive: true });
    const manifest = await manifestOf(name);
    manifest.dependencies['unspool'] = `file:${packed}`;
    await writeFile(join(outside, 'package.json'), JSON.stringify(manifest));
    await install(outside);
    return outside;
  }
  let installed: string;
  let packed: string;
  beforeAll(async () => {
    installed = await mkdtemp(join(tmpdir(), 'unspool-examples-'));
    packed = join(installed, await pack(installed));
  });
  afterAll(() => rm(installed, { recursive: true, force: true }));

  it.each(Object.entries(PAGES))('%s starts by `npm start`, and its page shows the decoded values', async (name, page) => {
    const example = await installExample(name);
    const url = await startServer(example, 'start', (port) => ['--host', '127.0.0.1', '--port', String(port), '--strictPort']);
    await expectPage(url, page);
  });

  it.each(Object.entries(PROGRAMS))('%s starts by `npm start`, and prints the decoded values', async (name, printed) => {
    const example = await installExample(name);
    expect(await npm(example, 'start', '--silent')).toMatch(printed);
  });
});
