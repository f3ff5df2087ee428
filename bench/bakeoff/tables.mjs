import { caseOf, contenderOf, fastestMain, ratio } from '../ratios.mjs';
import { megabytes, milliseconds } from '../table.mjs';
import { BAKEOFF_CONTENDERS, FORMAT_NAMES } from './cases.mjs';

/** @typedef {import('../statistics.mjs').Result} Result */

/**
 * A table of each group without a chart and of the largest payload of each dataset; the charts show the times of the others.
 *
 * @param {readonly Result[]} results
 * @param {ReadonlyMap<string, string>} charts by group
 */
export function resultTables(results, charts) {
  const groups = [...new Set(results.filter((result) => caseOf(result).mode === 'once').map((result) => caseOf(result).group))];
  const datasetOf = (/** @type {string} */ group) => group.slice(0, group.lastIndexOf('-'));
  return groups
    .map((group, index) => {
      const own = results.filter((result) => caseOf(result).group === group);
      const chart = charts.has(group) ? `![${group}: times and longest blocks](${charts.get(group)})` : '';
      const count = own[0].rows === null ? '' : `, ${own[0].rows.toLocaleString('en')} rows`;
      const top = `### ${group}${count}${chart === '' ? '' : `\n\n${chart}`}`;
      // Payloads of a dataset come in ascending order.
      const isLargest = !groups.slice(index + 1).some((other) => charts.has(other) && datasetOf(other) === datasetOf(group));
      if (chart !== '' && !isLargest) return top;
      const rows = own.map((result) => {
        const name = `${FORMAT_NAMES.get(caseOf(result).format)}`;
        const { label, kind, loses } = contenderOf(result);
        const shown = kind === 'unspool' ? `**${label}**` : `${label}${loses ? ' ¹' : ''}`;
        if (result.error !== undefined) return [name, shown, reasonOf(result.error), '', '', '', ''];
        return [
          name,
          shown,
          milliseconds(result.readyMs),
          result.totalMs === null ? 'when read' : milliseconds(result.totalMs),
          ratioText(ratio(result.totalMs ?? result.readyMs, fastestMain(own, result)?.totalMs)),
          kind === 'unspool' ? milliseconds(result.longestBlockMs) : '',
          megabytes(result.peakBytes),
        ];
      });
      const head = ['format', '', 'usable rows, ms', 'all plain objects, ms', '× fastest peer', 'longest block, ms', 'peak memory, MB'];
      const note = own.some((result) => contenderOf(result).loses) ? '\n\n¹ Its values differ: absent fields become empty strings and 0.' : '';
      return `${top}\n\n${table(head, namedOnce(rows))}${note}`;
    })
    .join('\n\n');
}

/**
 * Compares the time of a call for a small payload with that of the fastest library. Empty if none was measured.
 *
 * @param {readonly Result[]} results
 */
export function callTable(results) {
  const rows = results.flatMap((result) => {
    if (caseOf(result).mode !== 'calls' || contenderOf(result).kind !== 'unspool') return [];
    const fastest = fastestMain(results, result);
    const name = String(FORMAT_NAMES.get(caseOf(result).format));
    if (!fastest) return [[name, result.bytes.toLocaleString('en'), microseconds(result.totalMs), '', '', '']];
    return [
      [
        name,
        result.bytes.toLocaleString('en'),
        microseconds(result.totalMs),
        contenderOf(fastest).label,
        microseconds(fastest.totalMs),
        ratioText(ratio(result.totalMs, fastest.totalMs)),
      ],
    ];
  });
  return rows.length === 0 ? '' : table(['format', 'bytes', '**Unspool**, µs', 'fastest library', 'µs', '× that library'], rows);
}

/** @param {string} error */
function reasonOf(error) {
  if (/crash|closed|Target/i.test(error)) return 'crashed';
  return error
    .replace(/^page\.evaluate: /, '')
    .replaceAll('|', '\\|')
    .slice(0, 90);
}

/**
 * Names the payloads that a contender failed to decode.
 *
 * @param {readonly Result[]} results
 */
export function failures(results) {
  const failed = results.filter(({ error }) => error !== undefined);
  if (failed.length === 0) return 'Every contender decoded every payload.';
  const names = failed.map((result) => `${contenderOf(result).label} ${caseOf(result).group} (${reasonOf(String(result.error))})`);
  return `Not decoded: ${names.join('; ')}. Every other contender decoded every payload.`;
}

/** @param {readonly import('./leftovers.mjs').Leftover[]} leftovers */
export function leftoversTable(leftovers) {
  const labels = new Map(BAKEOFF_CONTENDERS.map((contender) => [contender.id, contender]));
  const rows = leftovers.flatMap((left) => {
    const contender = labels.get(left.contender);
    const label = contender?.kind === 'unspool' ? '**Unspool**' : String(contender?.label);
    const { prototype, getters, unwrap, renamed, extra, proto, codegen } = left;
    const found = [prototype, getters, unwrap, renamed, extra, proto === 'own property' ? '' : proto, codegen === 'no' ? '' : codegen];
    return found.every((cell) => cell === '' || cell === '–') ? [] : [[String(FORMAT_NAMES.get(left.format)), label, ...found]];
  });
  const head = ['format', '', 'prototype', 'behind getters', 'needs unwrapping', 'renamed', 'extra properties', '`__proto__`', 'generated code'];
  return table(head, namedOnce(rows));
}

/**
 * @param {readonly string[]} head
 * @param {readonly (readonly string[])[]} rows
 */
export function table(head, rows) {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/**
 * Leaves the first cell of a row empty if it repeats that of the row before.
 *
 * @param {readonly (readonly string[])[]} rows
 */
export function namedOnce(rows) {
  return rows.map((cells, index) => (cells[0] === rows[index - 1]?.[0] ? ['', ...cells.slice(1)] : cells));
}

/** @param {number | null} value */
function ratioText(value) {
  return value?.toFixed(2) ?? '–';
}

/** @param {number | null} milliseconds */
function microseconds(milliseconds) {
  if (milliseconds === null) return '–';
  return milliseconds < 1 ? (milliseconds * 1000).toPrecision(3) : Math.round(milliseconds * 1000).toLocaleString('en');
}
