import { baselineOf, caseOf, contenderOf, fastestMain, ratio } from '../ratios.mjs';
import { duration, figure, size, times } from '../table.mjs';
import { barChart } from './bar-chart.mjs';
import { lineChart } from './line-chart.mjs';
import { groupBy } from './group-by.mjs';
import { element, escape } from './markup.mjs';

/** @typedef {import('../statistics.mjs').Result} Result */

/** The anchor of the charts by size. */
const SCALING = 'cost-of-a-row';

/**
 * @typedef {object} Report
 * @property {import('../machine.mjs').Machine} machine
 * @property {string} browser
 * @property {string} date
 * @property {string} notes
 * @property {readonly Result[]} results
 * @property {readonly import('../bars.mjs').Bar[]} bars
 */

/**
 * The whole report as one document that needs nothing else.
 *
 * @param {Report} report
 * @param {string} style
 */
export function reportPage({ machine, browser, date, notes, results, bars }, style) {
  const groups = [...groupBy(results, (result) => caseOf(result).group)];
  const scaling = scalingSections(results);
  const links = [...groups.map(([group]) => group), ...(scaling === '' ? [] : [SCALING])];
  const about = `${browser} · ${machine.cores} × ${machine.cpu} · ${size(machine.memoryBytes)} · ${machine.system} · ${date.slice(0, 16).replace('T', ' ')} UTC`;
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    element('title', {}, 'Unspool benchmark'),
    element('style', {}, style),
    '</head><body>',
    element('h1', {}, 'Unspool benchmark'),
    element('p', { class: 'about' }, escape(about)),
    element('p', { class: 'about' }, escape(notes).replaceAll('\n', ' ')),
    element('nav', {}, ...links.map((id) => element('a', { href: `#${id}` }, escape(id)))),
    barsSection(bars),
    ...groups.map(([group, own]) => groupSection(group, own, results)),
    scaling,
    '</body></html>\n',
  ].join('\n');
}

/** @param {readonly import('../bars.mjs').Bar[]} bars */
function barsSection(bars) {
  if (bars.length === 0) return '';
  const rows = bars.map(({ case: name, name: what, value, limit, unit, met }) => [
    element('td', { class: met ? 'good' : 'bad' }, met ? 'met' : 'missed'),
    element('td', {}, escape(figure(value, unit))),
    element('td', {}, escape(figure(limit, unit))),
    element('td', { class: 'text' }, escape(name)),
    element('td', { class: 'text' }, escape(what)),
  ]);
  const met = bars.filter((bar) => bar.met).length;
  return [
    element('h2', {}, `Bars: ${met} of ${bars.length} met`),
    chartSection('', table(['', 'measured', 'at most', 'case', 'what'], rows, [0, 3, 4])),
  ].join('');
}

/**
 * The cost of a row over the number of rows, for each encoding that was measured at several sizes.
 *
 * @param {readonly Result[]} results
 */
function scalingSections(results) {
  const sized = results.filter((result) => Number(result.rows) > 1 && result.readyMs !== null);
  const encodings = groupBy(sized, (result) => `${caseOf(result).query['dataset']}, ${caseOf(result).format}`);
  const charts = [...encodings].flatMap(([name, own]) => {
    const lines = [...groupBy(own, ({ contender }) => contender).values()].filter((points) => points.length > 1).map((points) => scalingLine(points));
    if (lines.length === 0) return [];
    const chart = lineChart(
      `Cost of a row by number of rows: ${name}`,
      { x: 'rows', y: 'time to usable rows, for each row' },
      lines,
      (rows) => rows.toLocaleString('en'),
      (microseconds) => `${microseconds.toLocaleString('en')} µs`,
    );
    return [chartSection(escape(name), chart)];
  });
  return charts.length === 0 ? '' : [element('h2', { id: SCALING }, 'Cost of a row by size'), ...charts].join('');
}

/** @param {readonly Result[]} results */
function scalingLine(results) {
  const { label, kind } = contenderOf(results[0]);
  const points = results.map(({ rows, readyMs }) => {
    const microseconds = (Number(readyMs) * 1000) / Number(rows);
    return { x: Number(rows), y: microseconds, text: `${microseconds.toPrecision(3)} µs a row` };
  });
  return { label, kind, points };
}

