import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { parseSync, Visitor } from 'vite';
import { ROOT } from '../run.mjs';

/** Folders whose code reads payloads, schemas, addresses or scripts of others. */
const FOLDERS = ['core', 'worker', 'main', 'devtools-extension', 'demo'];
/** Time for one expression, in milliseconds. One that takes longer to analyse is too intricate, and counts as unsafe. */
const TIMEOUT = 30_000;

/**
 * Expressions that are not analysed, each with the bound that makes it safe. `text` is the source of a literal, or of the
 * call that makes an expression of a text.
 *
 * @type {readonly { file: string, text: string, reason: string }[]}
 */
const EXCEPTIONS = [
  {
    file: 'core/sinks/json/values.ts',
    text: 'new RegExp(`"${marked}(-?\\\\d+)"`, \'g\')',
    reason: 'begins with a random text that the library has put before digits',
  },
  { file: 'core/reading/revive.ts', text: 'new RegExp(inner[0], inner[1] as string | undefined)', reason: 'is a value of a payload, and not run' },
  {
    file: 'devtools-extension/panel/requests/filter.ts',
    text: `new RegExp(pattern, 'i')`,
    reason: 'is typed by the user, and run on texts of at most MAX_MATCHED characters',
  },
  { file: 'devtools-extension/reading/search/search.ts', text: `new RegExp(text, 'iu')`, reason: 'is typed by the user, who can stop the search' },
  { file: 'devtools-extension/reading/search/search.ts', text: `new RegExp(text, 'i')`, reason: 'is typed by the user, who can stop the search' },
];

/**
 * A regular expression in the code. `pattern` is undefined if it is made of a text that is not constant.
 *
 * @typedef {{ line: number, text: string, pattern: string | undefined, flags: string }} Expression
 */

/**
 * Checks that the time of each regular expression grows linearly with its input: of literals, and of `RegExp` with texts
 * that are constants of their file. Prints those that are unsafe, with file and line.
 */
export function checkRegularExpressions() {
  const files = FOLDERS.flatMap((folder) => sourcesIn(join(ROOT, folder)));
  const found = files.flatMap((path) => {
    const file = relative(ROOT, path).replaceAll('\\', '/');
    return expressionsIn(file, readFileSync(path, 'utf8')).map((expression) => ({ file, ...expression }));
  });
  /** @param {typeof EXCEPTIONS[number] | typeof found[number]} one */
  const keyOf = ({ file, text }) => `${file} ${text}`;
  const excepted = new Set(EXCEPTIONS.map(keyOf));
  const problems = found
    .filter((one) => !excepted.has(keyOf(one)))
    .flatMap(({ file, line, text, pattern, flags }) => {
      const problem = pattern === undefined ? 'is made of a text that is not constant' : problemOf(pattern, flags);
      return problem === undefined ? [] : [`${file}:${line} ${text} ${problem}`];
    });
  const all = new Set(found.map(keyOf));
  for (const one of EXCEPTIONS) if (!all.has(keyOf(one))) problems.push(`${one.file} no longer has the exception ${one.text}`);
  for (const problem of problems) console.error(problem);
  return problems.length === 0;
}

/** @param {string} folder */
function sourcesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:ts|tsx|mjs)$/.test(entry.name) && !entry.name.endsWith('.d.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes('assembly'));
}

/**
 * Regular expressions in a file.
 *
 * @param {string} file
 * @param {string} text
 * @returns {Expression[]}
 */
export function expressionsIn(file, text) {
  const { program } = parseSync(file, text);
  /** @type {Map<string, any>} */
  const constants = new Map();
  /** @type {Expression[]} */
  const found = [];
  /** @param {any} node @param {string | undefined} pattern @param {string | undefined} flags */
  const add = ({ start, end }, pattern, flags) => {
    found.push({ line: text.slice(0, start).split('\n').length, text: text.slice(start, end), pattern, flags: flags ?? '' });
  };
  /** @param {any} node */
  const call = (node) => {
    if (node.callee.name === 'RegExp') add(node, textOf(node.arguments[0], constants), textOf(node.arguments[1], constants));
  };
  new Visitor({
    VariableDeclaration({ kind, declarations }) {
      if (kind === 'const') for (const { id, init } of declarations) if ('name' in id) constants.set(id.name, init);
    },
    Literal: (node) => void ('regex' in node && add(node, node.regex.pattern, node.regex.flags)),
    NewExpression: call,
    CallExpression: call,
  }).visit(program);
  return found;
}

/**
 * Text of a constant expression: a literal, a template, or the name of one in the same file.
 *
 * @param {any} node
 * @param {ReadonlyMap<string, any>} constants
 * @returns {string | undefined}
 */
function textOf(node, constants) {
  if (node?.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
  if (node?.type === 'Identifier') return textOf(constants.get(node.name), constants);
  const isRaw = node?.type === 'TaggedTemplateExpression' && node.tag.object?.name === 'String' && node.tag.property?.name === 'raw';
  const template = isRaw ? node.quasi : node;
  if (template?.type !== 'TemplateLiteral') return undefined;
  const parts = template.expressions.map((/** @type {any} */ part) => textOf(part, constants));
  if (parts.includes(undefined)) return undefined;
  return template.quasis
    .map((/** @type {any} */ { value }, /** @type {number} */ at) => (isRaw ? value.raw : value.cooked) + (parts[at] ?? ''))
    .join('');
}

/**
 * The reason why an expression is unsafe; undefined if it is safe. One without an unbounded repeat is, as it looks at a
 * bounded number of characters from each position.
 *
 * @param {string} pattern
 * @param {string} flags
 * @returns {string | undefined}
 */
export function problemOf(pattern, flags) {
  const signs = pattern.replaceAll(/\\[^]/g, 'x').replaceAll(/\[[^\]]*\]/g, 'x');
  if (!/[*+]|\{\d+,\}/.test(signs)) return undefined;
  const { status, complexity, attack, error } = recheck()(pattern, flags, { timeout: TIMEOUT, incubationTimeout: null, attackTimeout: null });
  if (status === 'safe') return undefined;
  if (status === 'vulnerable') return `is slow: ${complexity.summary}, for example on ${attack.pattern}`;
  return `cannot be analysed (${error.kind}): write it in simpler parts`;
}

/**
 * The analysis, loaded when it is needed.
 *
 * @returns {(pattern: string, flags: string, options: object) => any}
 */
function recheck() {
  return createRequire(import.meta.url)('recheck').checkSync;
}
