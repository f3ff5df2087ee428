import { element, escape } from './markup.mjs';

/**
 * @typedef {object} Line
 * @property {string} label
 * @property {string} kind a class of the style sheet
 * @property {readonly { x: number, y: number, text: string }[]} points
 */

const WIDTH = 960;
const HEIGHT = 320;
const LEFT = 64;
const RIGHT = 250;
const TOP = 28;
const BOTTOM = 34;
/** The least distance of two labels. */
const LABEL_STEP = 17;

/**
 * Lines over two logarithmic axes, each named at its end.
 *
 * @param {string} title for those who do not see the chart
 * @param {{ x: string, y: string }} axes
 * @param {readonly Line[]} lines
 * @param {(value: number) => string} formatX
 * @param {(value: number) => string} formatY
 * @returns {string} an svg element
 */
export function lineChart(title, axes, lines, formatX, formatY) {
  const points = lines.flatMap((line) => line.points);
  const x = logScale(
    points.map((point) => point.x),
    LEFT,
    WIDTH - RIGHT,
  );
  const y = logScale(
    points.map((point) => point.y),
    HEIGHT - BOTTOM,
    TOP,
  );
  const grid = [
    ...y.ticks.map((value) =>
      [
        element('line', { x1: LEFT, x2: WIDTH - RIGHT, y1: y.at(value), y2: y.at(value), class: 'grid' }),
        element('text', { x: LEFT - 8, y: y.at(value), class: 'tick', 'text-anchor': 'end' }, escape(formatY(value))),
      ].join(''),
    ),
    ...x.ticks.map((value) => element('text', { x: x.at(value), y: HEIGHT - 18, class: 'tick', 'text-anchor': 'middle' }, escape(formatX(value)))),
    element('text', { x: LEFT, y: 9, class: 'heading' }, escape(axes.y)),
    element('text', { x: WIDTH - RIGHT + 36, y: HEIGHT - 18, class: 'tick' }, escape(axes.x)),
  ];
  const ends = spread(lines.map((line) => y.at(line.points[line.points.length - 1].y)));
  const drawn = lines.map(({ label, kind, points: own }, index) => {
    const path = own.map((point) => `${x.at(point.x).toFixed(1)},${y.at(point.y).toFixed(1)}`).join(' ');
    const dots = own.map((point) =>
      element(
        'circle',
        { cx: x.at(point.x), cy: y.at(point.y), r: 3.5, class: `dot ${kind}` },
        element('title', {}, escape(`${label}, ${formatX(point.x)} ${axes.x}: ${point.text}`)),
      ),
    );
    const last = own[own.length - 1];
    const from = { x: x.at(last.x), y: y.at(last.y) };
    const end = ends[index];
    return [
      element('polyline', { points: path, class: `line ${kind}` }),
      ...dots,
      element('line', { x1: from.x + 6, y1: from.y, x2: WIDTH - RIGHT + 28, y2: end, class: 'leader' }),
      element('text', { x: WIDTH - RIGHT + 32, y: end, class: `label ${kind}` }, escape(label)),
    ].join('');
  });
  return element('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': title }, ...grid, ...drawn);
}

/**
 * @param {readonly number[]} values
 * @param {number} from
 * @param {number} to
 */
function logScale(values, from, to) {
  const low = Math.log10(Math.min(...values));
  const high = Math.log10(Math.max(...values));
  const span = high - low || 1;
  const ticks = [];
  const steps = span > 2 ? [1] : [1, 2, 5];
  for (let power = Math.floor(low); power <= Math.ceil(high); power += 1) {
    for (const step of steps) {
      const value = step * 10 ** power;
      if (Math.log10(value) >= low - 0.01 && Math.log10(value) <= high + 0.01) ticks.push(value);
    }
  }
  return { at: (/** @type {number} */ value) => from + ((Math.log10(value) - low) / span) * (to - from), ticks };
}

/**
 * Moves positions apart so that none is nearer to another than a label is high, and none leaves the chart.
 *
 * @param {readonly number[]} positions
 */
function spread(positions) {
  const order = positions.map((_, index) => index).toSorted((a, b) => positions[a] - positions[b]);
  const moved = [...positions];
  let least = TOP;
  for (const index of order) {
    moved[index] = Math.max(moved[index], least);
    least = moved[index] + LABEL_STEP;
  }
  let most = HEIGHT - BOTTOM;
  for (const index of order.toReversed()) {
    moved[index] = Math.min(moved[index], most);
    most = moved[index] - LABEL_STEP;
  }
  return moved;
}