/**
 * @param {string} group
 * @param {readonly Result[]} own
 * @param {readonly Result[]} results
 */
function groupSection(group, own, results) {
  const charts = [...groupBy(own, (result) => result.case)].map(([, rows]) => {
    const [first] = rows;
    const { format, mode } = caseOf(first);
    const count = first.rows === null ? '' : `, ${first.rows.toLocaleString('en')} rows`;
    const title = `${escape(format)} ${element('small', {}, escape(`${size(first.bytes)}${count}`))}`;
    const chart = mode === 'calls' ? callsChart(rows, results) : timesChart(rows, results);
    const figures = element('details', {}, element('summary', {}, 'Figures'), scroll(figuresTable(rows, results)));
    return chartSection(title, chart, figures);
  });
  return [element('h2', { id: group }, escape(group)), ...charts].join('');
}

/** @param {readonly Result[]} rows @param {readonly Result[]} results */
function timesChart(rows, results) {
  const baseline = baselineOf(results, rows[0])?.readyMs;
  return barChart(
    `Time and longest block: ${rows[0].case}`,
    [{ title: 'time to usable rows (dashed: JSON.parse)', mark: baseline ?? null }, { title: 'longest main-thread block' }],
    rows.map((result) => ({
      ...contenderOf(result),
      values: [result.readyMs, result.longestBlockMs],
      texts: result.error === undefined ? [duration(result.readyMs), duration(result.longestBlockMs)] : ['failed', ''],
    })),
  );
}

/** @param {readonly Result[]} rows @param {readonly Result[]} results */
function callsChart(rows, results) {
  const baseline = baselineOf(results, rows[0])?.readyMs;
  return barChart(
    `Time of one call: ${rows[0].case}`,
    [{ title: 'time of one call (dashed: JSON.parse)', mark: baseline ?? null }],
    rows.map((result) => ({
      ...contenderOf(result),
      values: [result.readyMs],
      texts: [result.error === undefined ? duration(result.readyMs) : 'failed'],
    })),
  );
}

/** @param {readonly Result[]} rows @param {readonly Result[]} results */
function figuresTable(rows, results) {
  const heads = [
    '',
    'usable',
    'all objects',
    '× JSON.parse',
    '× fastest main',
    'longest block',
    'main busy',
    'message wait',
    'peak',
    'result',
    'runs',
  ];
  const lines = rows.map((result) => {
    const { label } = contenderOf(result);
    if (result.error !== undefined) {
      return [element('td', {}, escape(label)), element('td', { colspan: heads.length - 1, class: 'text' }, escape(result.error))];
    }
    return [
      label,
      duration(result.readyMs),
      duration(result.totalMs),
      times(ratio(result.readyMs, baselineOf(results, result)?.readyMs)),
      times(ratio(result.readyMs, fastestMain(results, result)?.readyMs)),
      duration(result.longestBlockMs),
      duration(result.mainMs),
      duration(result.longestWaitMs),
      size(result.peakBytes),
      size(result.retainedBytes),
      String(result.runs),
    ].map((cell) => element('td', {}, escape(cell)));
  });
  return table(heads, lines);
}

/**
 * @param {readonly string[]} heads
 * @param {readonly (readonly string[])[]} rows cells as elements
 * @param {readonly number[]} [texts] the columns that hold text
 */
function table(heads, rows, texts = [0]) {
  const head = heads.map((text, index) => element('th', { class: texts.includes(index) ? 'text' : undefined }, escape(text)));
  return element(
    'table',
    {},
    element('thead', {}, element('tr', {}, ...head)),
    element('tbody', {}, ...rows.map((cells) => element('tr', {}, ...cells))),
  );
}

/** @param {string} title @param {string} content @param {...string} more */
function chartSection(title, content, ...more) {
  return element('section', { class: 'chart' }, title && element('h3', {}, title), scroll(content), ...more);
}

/** @param {string} content */
function scroll(content) {
  return element('div', { class: 'scroll' }, content);
}
