#!/usr/bin/env node
/**
 * Writes what is fast only where it is spelled out, once for each size: object literals with computed keys, of each size
 * several that are all alike, since an engine learns for each place in the source which keys it defines; loops that fill in
 * records, for the same reason; and calls of `String.fromCharCode` with as many arguments as there are bytes. The files are kept with the sources; `npm run build`
 * writes them anew, and `npm run check` tells when one is stale.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from '../run.mjs';

/** The most keys of an object, and how many makers there are of objects of so many. */
const LARGEST = 24;
const makersOf = (/** @type {number} */ size) => (size <= 16 ? 4 : 2);
/** Keys on a line. */
const WIDTH = 7;

/** @param {number} size */
function maker(size) {
  const entries = Array.from({ length: size }, (_, index) => `[k[${index}]!]: v[${index}]`);
  if (size < WIDTH) return `    (k, v) => ({ ${entries.join(', ')} }),`;
  const lines = Array.from({ length: Math.ceil(size / WIDTH) }, (_, line) => `      ${entries.slice(line * WIDTH, (line + 1) * WIDTH).join(', ')},`);
  return `    (k, v) => ({\n${lines.join('\n')}\n    }),`;
}

/** The text of the file of makers. */
function table() {
  const sizes = Array.from({ length: LARGEST }, (_, index) => index + 1);
  const lists = sizes.map((size) => `  [\n${`${maker(size)}\n`.repeat(makersOf(size))}  ],\n`);
  return `// Written by \`scripts/generate/unrolled.mjs\`.

/**
 * Makes an object that has \`keys\` and, in the same order, \`values\`. Both must be as long as the maker's size, or
 * longer.
 */
export type Maker = (keys: readonly string[], values: readonly unknown[]) => Record<string, unknown>;

/** By size minus one: makers that are all alike, see \`makers.ts\`. */
export const MAKERS: readonly Maker[][] = [
${lists.join('')}];
`;
}

/** How many loops there are that fill in records, and how many columns each fills in. */
const LOOPS = 12;
const COLUMNS = 16;

/** The text of the file of loops. */
function fillers() {
  const indices = Array.from({ length: COLUMNS }, (_, index) => index);
  const names = (/** @type {string} */ letter) => indices.map((index) => `${letter}${index}`).join(', ');
  const stores = indices.map((index) => `width === ${index}) continue; row[k${index}!] = c${index}![r];`);
  const lines = Array.from({ length: COLUMNS / 4 }, (_, line) => `      if (${stores.slice(line * 4, line * 4 + 4).join(' if (')}\n`);
  const loop = `  (template, [${names('k')}], [${names('c')}], width, rows) => {
    for (let r = 0; r < rows.length; r++) {
      const row = template ? (rows[r] = { ...template }) : rows[r]!;
${lines.join('')}    }
  },
`;
  return `// Written by \`scripts/generate/unrolled.mjs\`.

type Row = Record<string, unknown>;

/** Maximum number of columns that a filler fills. */
export const FILLED_COLUMNS = ${COLUMNS};

/** Fills the first \`width\` keys of \`rows\` from columns, in new copies of a template, or in the existing rows without one. */
export type Filler = (
  template: Row | undefined,
  keys: readonly string[],
  columns: readonly ArrayLike<unknown>[],
  width: number,
  rows: Row[],
) => void;

/** Identical functions: see \`fill.ts\`. */
export const FILLERS: readonly Filler[] = [
${loop.repeat(LOOPS)}];
`;
}

/** The longest string that is made in one call; a longer one is left to a loop. */
const LONGEST = 24;

/** The text of the file of short strings. */
function shortAscii() {
  const cases = Array.from({ length: LONGEST }, (_, index) => {
    const values = Array.from({ length: index + 1 }, (_, at) => (at === 0 ? 'b[p]!' : `b[p + ${at}]!`));
    const one = `      return char(${values.join(', ')});\n`;
    const lines = Array.from(
      { length: Math.ceil(values.length / 10) },
      (_, line) => `        ${values.slice(line * 10, (line + 1) * 10).join(', ')},\n`,
    );
    return `    case ${index + 1}:\n${one.length <= 121 ? one : `      return char(\n${lines.join('')}      );\n`}`;
  });
  return `// Written by \`scripts/generate/unrolled.mjs\`.

const char = String.fromCharCode;

/** The string of so many ASCII bytes, from \`p\` on; undefined where there are none or more than ${LONGEST}. */
export function shortAscii(b: Uint8Array, p: number, length: number): string | undefined {
  switch (length) {
${cases.join('')}    default:
      return undefined;
  }
}
`;
}

/** By path the text that a file is to have. */
const TEXTS = new Map([
  ['core/sinks/objects/maker-table.ts', table()],
  ['core/bytes/text/short-ascii.ts', shortAscii()],
  ['main/rows/fillers.ts', fillers()],
]);

/** Writes the files. */
export function spellOut() {
  for (const [path, text] of TEXTS) if (!isCurrent(path, text)) writeFileSync(join(ROOT, path), text);
}

/** Whether the files are what this script writes. */
export function unrolledIsCurrent() {
  return [...TEXTS].every(([path, text]) => isCurrent(path, text));
}

function isCurrent(/** @type {string} */ path, /** @type {string} */ text) {
  const file = join(ROOT, path);
  return existsSync(file) && readFileSync(file, 'utf8') === text;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) spellOut();
