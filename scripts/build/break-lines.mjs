import { parseSync, Visitor } from 'vite';

/** @typedef {import('vite').Plugin} Plugin */

/** Characters of a line, from which the next statement begins another. */
const LINE = 400;

/**
 * Breaks the lines of minified files between statements: Node prints the line of an error that nothing catches. It costs a page that
 * loads the file half a percent of its bytes.
 *
 * @returns {Plugin}
 */
export function breakLines() {
  return {
    name: 'break-lines',
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== 'chunk') continue;
        const breaks = breaksOf(file.code);
        file.code = [0, ...breaks].map((from, index) => file.code.slice(from, breaks[index])).join('\n');
      }
    },
  };
}

/**
 * Offsets between statements, and between members of classes, at which lines begin.
 *
 * @param {string} code
 */
export function breaksOf(code) {
  /** @type {number[]} */
  const ends = [];
  const note = (/** @type {{ body: readonly { end: number }[] }} */ { body }) => void ends.push(...body.map(({ end }) => end));
  new Visitor({ Program: note, BlockStatement: note, ClassBody: note }).visit(parseSync('file.js', code).program);
  /** @type {number[]} */
  const breaks = [];
  let start = 0;
  let newline = code.indexOf('\n');
  for (const end of ends.toSorted((a, b) => a - b)) {
    for (; newline >= 0 && newline < end; newline = code.indexOf('\n', start)) start = newline + 1;
    if (end - start < LINE || end >= code.length || code[end] === '\n') continue;
    breaks.push(end);
    start = end;
  }
  return breaks;
}
