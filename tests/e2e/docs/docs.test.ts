/**
 * Checks every block of code in the documentation with the built library. Blocks marked `run` run in Chromium, on a page whose
 * body is the last block marked `html page` before them, until the expression in a comment `<!-- check: … -->` after the block
 * is true; blocks marked `node` run in Node.
 */
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import avro from 'avsc';
import * as esbuild from 'esbuild';
import { Packr } from 'msgpackr';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Trip } from '../../../docs/examples/01-fetch/trip.ts';
import { createServer } from '../../../demo/server/index.mjs';
import { chromiumLaunch } from '../../setup/browsers/chromium.ts';
import { ROOT } from '../../../scripts/run.mjs';
import { FORMATS, NAMED_FORMS } from '../../../core/formats/registry.ts';
import { receive, send } from '../../../main/server.ts';
import { PATIENCE_MS } from '../../setup/browsers/patience.ts';

/** Generated documents, whose examples are checked at their source. */
const GENERATED = ['api.md', 'BAKEOFF.md'];

/** Documents in the root of the repository. */
const TOP_DOCUMENTS = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CODE_OF_CONDUCT.md'];

const blocks = docBlocks();
const typed = blocks.filter(({ words }) => words[0] === 'ts' || words[0] === 'tsx');
const runnable = typed.filter(({ words }) => words.includes('run'));
const forNode = typed.filter(({ words }) => words.includes('node'));
/** Inside the repository, so that packages resolve. */
const folder = join(ROOT, 'node_modules/.cache/doc-blocks');
const site = join(folder, 'site');
const require = createRequire(join(ROOT, 'package.json'));
const manifest = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
  exports: Record<string, { types?: string; default: string }>;
};

beforeAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await Promise.all(typed.map((block) => writeFile(join(folder, fileOf(block)), `${block.code}\nexport {};\n`)));
  await mkdir(site);
  await Promise.all(Object.entries(payloads()).map(([name, content]) => writeFile(join(site, name), content)));
});

it('every block of the documentation is in a language that is checked', () => {
  const languages = new Set(blocks.map(({ words }) => words[0]));
  expect([...languages].filter((name) => ![undefined, 'ts', 'tsx', 'sh', 'json', 'html', 'http', 'js'].includes(name))).toEqual([]);
  expect(runnable.length).toBeGreaterThan(5);
});

it('the TypeScript of the documentation compiles against the built types', async () => {
  for (const name of ['surroundings.d.ts', 'modules.d.ts']) await cp(join(import.meta.dirname, name), join(folder, name));
  const paths = Object.entries(manifest.exports).map(([entry, { types }]) => [`unspool${entry.slice(1)}`, [join(ROOT, types ?? '')]]);
  const options = {
    extends: join(ROOT, 'tsconfig.base.json'),
    compilerOptions: {
      types: ['node'],
      jsx: 'react-jsx',
      lib: ['ES2023', 'ESNext.Disposable', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
      paths: { ...Object.fromEntries(paths), 'source/*': [join(ROOT, '*')] } as object,
      // Examples contain unused variables and imports.
      noUnusedLocals: false,
      noUnusedParameters: false,
      allowImportingTsExtensions: true,
    },
    include: ['*.ts', '*.tsx'],
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(options));
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [compiler, '-p', folder, '--pretty', 'false'], { cwd: folder, encoding: 'utf8' });
  const named = stdout.replaceAll(/block-(\d+)\.tsx?/g, (_, index: string) => `${typed[Number(index)]!.place}, line`);
  expect(named).toBe('');
});

it('the documentation has JSON and JavaScript that parse, and commands that exist', async () => {
  for (const { words, code } of blocks) {
    if (words[0] === 'json') expect(() => void JSON.parse(code)).not.toThrow();
    if (words[0] === 'js') await esbuild.transform(code, { loader: 'js', logLevel: 'silent' });
    if (words[0] !== 'sh') continue;
    for (const [, script] of code.matchAll(/\bnpm run ([\w-]+)/g)) expect(Object.keys(manifest.scripts)).toContain(script);
    for (const [, script] of code.matchAll(/\bnode ((?:[\w-]+\/)+[\w.-]+)/g)) expect(existsSync(join(ROOT, script!))).toBe(true);
  }
});

