import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import * as esbuild from 'esbuild';
import { rolldown } from 'rolldown';
import { rollup } from 'rollup';
import * as vite from 'vite';
import webpack from 'webpack';

/** Pages of the application, by the way to find the worker. */
export const PAGES = ['beside', 'named', 'inline'] as const;

/** Also a page that writes rows, and pages that decode one payload. */
export type Page = (typeof PAGES)[number] | 'rows' | 'first' | 'first-inline' | 'first-bundled' | 'core';

/** Builds pages of an application into a folder. */
export type Build = (application: string, out: string, pages?: readonly Page[]) => Promise<void>;

const entriesOf = (pages: readonly Page[]): Record<string, string> => Object.fromEntries(pages.map((page) => [page, `./src/${page}.js`]));

/** Entries for bundlers that do not process URLs: adds the worker. */
const withWorker = (pages: readonly Page[]): Record<string, string> => ({
  ...entriesOf(pages),
  ...(pages.includes('named') && { 'workers/unspool': 'unspool/worker' }),
  ...(pages.includes('core') && { 'core-worker': './src/core-worker.js' }),
});

/** Copies the files that the library loads relative to its script, for the same bundlers. `unspool/core` loads none. */
async function copyFiles(application: string, out: string, pages: readonly Page[]): Promise<void> {
  if (pages.every((page) => page === 'core')) return;
  for (const name of ['worker.js', 'zstd.js', 'formats', 'rows-writer.js', 'socket-worker.js', 'encoders']) {
    await cp(join(packageFiles(application), name), join(out, name), { recursive: true });
  }
}

export const buildWithVite: Build = async (application, out, pages = PAGES) => {
  await writePages(application, pages, (page) => `./src/${page}.js`);
  await vite.build({
    configFile: false,
    root: application,
    logLevel: 'warn',
    build: {
      outDir: out,
      emptyOutDir: true,
      rolldownOptions: { input: pages.map((page) => join(application, `${page}.html`)) },
    },
  });
};

/** Starts Vite's development server. */
export async function serveWithVite(application: string): Promise<{ url: string; close: () => Promise<void> }> {
  await writePages(application, PAGES, (page) => `./src/${page}.js`);
  const server = await vite.createServer({
    configFile: false,
    root: application,
    logLevel: 'warn',
    server: { host: '127.0.0.1', port: 0 },
  });
  await server.listen();
  return { url: server.resolvedUrls!.local[0]!, close: () => server.close() };
}

export const buildWithWebpack: Build = async (application, out, pages = PAGES) => {
  const compiler = webpack({
    mode: 'production',
    context: application,
    entry: entriesOf(pages),
    // The library is already minified.
    optimization: { minimize: false },
    // The inlined worker contains every format.
    performance: { hints: false },
    // Without `trustedTypes`, webpack's chunk loader violates the policy.
    output: { path: out, filename: '[name].js', trustedTypes: true },
  });
  await new Promise<void>((resolve, reject) => {
    compiler.run((error, stats) => {
      if (error) reject(error);
      else if (!stats || stats.hasErrors() || stats.hasWarnings()) reject(new Error(stats?.toString()));
      else resolve();
    });
  });
  await new Promise((resolve) => compiler.close(resolve));
  await writePages(out, pages);
};

export const buildWithRollup: Build = async (application, out, pages = PAGES) => {
  const { resolve } = createRequire(join(application, 'package.json'));
  const bundle = await rollup({
    input: withWorker(pages),
    // Rollup does not resolve packages without a plugin.
    plugins: [
      {
        name: 'resolve-from-application',
        // The page's entry, where Node resolves its own.
        resolveId: (source, importer) =>
          importer === undefined || source.startsWith('unspool') ? resolve(source).replace(/\bnode\.js$/, 'index.js') : undefined,
      },
    ],
    onLog: (_level, log) => {
      throw new Error(log.message);
    },
  });
  await bundle.write({ dir: out, format: 'es' });
  await bundle.close();
  await copyFiles(application, out, pages);
  await writePages(out, pages);
};

export const buildWithRolldown: Build = async (application, out, pages = PAGES) => {
  const bundle = await rolldown({
    cwd: application,
    input: withWorker(pages),
    onLog: (_level, log) => {
      throw new Error(log.message);
    },
  });
  await bundle.write({ dir: out, format: 'es' });
  await bundle.close();
  await copyFiles(application, out, pages);
  await writePages(out, pages);
};

export const buildWithEsbuild: Build = async (application, out, pages = PAGES) => {
  const { warnings } = await esbuild.build({
    absWorkingDir: application,
    entryPoints: withWorker(pages),
    outdir: out,
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    logLevel: 'silent',
  });
  if (warnings.length > 0) throw new Error(warnings.map(({ text }) => text).join('\n'));
  await copyFiles(application, out, pages);
  await writePages(out, pages);
};

/** Needs Parcel in the application's folder. */
export const buildWithParcel: Build = async (application, out, pages = ['beside', 'inline']) => {
  await writePages(application, pages, (page) => `./src/${page}.js`);
  const { resolve } = createRequire(join(application, 'package.json'));
  // Omits `named` by default, whose worker Parcel would try to resolve.
  const entries = pages.map((page) => `${page}.html`);
  const options = ['--dist-dir', out, '--public-url', './', '--no-cache', '--no-autoinstall', '--no-source-maps', '--log-level', 'warn'];
  const parcel = join(dirname(resolve('parcel/package.json')), 'lib/bin.js');
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [parcel, 'build', ...entries, ...options], { cwd: application });
  if (stdout + stderr) throw new Error(stdout + stderr);
};

/** Copies the sources and the package, and replaces imports of the package by addresses. */
export const buildWithNothing: Build = async (application, out, pages = PAGES) => {
  await cp(packageFiles(application), join(out, 'unspool'), { recursive: true });
  await buildWithAddress(application, out, './unspool/', pages);
};

/** Folder of the application's package. */
export function packageFiles(application: string): string {
  return dirname(createRequire(join(application, 'package.json')).resolve('unspool'));
}

/** Copies the sources and replaces imports of the package by addresses below `base`. */
export async function buildWithAddress(application: string, out: string, base: string, pages: readonly Page[] = PAGES): Promise<void> {
  await cp(join(application, 'src'), out, { recursive: true });
  const { resolve } = createRequire(join(application, 'package.json'));
  const files = packageFiles(application);
  // The page's entry, where Node resolves its own.
  const fileOf = (name: string): string => (name === 'unspool' ? 'index.js' : relative(files, resolve(name)));
  const address = (_: string, name: string): string => `'${base}${fileOf(name)}'`;
  for (const name of [...pages, ...(pages.includes('core') ? ['core-worker'] : [])]) {
    const file = join(out, `${name}.js`);
    await writeFile(file, (await readFile(file, 'utf8')).replace(/'(unspool(?:\/[^']*)?)'/g, address));
  }
  await writePages(out, pages);
}

async function writePages(folder: string, pages: readonly Page[], script = (page: Page): string => `./${page}.js`): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const page of pages) {
    const html = `<!doctype html><title>${page}</title><script type="module" src="${script(page)}"></script>`;
    await writeFile(join(folder, `${page}.html`), html);
  }
}
