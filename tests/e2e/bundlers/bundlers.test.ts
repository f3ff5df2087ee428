import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createServer } from '../../../demo/server/index.mjs';
import { chromiumLaunch } from '../../setup/browsers/chromium.ts';
import { type ScriptRequest, serveAndCount } from '../../../scripts/checks/count-scripts.mjs';
import {
  buildWithAddress,
  buildWithEsbuild,
  buildWithNothing,
  buildWithParcel,
  buildWithRolldown,
  buildWithRollup,
  buildWithVite,
  buildWithWebpack,
  packageFiles,
  PAGES,
  serveWithVite,
} from './builds.ts';
import { makeApplication } from './package.ts';
import { LARGE as large, PAYLOADS as files, SMALL as small } from './payloads.ts';
import { collectReports } from './reports.ts';
import { PATIENCE_MS } from '../../setup/browsers/patience.ts';
import { canInstall, install } from '../../setup/build/npm.ts';

const decoded = {
  'large.msgpack': { route: 'worker', value: large },
  'large.json': { route: 'worker', value: large },
  'large.cbor': { route: 'worker', value: large },
  'small.msgpack': { route: 'page', value: small },
  'small.json': { route: 'page', value: small },
  'small.pb': { route: 'page', value: { hello: 'world', list: [1, -2] } },
};

/** Values of the rows that a worker wrote, and the type of a price of a socket in a worker. */
const written = { json: large, messagepack: large, cbor: large, price: 'number' };

const STRICT = "default-src 'self'; script-src 'self'";
const TRUSTED_TYPES = "require-trusted-types-for 'script'";
/** Policy for each way to the worker: created by the library from a file or a blob, or by the page. */
const POLICIES = {
  beside: `${STRICT}; worker-src 'self'; ${TRUSTED_TYPES}`,
  inline: `${STRICT}; worker-src blob:; ${TRUSTED_TYPES}`,
  named: `${STRICT}; worker-src 'self'`,
};

const run = promisify(execFile);

/** Parcel brings 130 packages, so it is installed here alone. */
const hasParcel = await canInstall();

let folder: string;
let application: string;
let browser: Browser;
let page: Page;
/** Warnings and errors of the page. */
const complaints: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'unspool-bundlers-'));
  application = join(folder, 'application');
  browser = await chromium.launch(chromiumLaunch());
  page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await makeApplication(application);
  if (hasParcel) await install(application, 'parcel@^2.16.4');
  // Vite serves and copies the files in this folder.
  await writeFiles(join(application, 'public'));
});

afterAll(async () => {
  await browser.close();
  await rm(folder, { recursive: true, force: true });
});

async function writeFiles(to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  await Promise.all(Object.entries(files).map(([name, bytes]) => writeFile(join(to, name), bytes)));
}

/** Serves a folder until the end of the test. */
async function serve(root: string, policy: string, headers: Record<string, string> = {}): Promise<string> {
  const server = createServer({ root, headers: { ...headers, 'Content-Security-Policy': policy } });
  onTestFinished(() => server.close());
  return server.listen({ port: 0 });
}

/** Opens a page of the application and waits for its outcome. */
async function expectDecoded(url: string, expected: object = decoded): Promise<void> {
  complaints.length = 0;
  await page.goto(url);
  expect(complaints).toEqual([]);
  expect(await page.evaluate(() => outcome as Promise<object>)).toEqual(expected);
  expect(complaints).toEqual([]);
}

describe.each([
  ['Vite', buildWithVite, ['beside', 'inline']],
  ['webpack', buildWithWebpack, ['beside', 'inline']],
  ['Rollup', buildWithRollup, PAGES],
  // Vite builds with Rolldown, so one page is enough to see that it works by itself.
  ['Rolldown', buildWithRolldown, ['beside']],
  ['esbuild', buildWithEsbuild, PAGES],
] as const)('with %s', (name, build, pages) => {
  let built: string;

  beforeAll(async () => {
    built = join(folder, name);
    await build(application, built, [...pages, 'rows']);
    await writeFiles(built);
  });

  it.each(pages)('decodes with the worker %s', async (way) => {
    await expectDecoded(`${await serve(built, POLICIES[way])}${way}.html`);
  });

  it('writes rows, and takes messages of a socket, in a worker', async () => {
    await expectDecoded(`${await serve(built, POLICIES.beside)}rows.html`, written);
  });
});