it('the reference names everything that is exported', async () => {
  const reference = await readFile(join(ROOT, 'docs/api.md'), 'utf8');
  for (const [entry, { types }] of Object.entries(manifest.exports)) {
    if (/worker$|inline$|json$|\*/.test(entry) && entry !== './service-worker') continue;
    const name = `unspool${entry.slice(1)}`;
    const section = reference.split(/^(?=## )/m).find((part) => part.startsWith(`## ${name}\n`)) ?? '';
    const declarations = await readFile(join(ROOT, types!), 'utf8');
    const named = [...declarations.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, list]) => list!.split(','));
    const declared = [...declarations.matchAll(/^export (?:declare )?(?:async )?(?:function|class|interface|type|const) (\w+)/gm)];
    const names = [...named.map((one) => one.replace(/\btype\b|.* as /g, '').trim()), ...declared.map(([, one]) => one!)].filter(Boolean);
    expect(names.length, name).toBeGreaterThan(0);
    expect(
      // Exports that another entry has too are described there.
      names.filter((one) => !section.includes(`### ${one}\n`) && !section.includes(`[\`${one}\`](#${one.toLowerCase()})`)),
      name,
    ).toEqual([]);
  }
  for (const { id } of [...FORMATS, ...NAMED_FORMS]) expect(reference).toContain(`## unspool/formats/${id}\n`);
});

it('the documentation has an entry for every error code and every limit', async () => {
  const troubleshooting = await readFile(join(ROOT, 'docs/reference/troubleshooting.md'), 'utf8');
  const limits = await readFile(join(ROOT, 'docs/reference/limits.md'), 'utf8');
  const errors = readdirSync(join(ROOT, 'core/errors'))
    .map((name) => readFileSync(join(ROOT, 'core/errors', name), 'utf8'))
    .join('\n');
  const validation = await readFile(join(ROOT, 'main/validate.ts'), 'utf8');
  const union = (name: string): string[] => {
    const [, members = ''] = new RegExp(`export type ${name} =([^;]*);`).exec(errors) ?? [];
    return [...members.matchAll(/'([^']+)'/g)].map(([, member]) => member!);
  };
  const codes = union('DecodeErrorCode');
  const own = [...(errors + validation).matchAll(/readonly code = '([^']+)'/g)].map(([, code]) => code!);
  expect(codes.length).toBeGreaterThan(5);
  expect(own).toContain('validation');
  expect(codes.filter((code) => !troubleshooting.includes(`| \`${code}\` |`))).toEqual([]);
  expect(own.filter((code) => !troubleshooting.includes(`## ${code}\n`))).toEqual([]);
  expect(union('LimitName').filter((limit) => !limits.includes(`| \`${limit}\` |`))).toEqual([]);
});

it('the links of the documentation lead to files that exist', async () => {
  const files = new Set([...TOP_DOCUMENTS, ...blocks.map(({ place }) => place.split(':')[0]!), 'docs/README.md']);
  for (const file of files) {
    const text = await readFile(join(ROOT, file), 'utf8');
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, link]) => link!);
    const lost = links.filter((link) => !existsSync(join(ROOT, file, '..', link)));
    expect(lost.map((link) => `${file}: ${link}`)).toEqual([]);
  }
});

