import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { programOf, ROOT } from '../run.mjs';

const EMITTED = join(ROOT, 'node_modules/.cache/types');
const OUTPUT = join(ROOT, 'dist/types');
const ENTRIES = [
  'main/index.d.ts',
  'main/core.d.ts',
  'main/inline.d.ts',
  'main/service-worker/index.d.ts',
  'main/service-worker/page.d.ts',
  'main/validate.d.ts',
  'main/changes.d.ts',
  'main/json-schema.d.ts',
  'main/registry.d.ts',
  'main/socket.d.ts',
  'main/sync.d.ts',
  'main/partial.d.ts',
  'main/encode.d.ts',
  'main/server.d.ts',
  'main/node.d.ts',
  'worker/entry.d.ts',
  'worker/core-entry.d.ts',
];
/**
 * Matches `from './x.ts'`, `import('./x.js')` and similar: the part before the extension, the path, the part after it.
 */
const SPECIFIER = /((?:\bfrom|\bimport) ?\(?['"])(\.{1,2}\/[^'"]*?)\.(?:js|tsx?)(['"])/g;

/** Writes the declarations of all sources into a cache. Types are not checked here; `npm run types` checks all projects. */
export async function emitTypes() {
  rmSync(EMITTED, { recursive: true, force: true });
  for (const project of ['core', 'worker', 'main']) {
    const what = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--stripInternal', '--noCheck'];
    const where = ['--rootDir', '.', '--outDir', EMITTED, '--tsBuildInfoFile', 'null', '--incremental', 'false'];
    const tsc = spawn(process.execPath, [programOf('typescript', 'tsc'), '-p', project, ...what, ...where], { cwd: ROOT, stdio: 'inherit' });
    const [status] = await once(tsc, 'exit');
    if (status !== 0) throw new Error(`Building the types of ${project}/ failed`);
  }
}

/**
 * Copies the declarations that the package's entries use into dist/types, for the formats that have been built. They refer to each other
 * as `.js`, which every version of TypeScript resolves. What is marked `@internal` is left out.
 */
export function copyTypes() {
  rmSync(OUTPUT, { recursive: true, force: true });
  const kept = new Set();
  for (const entry of [...ENTRIES, ...formats()]) keep(entry, kept);
}

/** Declarations of the format modules, `unspool/formats/*` and `unspool/encoders/*`. */
function formats() {
  const built = (/** @type {string} */ folder) => readdirSync(join(OUTPUT, '..', folder)).filter((name) => name.endsWith('.js'));
  return [
    ...built('formats').map((name) => `core/formats/${name.replace(/\.js$/, '/index.d.ts')}`),
    ...built('encoders').map((name) => `core/formats/${name.replace(/\.js$/, '/writer.d.ts')}`),
  ];
}

/**
 * @param {string} file
 * @param {Set<string>} kept
 */
function keep(file, kept) {
  if (kept.has(file)) return;
  kept.add(file);
  const text = readFileSync(join(EMITTED, file), 'utf8');
  mkdirSync(dirname(join(OUTPUT, file)), { recursive: true });
  writeFileSync(join(OUTPUT, file), text.replaceAll(SPECIFIER, '$1$2.js$3'));
  for (const [, , path] of text.matchAll(SPECIFIER)) keep(join(dirname(file), `${path}.d.ts`), kept);
}
