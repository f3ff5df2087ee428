import { element, escape } from './markup.mjs';

/**
 * @typedef {object} BarRow
 * @property {string} label
 * @property {string} kind a class of the style sheet
 * @property {readonly (number | null)[]} values one for each panel
 * @property {readonly string[]} texts what is written beside each
 */

/**
 * @typedef {object} BarPanel
 * @property {string} title
 * @property {number | null} [mark] a value marked by a dashed line
 */

const WIDTH = 960;
const LABEL = 216;
const GAP = 28;
/** Room beside the longest bar for what is written there. */
const TEXT = 74;
const ROW = 24;
const BAR = 14;
const HEAD = 24;

/**
 * Horizontal bars in panels side by side, each with its own linear scale from zero.
 *
 * @param {string} title for those who do not see the chart
 * @param {readonly BarPanel[]} panels
 * @param {readonly BarRow[]} rows
 * @param {number} [labelWidth] room for the labels
 * @returns {string} an svg element
 */
export function barChart(title, panels, rows, labelWidth = LABEL) {
  const height = HEAD + rows.length * ROW + 4;
  const panelWidth = (WIDTH - labelWidth - GAP * (panels.length - 1)) / panels.length;
  const labels = rows.map(({ label, kind }, index) =>
    element('text', { x: labelWidth - 12, y: middle(index), class: `label ${kind}`, 'text-anchor': 'end' }, escape(label)),
  );
  const drawn = panels.map((panel, index) => {
    const left = labelWidth + index * (panelWidth + GAP);
    return element('g', { transform: `translate(${left} 0)` }, drawPanel(panel, index, rows, panelWidth, height));
  });
  return element('svg', { viewBox: `0 0 ${WIDTH} ${height}`, role: 'img', 'aria-label': title }, labels.join(''), drawn.join(''));
}

/**
 * @param {BarPanel} panel
 * @param {number} index
 * @param {readonly BarRow[]} rows
 * @param {number} width
 * @param {number} height
 */
function drawPanel({ title, mark = null }, index, rows, width, height) {
  const longest = Math.max(mark ?? 0, ...rows.map(({ values }) => values[index] ?? 0));
  const scale = longest === 0 ? 0 : (width - TEXT) / longest;
  const bars = rows.map(({ label, kind, values, texts }, row) => {
    const value = values[index];
    const text = texts[index];
    const length = value === null ? 0 : Math.max(1.5, value * scale);
    const y = middle(row);
    return [
      value === null
        ? ''
        : element(
            'rect',
            { x: 0, y: y - BAR / 2, width: length, height: BAR, rx: 2, class: `bar ${kind}` },
            element('title', {}, escape(`${label}: ${text}`)),
          ),
      element('text', { x: length + 6, y, class: value === null ? 'value none' : 'value' }, escape(text)),
    ].join('');
  });
  const line = mark === null ? '' : element('line', { x1: mark * scale, x2: mark * scale, y1: HEAD - 4, y2: height, class: 'mark' });
  return [
    element('text', { x: 0, y: 9, class: 'heading' }, escape(title)),
    element('line', { x1: 0, x2: 0, y1: HEAD - 4, y2: height, class: 'axis' }),
    line,
    ...bars,
  ].join('');
}

/** @param {number} row */
function middle(row) {
  return HEAD + row * ROW + ROW / 2;
}