const KB = 1024;
/**
 * Budgets of a first decode: files of code in addition to the page's own script, and total gzip bytes. Vite's build is held to all of
 * them, those of other bundlers to the one that loads nothing and the two that load most.
 */
const BUDGETS = [
  ['json-objects', 0, 27 * KB],
  ['json-rows-on-page', 0, 27 * KB],
  // The worker, with 12 KB of kernels, its pool, and what builds its values on the page.
  ['json-rows', 3, 87 * KB],
  ['messagepack-rows', 3, 87 * KB],
  // The same, and the format.
  ['cbor-rows', 4, 117 * KB],
  // The format, the shared code of readers, and the parser of `.proto` texts.
  ['protobuf-objects', 3, 80 * KB],
  // The pool, the code that builds the worker's values, the worker, the format once for both threads, the parser of `.proto` texts, and with Parcel the shared code of readers.
  ['protobuf-rows', 6, 135 * KB],
] as const;

/** Decodes once in a page of an origin of its own, of which nothing is cached. Returns the result and the requested scripts. */
async function decodeFirst(built: string, name: string, decode: string): Promise<{ result: number | string; scripts: ScriptRequest[] }> {
  const { scripts, url, close } = await serveAndCount(built);
  onTestFinished(close);
  await page.goto(`${url}${name}.html?${decode}`);
  const result = await page.evaluate(() => (outcome as Promise<number>).catch((error: Error) => `${error.name}: ${error.message}`));
  return { result, scripts };
}

async function scriptsOf(built: string, name: string, decode: string): Promise<ScriptRequest[]> {
  const { result, scripts } = await decodeFirst(built, name, decode);
  expect(result).toBe(large.trips.length);
  return scripts;
}

describe('a Rollup build without the files of the library', () => {
  let built: string;

  beforeAll(async () => {
    built = join(folder, 'without files');
    await buildWithRollup(application, built, ['first']);
    await writeFiles(built);
    await rm(join(built, 'formats'), { recursive: true });
  });

  it.each([['json-objects'], ['protobuf-objects']])('decodes %s on the page', async (decode) => {
    expect((await decodeFirst(built, 'first', decode)).result).toBe(large.trips.length);
  });

  it('rejects a call that needs a format in a worker with a WorkerCrashError', async () => {
    const { result } = await decodeFirst(built, 'first', 'cbor-rows');
    expect(result).toMatch(/^WorkerCrashError: the code of cbor could not be loaded: /);
  });

  it('rejects a call that needs a worker with a WorkerCrashError', async () => {
    await rm(join(built, 'worker.js'));
    expect((await decodeFirst(built, 'first', 'json-rows')).result).toBe('WorkerCrashError: the worker could not be loaded');
  });
});

it('an inlined worker decodes without requesting files of its own', async () => {
  const built = join(folder, 'first, inline');
  await buildWithVite(application, built, ['first-inline']);
  await writeFiles(built);
  // The application's script, and its chunks with the code of the pool and with what builds the worker's values.
  expect(await scriptsOf(built, 'first-inline', 'cbor-rows')).toHaveLength(3);
});

describe.each([
  ['Vite', buildWithVite, 1],
  ['webpack', buildWithWebpack, 1],
  ['Rollup', buildWithRollup, 1],
  // esbuild puts code shared with lazy chunks into a separate file.
  ['esbuild', buildWithEsbuild, 2],
  ...(hasParcel ? [['Parcel', buildWithParcel, 1] as const] : []),
  ['nothing', buildWithNothing, 4],
] as const)('the first decode of an application built by %s', (name, build, own) => {
  let built: string;

  beforeAll(async () => {
    built = join(folder, `first, ${name}`);
    await build(application, built, ['first']);
    await writeFiles(built);
  });

  const extremes = new Set<string>(['json-objects', 'cbor-rows', 'protobuf-rows']);
  it.each(name === 'Vite' ? BUDGETS : BUDGETS.filter(([decode]) => extremes.has(decode)))(
    'of %s requests at most %d additional files of code and %d bytes in total',
    async (decode, most, bytes) => {
      const scripts = await scriptsOf(built, 'first', decode);
      const asked = scripts.map((script) => `${script.name}: ${script.gzip}`);
      // esbuild puts the exports of each lazy chunk into a further file.
      const further = name === 'esbuild' && decode.endsWith('-rows') ? 2 : 0;
      expect(asked.slice(own + most + further), `of ${asked.join(', ')}`).toEqual([]);
      expect(
        scripts.reduce((sum, { gzip }) => sum + gzip, 0),
        asked.join(', '),
      ).toBeLessThan(bytes);
    },
  );
});

