import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSync, Visitor } from 'vite';
import { staticImports } from './modules.mjs';
import { ROOT } from './run.mjs';

const DIST = join(ROOT, 'dist');
const EXTENSION = join(ROOT, 'dist-extension');
const WORKER_URL = 'new Worker(new URL("./worker.js", import.meta.url), { type: "module" })';

/**
 * Looks at the built library: no import of a package, and the worker's URL as bundlers know it, in a file that
 * lies beside the worker. Neither it nor the extension makes code from text.
 */
export function checkDist() {
  const scripts = scriptsIn(DIST);
  const problems = [...scripts, ...scriptsIn(EXTENSION)].filter(makesCode).map((file) => `${file} makes code from text`);
  problems.push(...scripts.flatMap((file) =>
    staticImports(file)
      .filter((specifier) => !specifier.startsWith('.'))
      .map((specifier) => `${file} imports ${specifier}, which a page without a bundler cannot find`),
  ));
  const starters = scripts.filter((file) => readFileSync(file, 'utf8').includes(WORKER_URL));
  if (starters.length !== 1 || dirname(starters[0] ?? '') !== DIST) {
    problems.push(`${WORKER_URL} is to be once, in a file beside worker.js; it is in ${starters.join(', ') || 'none'}`);
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
 * Whether a module has `eval(…)`, `Function(…)` or `new Function(…)`.
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
