// Builds the application that loads its data: by Vite with the packed library, and with the files of `dist/` unbundled.
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build as bundle } from 'esbuild';
import { build } from 'vite';
import { build as buildAll } from '../../scripts/build.mjs';
import { ROOT } from '../../scripts/run.mjs';
import { isOurs, VISITORS } from './cases.mjs';

const BENCH = fileURLToPath(new URL('..', import.meta.url));
const PROTO = join(ROOT, 'demo/server/schemas/trips.proto');
/** Libraries of the other pages. */
const LIBRARIES = ['comlink', 'msgpackr'];
/** Folder of the library's files in unbundled pages. */
export const LIBRARY = 'unspool';

const run = promisify(execFile);

/**
 * @param {string} folder empty
 * @returns {Promise<Record<string, string>>} the folder of each build, which contains a folder with an `index.html` for each page
 */
export async function buildPages(folder) {
  await buildAll({ modes: ['lib'], onlyStale: true });
  const application = join(folder, 'application');
  await makeApplication(application);
  const pages = [...new Set(VISITORS.map(({ page }) => page))];
  const vite = join(folder, 'vite');
  for (const page of pages) await buildWithVite(application, page, join(vite, page));
  const bare = join(folder, 'bare');
  // Only pages with this library have an unbundled form.
  for (const page of pages) if (isOurs({ page })) await buildBare(application, page, join(bare, page));
  return { vite, bare };
}

/** @param {string} application */
async function makeApplication(application) {
  await mkdir(join(application, 'src/cold'), { recursive: true });
  await writeFile(join(application, 'package.json'), JSON.stringify({ name: 'application', private: true, type: 'module' }));
  const { stdout } = await npm(ROOT, 'pack', '--json', '--ignore-scripts', '--pack-destination', application);
  const [{ filename }] = JSON.parse(stdout);
  await npm(application, 'install', '--offline', '--no-audit', '--no-fund', '--no-package-lock', `./${filename}`);
  for (const name of LIBRARIES) await symlink(join(ROOT, 'node_modules', name), join(application, 'node_modules', name), 'junction');
  await cp(join(BENCH, 'cold/app'), join(application, 'src/cold/app'), { recursive: true });
  await cp(join(BENCH, 'page'), join(application, 'src/page'), { recursive: true });
  const schema = { proto: await readFile(PROTO, 'utf8'), message: 'unspool.demo.Trips' };
  const schemas = join(application, 'node_modules/trips-schema');
  await mkdir(schemas);
  await writeFile(join(schemas, 'package.json'), JSON.stringify({ name: 'trips-schema', type: 'module', exports: './index.js' }));
  await writeFile(join(schemas, 'index.js'), `export const trips = ${JSON.stringify(schema)};\n`);
}

/**
 * Builds each page as a separate application, so that Vite splits no shared code off.
 *
 * @param {string} application @param {string} page @param {string} out
 */
async function buildWithVite(application, page, out) {
  await writeFile(join(application, 'index.html'), html(`/src/cold/app/${page}.js`));
  await build({ configFile: false, root: application, base: './', logLevel: 'error', build: { outDir: out, emptyOutDir: true } });
}

/**
 * Copies the library's files, and bundles the page's own script.
 *
 * @param {string} application @param {string} page @param {string} out
 */
async function buildBare(application, page, out) {
  await bundle({
    absWorkingDir: join(application, 'src/cold/app'),
    entryPoints: [`${page}.js`],
    outfile: join(out, 'page.js'),
    bundle: true,
    minify: true,
    format: 'esm',
    external: ['unspool', 'unspool/*'],
    logLevel: 'warning',
  });
  await cp(join(application, 'node_modules/unspool/dist'), join(out, LIBRARY), { recursive: true });
  const imports = `<script type="importmap">{"imports":{"unspool":"./${LIBRARY}/index.js","unspool/formats/messagepack":"./${LIBRARY}/formats/messagepack.js"}}</script>`;
  await writeFile(join(out, 'index.html'), html('./page.js', imports));
}

/** @param {string} script @param {string} [head] */
function html(script, head = '') {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A first visit</title><link rel="icon" href="data:,">${head}<script type="module" src="${script}"></script></head><body></body></html>`;
}

/** @param {string} cwd @param {string[]} args */
function npm(cwd, ...args) {
  const { npm_execpath: path } = process.env;
  // Runs the npm that runs this script, or else the one on the path, which on Windows is a script.
  if (path?.endsWith('npm-cli.js')) return run(process.execPath, [path, ...args], { cwd });
  return run('npm', args, { cwd, shell: process.platform === 'win32' });
}
