#!/usr/bin/env node
/**
 * Builds everything: the library and its types into dist/, the demo into dist-demo/.
 *
 *   node scripts/build.mjs              all of it
 *   node scripts/build.mjs lib          the targets named
 *   node scripts/build.mjs --stale      the targets that have a source newer than their output
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build as viteBuild } from 'vite';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const configuration = ['vite.config.ts', 'package.json', 'package-lock.json', 'scripts/build.mjs', 'tsconfig.base.json'];

/**
 * The targets, in the order in which they are built. `made` is the file that is written last.
 *
 * @typedef {{ mode: string, from: string[], made: string, after?: () => void }} Target
 * @type {readonly Target[]}
 */
const TARGETS = [
  { mode: 'lib', from: ['main', 'worker'], made: 'dist/types/main/index.d.ts', after: buildTypes },
  { mode: 'demo', from: ['demo', 'main', 'worker'], made: 'dist-demo/index.html' },
];

/**
 * @param {{ modes?: readonly string[], onlyStale?: boolean }} [options] the modes to build, otherwise all; with
 *   `onlyStale`, only those that have a source newer than their output
 */
export async function build({ modes = [], onlyStale = false } = {}) {
  for (const target of TARGETS) {
    if (modes.length > 0 && !modes.includes(target.mode)) continue;
    if (onlyStale && !isStale(target)) continue;
    // oxlint-disable-next-line no-await-in-loop -- the demo is built from the library
    await viteBuild({ root, configFile: join(root, 'vite.config.ts'), mode: target.mode, logLevel: 'warn' });
    target.after?.();
  }
}

/**
 * The declarations, beside the code they describe: what `main` declares, and what of `worker` it refers to. They name
 * each other as `.js`, which every version of TypeScript resolves.
 */
function buildTypes() {
  const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
  for (const project of ['main', 'worker']) {
    const options = ['--noEmit', 'false', '--emitDeclarationOnly', '--declaration', '--rootDir', '.'];
    const output = ['--outDir', 'dist/types', '--tsBuildInfoFile', 'null', '--incremental', 'false'];
    const run = spawnSync(process.execPath, [compiler, '-p', project, ...options, ...output], {
      cwd: root,
      stdio: 'inherit',
    });
    if (run.status !== 0) throw new Error(`The types of ${project}/ cannot be built`);
  }
  for (const file of filesUnder('dist/types')) {
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replaceAll(/((?:from|import) ?\(?['"]\.{1,2}\/[^'"]*)\.tsx?(['"])/g, '$1.js$2'));
  }
}

/** @param {Target} target */
function isStale({ from, made }) {
  const output = join(root, made);
  if (!existsSync(output)) return true;
  const sources = [...from.flatMap(filesUnder), ...configuration.map((path) => join(root, path))];
  const newest = Math.max(...sources.filter(existsSync).map((file) => statSync(file).mtimeMs));
  return newest > statSync(output).mtimeMs;
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function filesUnder(folder) {
  const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const modes = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
  const unknown = modes.find((mode) => !TARGETS.some((target) => target.mode === mode));
  if (unknown !== undefined) {
    console.error(`There is no target "${unknown}"; there are ${TARGETS.map(({ mode }) => mode).join(', ')}.`);
    process.exit(2);
  }
  await build({ modes, onlyStale: process.argv.includes('--stale') });
}
