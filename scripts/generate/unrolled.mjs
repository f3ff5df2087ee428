#!/usr/bin/env node
/**
 * Generates code that is only fast when unrolled, once per size: object literals with computed keys, several per size,
 * because engines learn the keys that each place in the source defines; loops that fill in records, for the same
 * reason; and calls of `String.fromCharCode` with one argument per byte. The files are committed; `npm run build`
 * regenerates them, and `npm run check` fails if one is stale.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from '../run.mjs';

/** Maximum keys of an object, and the number of makers for a number of keys. */
const MAX_SIZE = 24;
const makersOf = (/** @type {number} */ size) => (size <= 16 ? 4 : 2);
/** Keys per line. */
const WIDTH = 7;

/** @param {number} size */
function maker(size) {
  const entries = Array.from({ length: size }, (_, index) => `[k[${index}]!]: v[${index}]`);
  if (size < WIDTH) return `    (k, v) => ({ ${entries.join(', ')} }),`;
  const lines = Array.from({ length: Math.ceil(size / WIDTH) }, (_, line) => `      ${entries.slice(line * WIDTH, (line + 1) * WIDTH).join(', ')},`);
  return `    (k, v) => ({\n${lines.join('\n')}\n    }),`;
}

/** Text of the file of makers. */
function table() {
  const sizes = Array.from({ length: MAX_SIZE }, (_, index) => index + 1);
  const lists = sizes.map((size) => `  [\n${`${maker(size)}\n`.repeat(makersOf(size))}  ],\n`);
  return `// Written by \`scripts/generate/unrolled.mjs\`.

/**
 * Makes an object with \`keys\` and, in the same order, \`values\`. Both must be at least as long as the maker's size.
 */
export type Maker = (keys: readonly string[], values: readonly unknown[]) => Record<string, unknown>;

/** Makers by size minus one; those of one size are identical, see \`makers.ts\`. */
export const MAKERS: readonly Maker[][] = [
${lists.join('')}];
`;
}

/** Number of loops that fill in records, and of columns that each fills in. */
const LOOPS = 12;
const COLUMNS = 16;

/** Text of the file of loops. */
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

/** Longest string made in one call; longer ones are made by a loop. */
const MAX_LENGTH = 24;

/** Text of the file of short strings. */
function shortAscii() {
  const cases = Array.from({ length: MAX_LENGTH }, (_, index) => {
    const values = Array.from({ length: index + 1 }, (_, at) => (at === 0 ? 'b[p]!' : `b[p + ${at}]!`));
    const one = `      return char(${values.join(', ')});\n`;
    const lines = Array.from(
      { length: Math.ceil(values.length / 10) },
      (_, line) => `        ${values.slice(line * 10, (line + 1) * 10).join(', ')},\n`,
    );
    return `    case ${index + 1}:\n${one.length <= 121 ? one : `      return char(\n${lines.join('')}      );\n`}`;
  });
  return `// Written by \`scripts/generate/unrolled.mjs\`.
//
// A call of the TextDecoder costs more than the bytes of a short string, and V8 makes no intermediate list if
// \`String.fromCharCode\` is called with one argument per byte. Benchmark: --engine-switches, \`shortAscii\`.

const char = String.fromCharCode;

/** Makes a string of \`length\` ASCII bytes from \`p\` on; undefined if \`length\` is 0 or above ${MAX_LENGTH}. */
export function shortAscii(b: Uint8Array, p: number, length: number): string | undefined {
  switch (length) {
${cases.join('')}    default:
      return undefined;
  }
}
`;
}

/** Expected text of each file, by path. */
const TEXTS = new Map([
  ['core/engine/maker-table.ts', table()],
  ['core/engine/short-ascii.ts', shortAscii()],
  ['core/engine/fillers.ts', fillers()],
]);

export function writeUnrolled() {
  for (const [path, text] of TEXTS) if (!isCurrent(path, text)) writeFileSync(join(ROOT, path), text);
}

/** True if the files match their expected text. */
export function unrolledIsCurrent() {
  return [...TEXTS].every(([path, text]) => isCurrent(path, text));
}

function isCurrent(/** @type {string} */ path, /** @type {string} */ text) {
  const file = join(ROOT, path);
  return existsSync(file) && readFileSync(file, 'utf8') === text;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeUnrolled();
