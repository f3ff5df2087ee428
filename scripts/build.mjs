#!/usr/bin/env node
/**
 * Builds everything: the library and its types into dist/, the demo into dist-demo/.
 *
 *   node scripts/build.mjs              all of it
 *   node scripts/build.mjs lib          the targets named
 *   node scripts/build.mjs --stale      the targets that have a source newer than their output
 */
import { existsSync, readFileSync, readdirSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build as viteBuild } from 'vite';
import { ROOT as root, runPackage } from './run.mjs';

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
    await viteBuild({ configFile: join(root, 'vite.config.ts'), mode: target.mode, logLevel: 'warn' });
    target.after?.();
  }
}

/**
 * The declarations that the package's entries refer to. They name each other as `.js`, which every version of TypeScript
 * resolves.
 */
function buildTypes() {
  const folder = join(root, 'dist/types');
  rmSync(folder, { recursive: true, force: true });
  const emit = ['--noEmit', 'false', '--emitDeclarationOnly', '--declaration', '--rootDir', '.', '--outDir', folder];
  // Types are checked by `npm run types`, in all projects.
  emit.push('--noCheck');
  for (const project of ['main', 'worker']) {
    const options = ['-p', project, ...emit, '--tsBuildInfoFile', 'null', '--incremental', 'false'];
    if (runPackage('typescript', options, { program: 'tsc' }) !== 0) throw new Error(`The types of ${project}/ cannot be built`);
  }
  const used = new Set();
  for (const entry of ['main/index', 'main/inline', 'worker/entry']) useDeclaration(join(folder, `${entry}.d.ts`), used);
  for (const file of filesUnder(folder)) if (!used.has(file)) rmSync(file);
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort().reverse()) {
    const path = join(folder, name);
    if (statSync(path).isDirectory() && readdirSync(path).length === 0) rmdirSync(path);
  }
}

/**
 * @param {string} file
 * @param {Set<string>} used
 */
function useDeclaration(file, used) {
  if (used.has(file)) return;
  used.add(file);
  const specifier = /((?:\bfrom|\bimport) ?\(?['"])(\.{1,2}\/[^'"]*?)\.(?:js|tsx?)(['"])/g;
  const text = readFileSync(file, 'utf8').replaceAll(specifier, '$1$2.js$3');
  writeFileSync(file, text);
  for (const [, , path] of text.matchAll(specifier)) useDeclaration(join(dirname(file), `${path}.d.ts`), used);
}

/** @param {Target} target */
function isStale({ from, made }) {
  const output = join(root, made);
  if (!existsSync(output)) return true;
  const sources = [...from.flatMap((folder) => filesUnder(join(root, folder))), ...configuration.map((path) => join(root, path))];
  const newest = Math.max(...sources.filter(existsSync).map((file) => statSync(file).mtimeMs));
  return newest > statSync(output).mtimeMs;
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function filesUnder(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
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
