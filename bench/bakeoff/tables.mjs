import { BASELINE_FORMAT, isBaseline } from '../cases.mjs';
import { caseOf, contenderOf, fastestMain, ratio } from '../ratios.mjs';
import { duration, size, times } from '../table.mjs';
import { BAKEOFF_CONTENDERS, FORMAT_NAMES, FORMATS } from './cases.mjs';

/** @typedef {import('../statistics.mjs').Result} Result */

/** @param {string} group @param {string} format @param {readonly import('./sizes.mjs').Size[]} sizes */
const sizeIn = (group, format, sizes) => sizes.find((sized) => sized.group === group && sized.format === format);

/** @param {readonly import('./sizes.mjs').Size[]} sizes */
export function sizeTable(sizes) {
  const groups = [...new Set(sizes.map(({ group }) => group))];
  return groups
    .map((group) => {
      const json = sizeIn(group, BASELINE_FORMAT, sizes)?.bytes;
      const isCompressed = sizes.some((sized) => sized.group === group && sized.gzip !== null);
      const head = isCompressed ? ['bytes', '× JSON', 'gzip', 'Brotli'] : ['bytes', '× JSON'];
      const rows = FORMATS.flatMap((format) => {
        const sized = sizeIn(group, format, sizes);
        if (!sized) return [];
        const cells = [size(sized.bytes), (ratio(sized.bytes, json) ?? 0).toFixed(2)];
        return [[String(FORMAT_NAMES.get(format)), ...cells, ...(isCompressed ? [size(sized.gzip), size(sized.brotli)] : [])]];
      });
      return table([group, ...head], rows);
    })
    .join('\n\n');
}

/**
 * @param {readonly Result[]} results
 * @param {ReadonlyMap<string, string>} charts by group
 */
export function resultTables(results, charts) {
  const groups = [...new Set(results.filter((result) => caseOf(result).mode === 'once').map((result) => caseOf(result).group))];
  return groups
    .map((group) => {
      const own = results.filter((result) => caseOf(result).group === group);
      const baseline = own.find((result) => isBaseline(caseOf(result).format, result.contender));
      const rows = own.map((result) => {
        const name = `${FORMAT_NAMES.get(caseOf(result).format)}`;
        const { label, kind, loses } = contenderOf(result);
        const shown = kind === 'unspool' ? `**${label}**` : `${label}${loses ? ' ¹' : ''}`;
        if (result.error !== undefined) return [name, shown, reasonOf(result.error), '', '', '', '', ''];
        return [
          name,
          shown,
          duration(result.readyMs),
          result.totalMs === null ? 'as they are read' : duration(result.totalMs),
          times(ratio(result.readyMs, baseline?.readyMs)),
          times(ratio(result.totalMs ?? result.readyMs, fastestMain(own, result)?.totalMs)),
          duration(result.longestBlockMs),
          size(result.peakBytes),
        ];
      });
      const chart = charts.has(group) ? `![${group}: times and longest blocks](${charts.get(group)})\n\n` : '';
      const count = own[0].rows === null ? '' : `, ${own[0].rows.toLocaleString('en')} rows`;
      const head = ['format', '', 'usable rows', 'all plain objects', '× `JSON.parse`', '× fastest peer', 'longest block', 'peak memory'];
      const note = own.some((result) => contenderOf(result).loses) ? '\n\n¹ Its values differ: absent fields become empty strings and 0.' : '';
      return `### ${group}${count}\n\n${chart}${table(head, rows)}${note}`;
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
    if (!fastest) return [[name, size(result.bytes), duration(result.totalMs), '', '', '']];
    return [
      [
        name,
        size(result.bytes),
        duration(result.totalMs),
        contenderOf(fastest).label,
        duration(fastest.totalMs),
        times(ratio(result.totalMs, fastest.totalMs)),
      ],
    ];
  });
  return rows.length === 0 ? '' : table(['format', 'bytes', '**Unspool**', 'fastest library', '', '× that library'], rows);
}

/** @param {string} error */
function reasonOf(error) {
  if (/crash|closed|Target/i.test(error)) return 'crashed';
  return error
    .replace(/^page\.evaluate: /, '')
    .replaceAll('|', '\\|')
    .slice(0, 90);
}

/** @param {readonly Result[]} results */
export function survivalTable(results) {
  const rows = FORMATS.flatMap((format) =>
    BAKEOFF_CONTENDERS.filter(({ formats }) => formats.includes(format)).flatMap((contender) => {
      const own = results.filter((result) => result.contender === contender.id && caseOf(result).format === format);
      if (own.length === 0) return [];
      const bySize = (/** @type {readonly Result[]} */ list) => list.toSorted((a, b) => Number(b.rows ?? 0) - Number(a.rows ?? 0))[0];
      const largest = bySize(own.filter(({ error }) => error === undefined));
      const failed = own.filter(({ error }) => error !== undefined).toSorted((a, b) => Number(a.rows ?? 0) - Number(b.rows ?? 0))[0];
      const shown = contender.kind === 'unspool' ? `**${contender.label}**` : contender.label;
      return [
        [
          String(FORMAT_NAMES.get(format)),
          shown,
          largest ? `${caseOf(largest).group}, ${size(largest.bytes)}` : 'none',
          failed ? `${caseOf(failed).group}: ${reasonOf(String(failed.error))}` : '',
        ],
      ];
    }),
  );
  return table(['format', '', 'largest payload decoded', 'smallest that failed'], rows);
}

/** @param {readonly import('./leftovers.mjs').Leftover[]} leftovers */
export function leftoversTable(leftovers) {
  const labels = new Map(BAKEOFF_CONTENDERS.map((contender) => [contender.id, contender]));
  const rows = leftovers.map((left) => {
    const contender = labels.get(left.contender);
    const label = contender?.kind === 'unspool' ? '**Unspool**' : String(contender?.label);
    const { prototype, getters, unwrap, renamed, extra, proto, codegen } = left;
    return [
      String(FORMAT_NAMES.get(left.format)),
      label,
      prototype,
      getters,
      unwrap,
      renamed,
      extra,
      proto === 'own property' ? '' : proto,
      codegen === 'no' ? '' : codegen,
    ];
  });
  const head = ['format', '', 'prototype', 'behind getters', 'needs unwrapping', 'renamed', 'extra properties', '`__proto__`', 'generated code'];
  return table(head, rows);
}

/**
 * @param {readonly string[]} head
 * @param {readonly (readonly string[])[]} rows
 */
function table(head, rows) {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
