import { baselineOf, caseOf, contenderOf, fastestMain, ratio } from './ratios.mjs';

/** @typedef {import('./statistics.mjs').Result} Result */

/**
 * A performance goal.
 *
 * @typedef {object} Bar
 * @property {string} case
 * @property {string} name the measured quantity
 * @property {number} value
 * @property {number} limit
 * @property {string} unit
 * @property {boolean} met
 */

const NONE = '–';

/**
 * Prints the results of one case.
 *
 * @param {readonly Result[]} results of all cases, for the ratios
 * @param {string} name the case
 */
export function caseTable(results, name) {
  const own = results.filter((result) => result.case === name);
  const [first] = own;
  if (!first) return '';
  const isCalls = caseOf(first).mode === 'calls';
  const header = isCalls
    ? ['', 'one call', '× JSON.parse', '× fastest main', 'runs']
    : ['', 'usable', 'all objects', '× JSON.parse', '× fastest main', 'longest block', 'main busy', 'long task', 'peak', 'runs'];
  const lines = own.map((result) => {
    const label = contenderOf(result).label;
    if (result.error !== undefined) return [label, result.error];
    const ratios = [
      times(ratio(result.readyMs, baselineOf(results, result)?.readyMs)),
      times(ratio(result.readyMs, fastestMain(results, result)?.totalMs)),
    ];
    if (isCalls) return [label, duration(result.readyMs), ...ratios, String(result.runs)];
    return [
      label,
      duration(result.readyMs),
      duration(result.totalMs),
      ...ratios,
      duration(result.longestBlockMs),
      duration(result.mainMs),
      longTask(result),
      size(result.peakBytes),
      String(result.runs),
    ];
  });
  const rows = first.rows === null ? '' : `, ${first.rows.toLocaleString('en')} rows`;
  return `${name} (${size(first.bytes)}${rows})\n${align([header, ...lines])}`;
}

/**
 * The longest task that the browser reported, marked if the ticker saw a shorter one. (It may see a longer one: the
 * browser's record omits tasks of no page, such as garbage collections.)
 *
 * @param {Result} result
 */
function longTask({ longTaskMs, longestBlockMs }) {
  if (longTaskMs === null || longestBlockMs === null) return NONE;
  const isMissed = longTaskMs > longestBlockMs * 1.1 + 5;
  return `${isMissed ? '≠ ' : ''}${longTaskMs === 0 ? '< 50 ms' : duration(longTaskMs)}`;
}

/**
 * @param {readonly Bar[]} bars
 */
export function barTable(bars) {
  const lines = bars.map(({ case: name, name: what, value, limit, unit, met }) => [
    met ? 'met' : 'MISSED',
    figure(value, unit),
    `at most ${figure(limit, unit)}`,
    name,
    what,
  ]);
  return align([['bar', 'measured', '', 'case', ''], ...lines], [1, 2]);
}

/** @param {number} value @param {string} unit */
export function figure(value, unit) {
  if (unit === 'B') return size(value);
  if (unit === '') return String(value);
  return unit === 'ms' ? duration(value) : times(value);
}

/** @param {number | null} value */
export function times(value) {
  return value === null ? NONE : `${value.toFixed(2)} ×`;
}

/**
 * Formats with three significant digits.
 *
 * @param {number | null} milliseconds
 */
export function duration(milliseconds) {
  if (milliseconds === null) return NONE;
  if (milliseconds === 0) return '0 ms';
  if (milliseconds < 1) return `${(milliseconds * 1000).toPrecision(3)} µs`;
  const digits = milliseconds < 10 ? 2 : milliseconds < 100 ? 1 : 0;
  return `${milliseconds.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })} ms`;
}

/** A duration without its unit, for columns whose heading has it. @param {number | null} value */
export function milliseconds(value) {
  if (value === null) return NONE;
  return value > 0 && value < 1 ? value.toPrecision(3) : duration(value).replace(' ms', '');
}

/** Megabytes without their unit, for columns whose heading has it. @param {number | null} bytes */
export function megabytes(bytes) {
  if (bytes === null) return NONE;
  const value = bytes / 1e6;
  return value.toFixed(value < 1 ? 2 : value < 10 ? 1 : 0);
}

/** @param {number | null} bytes */
export function size(bytes) {
  if (bytes === null) return NONE;
  if (bytes < 10_000) return `${bytes.toLocaleString('en')} B`;
  const [value, unit] = bytes < 1e6 ? [bytes / 1e3, 'KB'] : bytes < 1e10 ? [bytes / 1e6, 'MB'] : [bytes / 1e9, 'GB'];
  return `${value.toFixed(value < 10 ? 1 : 0)} ${unit}`;
}

/**
 * @param {readonly (readonly string[])[]} lines
 * @param {readonly number[]} [rightAligned] columns; default: all but the first
 */
export function align(lines, rightAligned) {
  const isRight = (/** @type {number} */ column) => rightAligned?.includes(column) ?? column > 0;
  const columns = Math.max(...lines.map((line) => line.length));
  // A line of two cells in a wider table is a label and a message, and does not affect the widths.
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...lines.filter((line) => line.length === columns || column === 0).map((line) => line[column]?.length ?? 0)),
  );
  return lines
    .map((line) =>
      line
        .map((cell, column) => {
          if (line.length < columns && column > 0) return cell;
          return isRight(column) ? cell.padStart(widths[column]) : cell.padEnd(widths[column]);
        })
        .join('  ')
        .trimEnd(),
    )
    .map((line) => `  ${line}`)
    .join('\n');
}
