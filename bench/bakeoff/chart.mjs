/**
 * @typedef {object} BarRow
 * @property {string} label
 * @property {string} kind class of the style below
 * @property {readonly (number | null)[]} values one for each panel
 * @property {readonly string[]} texts labels at the ends of the bars
 */

const WIDTH = 960;
/** Width of the labels: a format and a library. */
const LABEL = 290;
const GAP = 28;
/** Space for the label at the end of the longest bar. */
const TEXT = 74;
const ROW = 24;
const BAR = 14;
const HEAD = 24;

const STYLE = `:root { color-scheme: light dark; --page: #fbfbf9; --text: #1d2226; --soft: #5c666e; --main: #3d6fa8; --worker: #b8681c; --unspool: #13805a; }
@media (prefers-color-scheme: dark) {
  :root { --page: #14171a; --text: #e6e9eb; --soft: #9aa5ad; --main: #7aa9dc; --worker: #e0a05c; --unspool: #4cc893; }
}
svg { font: 12.5px system-ui, sans-serif; }
svg text { fill: var(--text); dominant-baseline: central; font-variant-numeric: tabular-nums; }
svg .heading, svg .none { fill: var(--soft); }
svg .axis { stroke: var(--soft); }
svg .label.main, svg .bar.main { fill: var(--main); }
svg .label.worker, svg .bar.worker { fill: var(--worker); }
svg .label.unspool, svg .bar.unspool { fill: var(--unspool); }
svg .label.unspool { font-weight: 600; }
.page { fill: var(--page); }`;

/**
 * Draws horizontal bars in panels side by side, each with its own linear scale from zero.
 *
 * @param {string} title text alternative
 * @param {readonly string[]} panels headings
 * @param {readonly BarRow[]} rows
 * @returns {string} an SVG document
 */
export function barChart(title, panels, rows) {
  const height = HEAD + rows.length * ROW + 4;
  const width = (WIDTH - LABEL - GAP * (panels.length - 1)) / panels.length;
  const labels = rows.map(({ label, kind }, index) =>
    element('text', { x: LABEL - 12, y: middle(index), class: `label ${kind}`, 'text-anchor': 'end' }, escape(label)),
  );
  const drawn = panels.map((heading, index) =>
    element('g', { transform: `translate(${LABEL + index * (width + GAP)} 0)` }, drawPanel(heading, index, rows, width, height)),
  );
  const attributes = { xmlns: 'http://www.w3.org/2000/svg', width: WIDTH, viewBox: `0 0 ${WIDTH} ${height}`, role: 'img', 'aria-label': title };
  const background = '<rect class="page" width="100%" height="100%"/>';
  return element('svg', attributes, element('style', {}, STYLE), background, ...labels, ...drawn);
}

/**
 * @param {string} heading
 * @param {number} index
 * @param {readonly BarRow[]} rows
 * @param {number} width
 * @param {number} height
 */
function drawPanel(heading, index, rows, width, height) {
  const longest = Math.max(...rows.map(({ values }) => values[index] ?? 0));
  const scale = longest === 0 ? 0 : (width - TEXT) / longest;
  const bars = rows.map(({ label, kind, values, texts }, row) => {
    const value = values[index];
    const text = texts[index];
    const y = middle(row);
    if (value === null) return element('text', { x: 6, y, class: 'value none' }, escape(text));
    const length = Math.max(1.5, value * scale);
    const bar = { x: 0, y: y - BAR / 2, width: length, height: BAR, rx: 2, class: `bar ${kind}` };
    return (
      element('rect', bar, element('title', {}, escape(`${label}: ${text}`))) + element('text', { x: length + 6, y, class: 'value' }, escape(text))
    );
  });
  return [
    element('text', { x: 0, y: 9, class: 'heading' }, escape(heading)),
    element('line', { x1: 0, x2: 0, y1: HEAD - 4, y2: height, class: 'axis' }),
    ...bars,
  ].join('');
}

/** @param {number} row */
const middle = (row) => HEAD + row * ROW + ROW / 2;

const ESCAPES = /** @type {Record<string, string>} */ ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' });

/** @param {string | number} text */
const escape = (text) => String(text).replace(/[&<>"]/g, (character) => ESCAPES[character] ?? character);

/**
 * Serializes one element. Children are markup: callers escape text.
 *
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 * @param {...string} children
 */
function element(name, attributes, ...children) {
  const written = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${escape(typeof value === 'number' ? Math.round(value * 100) / 100 : value)}"`,
  );
  return `<${name}${written.join('')}>${children.join('')}</${name}>`;
}
