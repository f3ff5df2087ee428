// Builds and serves the pages of the benchmark.
import { build } from 'esbuild';
import { readdirSync } from 'node:fs';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createServer } from '../demo/server/index.mjs';
import { build as buildAll } from '../scripts/build.mjs';
import { FIELD } from './contenders/field.js';
import { CONTENDERS } from './contenders/index.js';
import { ENCODING_FIELD } from './encode/contenders/field.js';
import { generatedCode } from './generated/generators.mjs';

const BENCH = fileURLToPath(new URL('.', import.meta.url));
const DIST = fileURLToPath(new URL('../dist', import.meta.url));
/** The bundle of the encoding harness for Node; below the packages, so that Node resolves them. */
const FOR_NODE = fileURLToPath(new URL('../node_modules/.cache/bench-encode', import.meta.url));

const HEADERS = {
  // Cross-origin isolation allows SharedArrayBuffer and a clock with a resolution of 5 µs.
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  // Some libraries generate code, and AG Grid writes style sheets.
  'Content-Security-Policy':
    "default-src 'self' 'unsafe-eval'; connect-src 'self' http://127.0.0.1:* ws://127.0.0.1:*; style-src 'self' 'unsafe-inline'; img-src data:",
};
/** Scripts of the pages, by page. */
const PAGES = {
  index: 'page/harness',
  encode: 'encode/harness',
  stream: 'stream/page',
  visit: 'second-visit/page',
  tables: 'tables/page',
  refetch: 'refetch/page',
  fetched: 'refetch/fetched-page',
  live: 'live/page',
};
const LOADERS = /** @type {const} */ ({ '.proto': 'text', '.bfbs': 'binary', '.avsc': 'json', '.bop': 'text', '.request': 'binary' });
/** Stands for the modules of Node that some libraries import. `buffer` is the npm package, as with bundlers. */
const NODE = Object.fromEntries(
  Object.entries({ util: 'util', stream: 'stream', crypto: 'empty', path: 'empty', fs: 'empty', zlib: 'empty' }).map(([name, file]) => [
    name,
    join(BENCH, `page/node/${file}.js`),
  ]),
);

/**
 * Builds the pages, with each contender bundled as in an application, and serves them with the built library and the payloads.
 *
 * @param {{ library: boolean, field?: boolean, encoders?: boolean }} needs `library`: builds the library if it is missing or
 *   older than its sources; `field`: adds the libraries of the bake-off; `encoders`: adds the encoding harness
 */
export async function serveBench({ library, field = false, encoders = false }) {
  if (library) await buildAll({ modes: ['lib'], onlyStale: true });
  const root = await mkdtemp(join(tmpdir(), 'unspool-bench-'));
  await Promise.all([
    bundlePages(join(root, 'bench'), field ? [...CONTENDERS, ...FIELD] : CONTENDERS, encoders),
    // Copied, so that a build during a run changes nothing.
    library && cp(DIST, join(root, 'dist'), { recursive: true }),
    ...Object.entries(PAGES).map(([name, script]) => writeFile(join(root, `${name}.html`), html(script))),
    library && bundleServiceWorker(join(root, 'second-visit-worker.js')),
  ]);
  const server = createServer({ root, headers: HEADERS });
  const url = await server.listen({ port: 0 });
  const strict = createServer({ root, headers: { ...HEADERS, 'Content-Security-Policy': "default-src 'self'; img-src data:" } });
  const strictUrl = await strict.listen({ port: 0 });
  return {
    url,
    /** The served folder. */
    root,
    /** The same pages under a policy that forbids code generation. */
    strictUrl,
    async close() {
      await Promise.all([server.close(), strict.close()]);
      await rm(root, { recursive: true });
    },
  };
}

/** @param {string} script */
const html = (script) => `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8" /><title>Unspool benchmark</title><link rel="icon" href="data:," /></head>
  <body><script type="module" src="/bench/${script}.js"></script></body>
</html>
`;

/** @param {string} name */
const entry = (name) => ({ in: `${name}.js`, out: name });

/**
 * Entry points of the contenders: each file is bundled into `folder` itself, where pages look for it by its id.
 *
 * @param {string} folder in `bench/`
 * @param {readonly { id: string }[]} contenders
 */
function contenderEntries(folder, contenders) {
  const files = readdirSync(`${BENCH}${folder}`, { recursive: true, encoding: 'utf8' }).map((file) => file.replaceAll('\\', '/'));
  return contenders.map(({ id }) => {
    const file = files.find((name) => basename(name) === `${id}.js`);
    if (file === undefined) throw new Error(`no file ${id}.js in bench/${folder}`);
    return { in: `${folder}/${file}`, out: `${folder}/${id}` };
  });
}

const encodeEntries = () => [entry('encode/harness'), ...contenderEntries('encode/contenders', ENCODING_FIELD)];

/** @type {import('esbuild').BuildOptions & { absWorkingDir: string }} */
const SHARED = {
  absWorkingDir: BENCH,
  outbase: BENCH,
  bundle: true,
  splitting: true,
  format: 'esm',
  logLevel: 'warning',
  loader: LOADERS,
  plugins: [generatedCode],
};

/**
 * @param {string} outdir
 * @param {readonly { id: string }[]} contenders
 * @param {boolean} encoders
 */
async function bundlePages(outdir, contenders, encoders) {
  const pages = [
    'page/harness',
    'page/message-worker',
    'stream/page',
    'second-visit/page',
    'tables/page',
    'refetch/page',
    'refetch/fetched-page',
    'live/page',
    'live/flood-worker',
    'live/batch-worker',
    'page/leftovers',
    'contenders/workers/clone-worker',
  ];
  await build({
    ...SHARED,
    entryPoints: [...pages.map(entry), ...contenderEntries('contenders', contenders), ...(encoders ? encodeEntries() : [])],
    outdir,
    minify: true,
    target: 'es2022',
    alias: NODE,
  });
}

/**
 * Bundles the encoding harness and its contenders for Node, which resolves the packages.
 *
 * @returns {Promise<string>} the URL of their folder
 */
export async function bundleForNode() {
  await build({ ...SHARED, entryPoints: encodeEntries(), outdir: FOR_NODE, packages: 'external', platform: 'node', target: 'node20' });
  await writeFile(`${FOR_NODE}/package.json`, '{ "type": "module" }\n');
  return pathToFileURL(`${FOR_NODE}/encode`).href;
}

/**
 * Bundles the service worker of second visits, with the library, into one file.
 *
 * @param {string} outfile
 */
async function bundleServiceWorker(outfile) {
  await build({
    entryPoints: [join(BENCH, 'second-visit/service-worker.js')],
    outfile,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    logLevel: 'warning',
    define: { 'process.env.NODE_ENV': '"production"' },
    // Without the tsconfig, `unspool` resolves to the built package instead of its sources.
    tsconfigRaw: {},
  });
}