/** Errors that only one format's file has, by the format. The file of a build with its code contains them. */
async function ownErrors(): Promise<Map<string, string[]>> {
  const folder = packageFiles(application);
  const names = (await readdir(join(folder, 'formats'))).filter((name) => name.endsWith('.js'));
  const read = async (name: string): Promise<string> => await readFile(join(folder, name), 'utf8');
  const texts = new Map(await Promise.all(names.map(async (name) => [name.slice(0, -3), await read(`formats/${name}`)] as const)));
  const shared = await Promise.all(['core.js', 'worker-core.js', 'readers.js', 'from-worker.js'].map(read));
  // The file of ProtoJSON has the reader of Protocol Buffers.
  const isOther = (id: string, other: string): boolean => other !== id && !(id === 'protobuf' && other === 'protojson');
  const isOwn = (id: string, error: string): boolean =>
    ![...shared, ...[...texts].flatMap(([other, text]) => (isOther(id, other) ? [text] : []))].some((text) => text.includes(error));
  return new Map(
    [...texts].map(([id, text]) => [id, [...text.matchAll(/`([a-z ]{12,60})`/g)].map(([, error]) => error!).filter((error) => isOwn(id, error))]),
  );
}

describe.each([
  ['Vite', buildWithVite],
  ['webpack', buildWithWebpack],
  ['Rollup', buildWithRollup],
  ['esbuild', buildWithEsbuild],
  ...(hasParcel ? [['Parcel', buildWithParcel] as const] : []),
  ['nothing', buildWithNothing],
] as const)('an application of two formats built by %s', (name, build) => {
  let built: string;

  beforeAll(async () => {
    built = join(folder, `core, ${name}`);
    await build(application, built, ['core']);
    await writeFiles(built);
  });

  it('decodes on the page and in its own worker, and asks for these formats', async () => {
    for (const decode of ['json-objects', 'json-rows', 'cbor-rows']) await scriptsOf(built, 'core', decode);
    expect(await page.evaluate(() => accept)).toBe('application/cbor, application/json;q=0.9, */*;q=0.5');
  });

  it('rejects another format with an error that says where to name it', async () => {
    expect((await decodeFirst(built, 'core', 'messagepack-objects')).result).toMatch(/^TypeError: the code of messagepack is not there: name it/);
    expect((await decodeFirst(built, 'core', 'messagepack-rows')).result).toMatch(/^WorkerCrashError: .* name it in the call of serve/);
  });

  it.skipIf(name === 'nothing')('contains the code of no other format', async () => {
    const files = (await readdir(built, { recursive: true })).filter((file) => /\.m?js$/.test(file));
    const text = (await Promise.all(files.map(async (file) => await readFile(join(built, file), 'utf8')))).join('\n');
    const errors = await ownErrors();
    // The file of js-binary has those of JSON.
    errors.delete('json');
    const found = [...errors].map(([id, own]) => [id, own.length > 2, own.filter((error) => text.includes(error)).length > 0]);
    expect(found).toEqual([...errors.keys()].map((id) => [id, true, id === 'cbor']));
  });
});

it.each([
  ['Vite', buildWithVite],
  ['webpack', buildWithWebpack],
] as const)('an application built by %s that imports a format does not request its code', async (name, build) => {
  const built = join(folder, `bundled, ${name}`);
  await build(application, built, ['first-bundled']);
  await writeFiles(built);
  expect(await scriptsOf(built, 'first-bundled', 'messagepack-objects')).toHaveLength(1);
});

describe.skipIf(!hasParcel)('with Parcel', () => {
  let built: string;

  beforeAll(async () => {
    built = join(folder, 'Parcel');
    await buildWithParcel(application, built, ['beside', 'inline', 'rows']);
    await writeFiles(built);
  });

  // Parcel's import map is an inline script.
  it.each([
    ['decodes with the worker beside', 'beside', decoded],
    ['decodes with the worker inline', 'inline', decoded],
    ['writes rows in a worker', 'rows', written],
  ] as const)('%s', async (_, way, expected) => {
    const html = await readFile(join(built, `${way}.html`), 'utf8');
    const [, map = ''] = /<script type="?importmap"?>([^]*?)<\/script>/.exec(html) ?? [];
    const hash = createHash('sha256').update(map).digest('base64');
    const policy = `default-src 'self'; script-src 'self' 'sha256-${hash}'; worker-src 'self' blob:; ${TRUSTED_TYPES}`;
    await expectDecoded(`${await serve(built, policy)}${way}.html`, expected);
  });
});

