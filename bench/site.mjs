import { contenderEntries } from './contender-files.mjs';
import { build } from 'esbuild';
import { copyFile, cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createServer } from '../demo/server/index.mjs';
import { build as buildAll } from '../scripts/build.mjs';
import { CONTENDERS } from './contenders/index.js';
import { FIELD } from './contenders/field.js';
import { ENCODE_ENTRIES, LOADERS } from './encode/site.mjs';

const BENCH = fileURLToPath(new URL('.', import.meta.url));
const DIST = fileURLToPath(new URL('../dist', import.meta.url));

const HEADERS = {
  // Cross-origin isolation: SharedArrayBuffer for the messages, and a clock of 5 µs.
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  // Libraries that generate code may.
  'Content-Security-Policy': "default-src 'self' 'unsafe-eval'; connect-src 'self' http://127.0.0.1:*; img-src data:",
};

/**
 * Builds the pages, with each contender bundled as an application would bundle it, and serves them with the built library
 * and the payloads.
 *
 * @param {{ library: boolean, field?: boolean, encoders?: boolean }} needs whether the library is needed, which is built if it
 *   is not there or older than its sources; the libraries of the bake-off; and what encodes
 */
export async function serveBench({ library, field = false, encoders = false }) {
  if (library) await buildAll({ modes: ['lib'], onlyStale: true });
  const root = await mkdtemp(join(tmpdir(), 'unspool-bench-'));
  await Promise.all([
    bundle(join(root, 'bench'), field ? [...CONTENDERS, ...FIELD] : CONTENDERS, encoders ? ENCODE_ENTRIES : []),
    // A copy, so that a build in the middle of a run changes nothing.
    library && cp(DIST, join(root, 'dist'), { recursive: true }),
    copyFile(join(BENCH, 'page/index.html'), join(root, 'index.html')),
    copyFile(join(BENCH, 'encode/encode.html'), join(root, 'encode.html')),
    copyFile(join(BENCH, 'stream/stream.html'), join(root, 'stream.html')),
    copyFile(join(BENCH, 'second-visit/visit.html'), join(root, 'visit.html')),
    library && bundleServiceWorker(join(root, 'second-visit-worker.js')),
  ]);
  const server = createServer({ root, headers: HEADERS });
  const url = await server.listen({ port: 0 });
  const strict = createServer({ root, headers: { ...HEADERS, 'Content-Security-Policy': "default-src 'self'; img-src data:" } });
  const strictUrl = await strict.listen({ port: 0 });
  return {
    url,
    /** The folder that is served. */
    root,
    /** The same pages, which may make no code from text. */
    strictUrl,
    async close() {
      await Promise.all([server.close(), strict.close()]);
      await rm(root, { recursive: true });
    },
  };
}

/** What libraries that were written for Node ask of it. `buffer` is the package that bundlers put in its place. */
const NODE = Object.fromEntries(['util', 'crypto', 'path', 'fs', 'zlib', 'stream'].map((name) => [name, join(BENCH, `page/node/${name}.js`)]));

/** An entry that is built where it lies. */
const entry = (/** @type {string} */ name) => ({ in: `${name}.js`, out: name });

/**
 * @param {string} outdir
 * @param {readonly import('./contenders/contender.js').Contender[]} contenders
 * @param {readonly { in: string, out: string }[]} others entries
 */
async function bundle(outdir, contenders, others) {
  await build({
    entryPoints: [
      ...['page/harness', 'page/message-worker', 'stream/page', 'second-visit/page', 'page/leftovers', 'contenders/workers/clone-worker'].map(entry),
      ...contenderEntries('contenders', contenders),
      ...others,
    ],
    absWorkingDir: BENCH,
    outbase: BENCH,
    outdir,
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    logLevel: 'warning',
    alias: NODE,
    loader: LOADERS,
  });
}

/**
 * A service worker is one file, with the library in it.
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
    // The package as it was built, and not its sources, where the types are.
    tsconfigRaw: {},
  });
}
