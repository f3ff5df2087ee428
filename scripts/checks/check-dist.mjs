import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'vite';
import { staticImports } from '../build/modules.mjs';
import { ROOT } from '../run.mjs';

const DIST = join(ROOT, 'dist');
const EXTENSION = join(ROOT, 'dist-extension');
/** Expressions by which bundlers recognise a file of the application. */
const WORKER_URL = 'new Worker(new URL("./worker.js", import.meta.url), { type: "module" })';
const FILE_URL = /new URL\("\.\/([^"]+)", import\.meta\.url\)/g;
/** Vite inlines smaller files into the script that names them, which strict policies forbid. */
const MIN_FILE = 4_096;

/**
 * Checks the built library: no code is made from text; no package is imported; the entry names the worker and the files
 * it loads by URLs that bundlers recognise; and these files import nothing, so that a bundler may move them.
 */
export function checkDist() {
  const scripts = scriptsIn(DIST);
  const problems = [...scripts, ...scriptsIn(EXTENSION)].filter(makesCode).map((file) => `${file} makes code from text`);
  problems.push(
    ...scripts.flatMap((file) =>
      staticImports(file)
        .filter((specifier) => !specifier.startsWith('.'))
        .map((specifier) => `${file} imports ${specifier}, which a page without a bundler cannot find`),
    ),
  );
  const entry = readFileSync(join(DIST, 'index.js'), 'utf8');
  if (!entry.includes(WORKER_URL)) problems.push(`index.js does not start the worker by ${WORKER_URL}`);
  const named = [...entry.matchAll(FILE_URL)].map(([, path]) => /** @type {string} */ (path));
  if (named.length < 2) problems.push('index.js names no file for the worker to load');
  for (const path of named) {
    const file = join(DIST, path);
    if (staticImports(file).length > 0) problems.push(`${file} imports other files, but must be self-contained`);
    if (statSync(file).size < MIN_FILE) problems.push(`${file} is so small that Vite would inline it`);
  }
  for (const problem of problems) console.error(problem);
  return problems.length === 0;
}

/** @param {string} folder */
function scriptsIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.js'))
    .map((entry) => join(entry.parentPath, entry.name));
}

/**
 * True if a module contains `eval(…)`, `Function(…)` or `new Function(…)`.
 *
 * @param {string} file
 */
function makesCode(file) {
  let makes = false;
  /** @param {{ callee: object }} call */
  const look = ({ callee }) => {
    makes ||= 'name' in callee && (callee.name === 'eval' || callee.name === 'Function');
  };
  new Visitor({ CallExpression: look, NewExpression: look }).visit(parseSync(file, readFileSync(file, 'utf8')).program);
  return makes;
}
