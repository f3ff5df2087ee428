import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseSync, Visitor } from 'vite';
import { ROOT } from '../run.mjs';

/** Folders whose errors users see. */
const FOLDERS = ['core', 'worker', 'main', 'devtools-extension'];

/** Functions and methods that are given the text of an error. */
const RAISES = /^(?:fail|refuse|exceed|malformed|reject)$/;

/** Verbs and participles of errors. A text without one is a noun that its reader has to complete. */
const VERBS = new RegExp(
  String.raw`\b(?:${[
    'is|are|was|were|has|have|had|must|cannot|can|could|may|does|do|did|not',
    'accepts|allows|answered|appears|arrived|asks|began|begins?|belongs|broke|call|changed?|changes|closed|contains?|continues|count|declares|decode|defines|depends|differs?|ends?|ended|exceed(?:s|ed)?|excludes?|expected|extends?|failed|fails|fits?|follows|found|gave|gives?|goes|got|holds?|ignored|includes|keeps?|knows|known|lacks?|leads?|leaves|lies|loaded|makes|matches|means|missing|name|names|needs?|occurs?|overlaps?|pass|precedes|ran|reads?|received|refers?|references|refused|repeats|request|required?|requires|returned|says|sent|set|settled|shares?|shows|stands|started|starts|stopped|supported|supports|takes?|threw|timed|took|uses?|writes?|written',
    'ambiguous|duplicate|incomplete|invalid|nested|out of range|truncated|unclosed|unexpected|unknown|unsupported|unterminated|unused',
  ].join('|')})\b`,
  'i',
);

/**
 * Texts that are no sentences, each with the reason. A file stands for all texts in it.
 *
 * @type {readonly { file: string, text?: string, reason: string }[]}
 */
const EXCEPTIONS = [
  { file: 'core/previous/grammars/grammar.ts', text: 'compare all', reason: 'is caught by the library' },
  { file: 'core/formats/bebop/schema/text-schema.ts', reason: 'its texts name what was expected, in a sentence that begins with that' },
];

/**
 * Checks that each text that is given to an error is a sentence, or begins one: it has a verb. Prints those that have none, with file
 * and line.
 */
export function checkErrorSentences() {
  const found = FOLDERS.flatMap((folder) => sourcesIn(join(ROOT, folder))).flatMap((path) => {
    const file = relative(ROOT, path).replaceAll('\\', '/');
    return textsOfErrors(file, readFileSync(path, 'utf8')).map((one) => ({ file, ...one }));
  });
  const isExcepted = (/** @type {{ file: string, text: string }} */ one) =>
    EXCEPTIONS.some(({ file, text }) => file === one.file && (text === undefined || text === one.text));
  const problems = found.filter((one) => !VERBS.test(one.text) && !isExcepted(one));
  for (const { file, line, text } of problems) console.error(`${file}:${line} the error has no verb: ${text}`);
  for (const { file, text } of EXCEPTIONS) {
    if (found.some((one) => one.file === file && (text === undefined || one.text === text))) continue;
    console.error(`${file} no longer has the exception ${text ?? ''}`);
    return false;
  }
  return problems.length === 0;
}

/** @param {string} folder */
function sourcesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.endsWith('.d.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes('assembly'));
}

/**
 * The texts of several words that a file gives to errors. In templates, `…` stands for values.
 *
 * @param {string} file
 * @param {string} text
 * @returns {{ line: number, text: string }[]}
 */
export function textsOfErrors(file, text) {
  const { program } = parseSync(file, text);
  /** @type {{ line: number, text: string }[]} */
  const found = [];
  /** @param {any} node */
  const take = (node) => {
    const first = [node.arguments[0], node.arguments[1]].flatMap(literalsOf).filter((one) => one.text.includes(' '));
    for (const { start, text: literal } of first) found.push({ line: text.slice(0, start).split('\n').length, text: literal });
  };
  new Visitor({
    NewExpression: (node) => void (/(?:Error|Problem)$/.test(/** @type {any} */ (node.callee).name ?? '') && take(node)),
    CallExpression: (node) => {
      const { name, property } = /** @type {any} */ (node.callee);
      if (RAISES.test(name ?? property?.name ?? '')) take(node);
    },
  }).visit(program);
  return found;
}

/**
 * The literals and templates of an expression: itself, or those of both branches of a condition. A template that only
 * gives a place to the reason of another error is none.
 *
 * @param {any} node
 * @returns {{ start: number, text: string }[]}
 */
function literalsOf(node) {
  if (node?.type === 'ConditionalExpression') return [...literalsOf(node.consequent), ...literalsOf(node.alternate)];
  if (node?.type === 'Literal' && typeof node.value === 'string') return [{ start: node.start, text: node.value }];
  if (node?.type !== 'TemplateLiteral') return [];
  const text = node.quasis.map((/** @type {any} */ { value }) => value.cooked).join('…');
  return text.replaceAll(/…|line|at|[:; (),.]/g, '') === '' ? [] : [{ start: node.start, text }];
}
