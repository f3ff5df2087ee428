import { parseSync, Visitor } from 'vite';

/** @typedef {import('vite').Plugin} Plugin */

/** Characters of a line, from which the next statement begins another. */
const LINE = 400;
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

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
      for (const [name, file] of Object.entries(bundle)) {
        if (file.type !== 'chunk') continue;
        const breaks = breaksOf(file.code);
        const map = bundle[`${name}.map`];
        if (map?.type === 'asset') {
          const content = JSON.parse(String(map.source));
          map.source = JSON.stringify({ ...content, mappings: brokenMappings(content.mappings, file.code, breaks) });
        }
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

/**
 * The mappings of a source map, once the code has other lines. Of a segment, only the column counts from the begin of its line.
 *
 * @param {string} mappings
 * @param {string} code
 * @param {readonly number[]} breaks
 */
export function brokenMappings(mappings, code, breaks) {
  let at = 0;
  let next = 0;
  const lines = code.split('\n');
  return mappings
    .split(';')
    .map((line, index) => {
      const end = at + (lines[index]?.length ?? 0);
      let [column, begin, last] = [0, 0, 0];
      let text = '';
      const breakBefore = (/** @type {number} */ offset) => {
        for (; next < breaks.length && /** @type {number} */ (breaks[next]) <= offset; next += 1) {
          begin = /** @type {number} */ (breaks[next]) - at;
          last = 0;
          text += ';';
        }
      };
      for (const segment of line === '' ? [] : line.split(',')) {
        const [delta, length] = readNumber(segment);
        column += delta;
        breakBefore(at + column);
        if (text !== '' && !text.endsWith(';')) text += ',';
        text += writeNumber(column - begin - last) + segment.slice(length);
        last = column - begin;
      }
      breakBefore(end);
      at = end + 1;
      return text;
    })
    .join(';');
}

/** The first number of a segment, and its digits: five bits each, the lowest first, of which the first is the sign. */
function readNumber(/** @type {string} */ segment) {
  let value = 0;
  let length = 0;
  for (let digit = 32; digit >= 32; length += 1) {
    digit = DIGITS.indexOf(segment[length] ?? 'A');
    value += (digit & 31) << (5 * length);
  }
  return /** @type {const} */ ([value & 1 ? -(value >> 1) : value >> 1, length]);
}

function writeNumber(/** @type {number} */ number) {
  let rest = number < 0 ? -number * 2 + 1 : number * 2;
  let text = '';
  do {
    text += DIGITS[(rest & 31) | (rest > 31 ? 32 : 0)];
    rest >>= 5;
  } while (rest > 0);
  return text;
}
