import { both, markdown } from '../documents/figures.mjs';
import { namedOnce } from '../bakeoff/tables.mjs';
import { groupBy } from '../statistics.mjs';
import { align, duration, figure, megabytes, milliseconds, size } from '../table.mjs';
import { ENCODE_FORMATS, FORMAT_NAMES } from './cases.mjs';
import { caseNames, contenderOf, encodeBars, medianOf, peakOf, ratioToFastest, ratioToJson, timeOf } from './figures.mjs';

/** @typedef {import('./measure.mjs').EncodeResult} EncodeResult */

const NONE = '–';

/**
 * Prints the results of one case in one place.
 *
 * @param {readonly EncodeResult[]} results of all cases, for the ratios
 * @param {string} name the case
 * @param {EncodeResult['place']} place
 */
export function encodeCaseTable(results, name, place) {
  const own = results.filter((result) => result.case === name && result.place === place);
  const header = ['', 'time', '÷ JSON', '÷ fastest', 'GC', 'longest block', 'peak', 'bytes', 'runs'];
  const lines = own.map((result) => {
    const { label } = contenderOf(result);
    if (result.error !== undefined) return [label, reasonOf(result.error)];
    return [
      result.differs === undefined ? label : `${label} ≠`,
      duration(timeOf(result)?.median ?? null),
      both(ratioToJson(result)),
      both(ratioToFastest(results, result)),
      duration(medianOf(result, 'gcMs')),
      duration(medianOf(result, 'blockMs')),
      size(peakOf(result)),
      size(result.bytes),
      String(result.samples.length),
    ];
  });
  return `${name}, ${place === 'node' ? 'Node' : 'Chromium'}\n${align([header, ...lines])}`;
}

/** @param {string} error */
function reasonOf(error) {
  if (/crash|closed|Target/i.test(error)) return 'crashed';
  return error
    .replace(/^page\.evaluate: /, '')
    .split('\n')[0]
    .replaceAll('|', '\\|')
    .slice(0, 90);
}

/**
 * A table of one group in Markdown: formats and contenders, with columns for both places.
 *
 * @param {readonly EncodeResult[]} results
 * @param {string} group
 */
export function groupTable(results, group) {
  const own = results.filter((result) => caseNames(result).group === group);
  const isSmall = own.every(({ samples }) => samples.every(({ blockMs }) => blockMs === undefined));
  const header = isSmall
    ? ['format', '', 'bytes', 'Node, ms', '÷ JSON', 'Chromium, ms', '÷ JSON']
    : ['format', '', 'MB', 'Node, ms', '÷ JSON', 'peak, MB', 'Chromium, ms', '÷ JSON', 'peak, MB', 'longest block, ms'];
  const rows = [...groupBy(sorted(own), ({ case: name, contender }) => `${name} ${contender}`).values()].map((pair) => {
    const [first] = pair;
    const { label, kind } = contenderOf(first);
    const bytes = Math.max(...pair.map((one) => one.bytes));
    const isDifferent = pair.some(({ differs }) => differs !== undefined);
    const cells = (/** @type {EncodeResult['place']} */ place) => {
      const result = pair.find((one) => one.place === place);
      const count = isSmall ? 2 : place === 'node' ? 3 : 4;
      if (result?.error !== undefined) return [reasonOf(result.error), ...new Array(count - 1).fill('')];
      if (!result) return new Array(count).fill(NONE);
      const times = [milliseconds(timeOf(result)?.median ?? null), ratioText(ratioToJson(result))];
      if (isSmall) return times;
      const peak = megabytes(peakOf(result));
      if (place === 'node') return [...times, peak];
      return [...times, peak, kind === 'unspool' ? milliseconds(medianOf(result, 'blockMs')) : ''];
    };
    return [
      String(FORMAT_NAMES.get(caseNames(first).format)),
      kind === 'unspool' ? `**${label}**` : `${label}${isDifferent ? ' ¹' : ''}`,
      isSmall ? bytes.toLocaleString('en') : megabytes(bytes),
      ...cells('node'),
      ...cells('chromium'),
    ];
  });
  const note = own.some(({ differs }) => differs !== undefined) ? '\n\n¹ What it writes is not the same value: absent fields become others.' : '';
  return `${markdown([header, ...namedOnce(rows)])}${note}`;
}

/** The ratio of medians. @param {import('../documents/figures.mjs').Figure | undefined} figure */
function ratioText(figure) {
  return figure?.median.toFixed(2) ?? NONE;
}

/** Sorts results by format, in the order of the tables. @param {readonly EncodeResult[]} results */
function sorted(results) {
  const place = (/** @type {EncodeResult} */ result) => ENCODE_FORMATS.indexOf(caseNames(result).format);
  return results.toSorted((a, b) => place(a) - place(b));
}

/**
 * A table of the documents: Unspool's ratios in both places.
 *
 * @param {readonly EncodeResult[]} results
 * @param {readonly string[]} groups
 */
export function documentTable(results, groups) {
  const rows = groups.flatMap((group) => {
    const own = results.filter((result) => caseNames(result).group === group && result.contender === 'unspool');
    return [...groupBy(sorted(own), ({ case: name }) => name).values()].map((pair) => {
      const cells = (/** @type {EncodeResult['place']} */ place) => {
        const result = pair.find((one) => one.place === place);
        if (!result) return [NONE, NONE];
        return result.error === undefined
          ? [ratioText(ratioToJson(result)), ratioText(ratioToFastest(results, result))]
          : [reasonOf(result.error), ''];
      };
      return [group, String(FORMAT_NAMES.get(caseNames(pair[0]).format)), size(pair[0].bytes), ...cells('node'), ...cells('chromium')];
    });
  });
  return markdown([['document', 'format', 'bytes', 'Node: ÷ JSON', '÷ fastest library', 'Chromium: ÷ JSON', '÷ fastest library'], ...rows]);
}

/**
 * The bars that are missed, as a table in Markdown.
 *
 * @param {readonly EncodeResult[]} results
 */
export function barLines(results) {
  const bars = encodeBars(results);
  const missed = bars.filter(({ met }) => !met);
  const count = `${bars.length - missed.length} of ${bars.length} bars (\`bench/encode/figures.mjs\`) are met, held against medians`;
  if (missed.length === 0) return `${count}.`;
  const rows = missed.map(({ case: name, name: what, value, limit, unit }) => [name, what, figure(value, unit), figure(limit, unit)]);
  return `${count}. Missed:\n\n${markdown([['case', 'bar', 'measured', 'at most'], ...rows])}`;
}
