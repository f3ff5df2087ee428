#!/usr/bin/env node
/**
 * Builds everything: the library and its types into dist/, the demo into dist-demo/, and the DevTools panel into
 * dist-extension/ and two zip files.
 *
 *   node scripts/build.mjs              builds all targets
 *   node scripts/build.mjs lib          builds the given targets
 *   node scripts/build.mjs --stale      builds the targets with a source newer than their output
 */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build as viteBuild } from 'vite';
import { copyTypes, emitTypes } from './build/build-types.mjs';
import { writeFormats } from './generate/formats.mjs';
import { buildKernels } from './generate/kernels.mjs';
import { buildLibrary } from './build/library.mjs';
import { ROOT } from './run.mjs';
import { writeUnrolled } from './generate/unrolled.mjs';
import { zipExtension } from './release/zip-extension.mjs';

/** Changes to these files make every output stale. */
const CONFIGURATION = ['vite.config.ts', 'scripts/build/library.mjs', 'package-lock.json', 'tsconfig.base.json'];
/** Source folders of the demo, which uses the library and shows the panel. */
const DEMO = ['demo', 'core', 'main', 'worker', 'devtools-extension'];

/**
 * The targets, in build order. `made` is the file written last; `make` builds the target if `vite.config.ts` does not.
 *
 * @typedef {{ mode: string, from: string[], made: string, make?: () => Promise<void>, after?: () => void }} Target
 * @type {readonly Target[]}
 */
const TARGETS = [
  { mode: 'lib', from: ['core', 'main', 'worker'], made: 'dist/types/main/index.d.ts', make: makeLibrary },
  { mode: 'demo', from: DEMO, made: 'dist-demo/index.html' },
  { mode: 'demo-service-worker', from: DEMO, made: 'dist-demo/service-worker.js' },
  { mode: 'extension', from: ['devtools-extension', 'core', 'main', 'worker'], made: 'dist-extension-firefox.xpi', after: zipExtension },
];

/**
 * @param {{ modes?: readonly string[], onlyStale?: boolean }} [options] the modes to build, all by default; with
 *   `onlyStale`, only those with a source newer than their output
 */
export async function build({ modes = [], onlyStale = false } = {}) {
  if (!onlyStale) {
    writeUnrolled();
    await writeFormats();
    await buildKernels();
  }
  for (const target of TARGETS) {
    if (modes.length > 0 && !modes.includes(target.mode)) continue;
    if (onlyStale && !isStale(target)) continue;
    await (target.make?.() ?? viteBuild({ configFile: join(ROOT, 'vite.config.ts'), mode: target.mode, logLevel: 'warn' }));
    target.after?.();
  }
}

async function makeLibrary() {
  await Promise.all([buildLibrary(), emitTypes()]);
  copyTypes();
}

/** @param {Target} target */
function isStale({ from, made }) {
  const output = join(ROOT, made);
  if (!existsSync(output)) return true;
  const sources = from.flatMap((folder) => filesUnder(join(ROOT, folder)));
  const settings = CONFIGURATION.map((path) => join(ROOT, path));
  const newest = Math.max(...[...sources, ...settings].map((file) => statSync(file).mtimeMs));
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
    console.error(`Unknown target "${unknown}". Targets: ${TARGETS.map(({ mode }) => mode).join(', ')}.`);
    process.exit(2);
  }
  await build({ modes, onlyStale: process.argv.includes('--stale') });
}