describe("with Vite's development server", () => {
  let server: Awaited<ReturnType<typeof serveWithVite>>;

  beforeAll(async () => {
    server = await serveWithVite(application);
    return server.close;
  });

  it.each(['beside', 'inline'])('decodes with the worker %s', async (way) => {
    await expectDecoded(`${server.url}${way}.html`);
  });
});

describe('without a bundler, on a page with a strict policy', () => {
  let built: string;

  beforeAll(async () => {
    built = join(folder, 'no bundler');
    await buildWithNothing(application, built, [...PAGES, 'rows']);
    await writeFiles(built);
  });

  it.each([
    ['decodes without violations with the worker beside', 'beside', POLICIES.beside],
    ['decodes without violations if Trusted Types allow only the policy `unspool`', 'beside', `${POLICIES.beside}; trusted-types unspool`],
    ['decodes without violations with the worker inline', 'inline', `${POLICIES.inline}; trusted-types unspool`],
    ['writes rows in a worker without violations', 'rows', `${POLICIES.beside}; trusted-types unspool`],
  ])('%s', async (_, way, policy) => {
    const reports = await collectReports();
    onTestFinished(reports.close);
    const url = await serve(built, `${policy}; report-uri ${reports.url}`);
    await expectDecoded(`${url}${way}.html`, way === 'rows' ? written : decoded);

    // These are the first violations of the page and of its worker.
    const { violations } = reports;
    await page.evaluate(() => fetch('http://page.test/breach').catch(() => undefined));
    await expect.poll(() => violations).toEqual([{ directive: 'connect-src', blocked: 'http://page.test/breach' }]);
    await page.workers()[0]!.evaluate(() => fetch('http://worker.test/breach').catch(() => undefined));
    await expect.poll(() => violations[1]).toEqual({ directive: 'connect-src', blocked: 'http://worker.test/breach' });
  });
});

describe('with the library from another origin, such as a CDN', () => {
  it.each(['beside', 'inline'])('decodes with the worker %s', async (way) => {
    const cors = { 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' };
    const cdn = await serve(packageFiles(application), STRICT, cors);
    const built = join(folder, `from another origin, ${way}`);
    await buildWithAddress(application, built, cdn);
    await writeFiles(built);
    const policy = `default-src 'self'; script-src 'self' ${cdn}; worker-src blob: ${cdn}; ${TRUSTED_TYPES}`;
    await expectDecoded(`${await serve(built, policy)}${way}.html`);
  });
});

describe('in Node', () => {
  /** Runs a module in the application's folder and returns its output. */
  async function runModule(code: string): Promise<string> {
    const { stdout, stderr } = await run(process.execPath, ['--input-type=module', '--eval', code], { cwd: application, timeout: PATIENCE_MS });
    expect(stderr).toBe('');
    return stdout;
  }

  it('imports without side effects, so that servers can render pages', async () => {
    const { exports } = createRequire(join(application, 'package.json'))('unspool/package.json') as { exports: object };
    // Pages import neither the worker's script nor data.
    const entries = Object.keys(exports).filter((entry) => !/\/worker$|\*|json$/.test(entry));
    expect(entries.length).toBeGreaterThan(2);
    const imports = entries.map((entry) => `await import('unspool${entry.slice(1)}');`).join('\n');
    // The process ends, so no timer, worker or connection is left.
    expect(await runModule(`${imports} console.log(Object.keys(globalThis).some((key) => /unspool/i.test(key)));`)).toBe('false\n');
  });

  it('decodes on the calling thread', async () => {
    const output = await runModule(`
      import { readFile } from 'node:fs/promises';
      import { createDecoder } from 'unspool';
      const value = await createDecoder().decode(await readFile('public/large.msgpack'), { format: 'messagepack' });
      console.log(JSON.stringify(value));
    `);
    expect(JSON.parse(output)).toEqual(large);
  });

  it('provides the readers of the formats', async () => {
    const names = (await readdir(join(packageFiles(application), 'formats'))).filter((name) => name.endsWith('.js'));
    expect(names).toContain('messagepack.js');
    const imports = names.map((name) => `typeof (await import('unspool/formats/${name.slice(0, -3)}')).default.createReader`);
    expect(JSON.parse(await runModule(`console.log(JSON.stringify([${imports.join(', ')}]));`))).toEqual(names.map(() => 'function'));
  });
});