describe('in Chromium', () => {
  let browser: Browser;
  let page: Page;
  let server: http.Server;
  let url: string;
  /** Errors of the page since it was opened for the current example. */
  const errors: string[] = [];

  beforeAll(async () => {
    await esbuild.build({
      entryPoints: {
        ...Object.fromEntries(runnable.map((block) => [nameOf(block), join(folder, fileOf(block))])),
        worker: join(ROOT, 'dist/worker.js'),
      },
      alias: Object.fromEntries(
        Object.entries(manifest.exports)
          .filter(([entry]) => entry !== './package.json')
          .flatMap(([entry, { default: file }]): [string, string][] =>
            entry.endsWith('/*')
              ? [...FORMATS, ...NAMED_FORMS].map(({ id }) => [`unspool${entry.slice(1, -1)}${id}`, join(ROOT, file.replace('*', id))])
              : [[`unspool${entry.slice(1)}`, join(ROOT, file)]],
          )
          // Longest first, since an alias also matches as a prefix.
          .sort(([a], [b]) => b.length - a.length),
      ),
      outdir: site,
      bundle: true,
      splitting: true,
      format: 'esm',
      jsx: 'automatic',
      target: 'es2022',
      footer: { js: 'globalThis.finished = true;' },
      logLevel: 'silent',
    });
    // The library loads formats relative to its own file.
    await cp(join(ROOT, 'dist/formats'), join(site, 'formats'), { recursive: true });
    await Promise.all(
      runnable.map((block) =>
        writeFile(
          join(site, `${nameOf(block)}.html`),
          `<!doctype html><body>${block.page}<script type="module" src="./${nameOf(block)}.js"></script></body>`,
        ),
      ),
    );
    const files = createServer({ root: site, headers: { 'Content-Security-Policy': "default-src 'self'" } });
    server = http.createServer((request, response) => {
      if (request.method !== 'POST') files.http.emit('request', request, response);
      else answerPost(request, response).catch(() => response.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    browser = await chromium.launch(chromiumLaunch());
    page = await browser.newPage();
    page.on('pageerror', (error) => errors.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  });

  afterAll(async () => {
    await browser.close();
    server.closeAllConnections();
    server.close();
  });

  it.each(runnable.map((block) => [block.place, block] as const))('runs the example %s', async (_, block) => {
    errors.length = 0;
    await page.goto(`${url}${nameOf(block)}.html`);
    await page
      .waitForFunction(() => 'finished' in globalThis, undefined, { timeout: PATIENCE_MS })
      .catch((error: unknown) => errors.push(String(error)));
    if (block.check) await expect.poll(() => page.evaluate(block.check!), { timeout: PATIENCE_MS }).toBe(true);
    expect(errors).toEqual([]);
  });
});

describe('in Node', () => {
  it.each(forNode.map((block) => [block.place, block] as const))('runs the example %s', async (_, block) => {
    const script = join(folder, `${nameOf(block)}.mjs`);
    await esbuild.build({
      entryPoints: [join(folder, fileOf(block))],
      outfile: script,
      bundle: true,
      platform: 'node',
      format: 'esm',
      packages: 'external',
      plugins: [
        {
          name: 'published',
          setup: (build) =>
            build.onResolve({ filter: /^unspool/ }, ({ path }) => ({ path: pathToFileURL(require.resolve(path)).href, external: true })),
        },
      ],
    });
    const { stderr } = await promisify(execFile)(process.execPath, [script], { cwd: site, timeout: PATIENCE_MS });
    expect(stderr).toBe('');
  });
});

/** Payloads that examples request, by URL, or read as files. */
function payloads(): Record<string, string | Uint8Array> {
  const trips = Array.from({ length: 5_000 }, (_, id): Trip => ({
    id,
    station: `Station ${id % 300}`,
    minutes: (id % 90) + 0.5,
    member: id % 3 > 0,
  }));
  const packed = new Packr({ useRecords: false }).pack({ trips });
  // The Trips in the guide to Avro.
  const type = avro.Type.forSchema({
    type: 'record',
    name: 'Trip',
    fields: [
      { name: 'id', type: 'int' },
      { name: 'station', type: 'string' },
      { name: 'minutes', type: 'double' },
    ],
  });
  return {
    trips: packed,
    'trips.msgpack': packed,
    'trips.json': JSON.stringify({ trips }),
    'trips.ndjson': trips.map((trip) => JSON.stringify(trip)).join('\n'),
    'trip.avro': type.toBuffer(trips[7]),
    // 500 trips, written by hyparquet-writer.
    'trips.parquet': readFileSync(join(ROOT, 'tests/fixtures/parquet/trips.parquet')),
    // The Greeting in the guide to schemas.
    'greeting.pb': Uint8Array.of(10, 5, 119, 111, 114, 108, 100, 16, 3),
    'favicon.ico': '',
  };
}

/** Answers a posted list, in any format, with its length. */
async function answerPost(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
  const value = await receive<unknown[] | { trips: unknown[] }>(request, { limits: { bytes: 100_000_000 } });
  await send(request, response, { saved: Array.isArray(value) ? value.length : value.trips.length });
}

/** A block of code in the documentation. */
interface DocBlock {
  /** Position: `docs/reference/limits.md:12`. */
  place: string;
  /** Words after the fence: the language, and `run` or `node` for runnable blocks. */
  words: string[];
  code: string;
  /** The last `html page` before the block in the same document. */
  page: string;
  /** Expression that becomes true on the page, if it has one. */
  check: string | undefined;
}

/** The name of the file with a block's code, without its extension. */
function nameOf(block: DocBlock): string {
  return `block-${typed.indexOf(block)}`;
}

function fileOf(block: DocBlock): string {
  return `${nameOf(block)}.${block.words[0]}`;
}

/** All blocks of code in the root and in docs/. */
function docBlocks(): DocBlock[] {
  const guides = ['docs', 'docs/guides', 'docs/reference', 'docs/internals'].flatMap((folder) =>
    readdirSync(join(ROOT, folder))
      .filter((name) => name.endsWith('.md') && !GENERATED.includes(name))
      .map((name) => `${folder}/${name}`),
  );
  return [...TOP_DOCUMENTS, ...guides].flatMap((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8');
    let page = '';
    return [...text.matchAll(/^```([^\n]*)\n([^]*?)^```$(?:\n<!-- check: (.*) -->$)?/gm)].map(([, info = '', code = '', check], index, all) => {
      const line = text.slice(0, all[index]!.index).split('\n').length;
      const words = info.split(/\s+/).filter(Boolean);
      if (words[0] === 'html' && words[1] === 'page') page = code;
      return { place: `${file}:${line}`, words, code, page, check };
    });
  });
}
