import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { barChart } from '../report/bar-chart.mjs';
import { element } from '../report/markup.mjs';
import { caseOf, contenderOf } from '../ratios.mjs';
import { duration, size } from '../table.mjs';
import { FORMAT_NAMES, SIZE_GROUPS } from './cases.mjs';
import { publishedSizes } from './published.mjs';
import { callTable, leftoversTable, resultTables, sizeTable, survivalTable } from './tables.mjs';

/** @typedef {import('../statistics.mjs').Result} Result */

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const DOCUMENT = join(ROOT, 'docs/BAKEOFF.md');
/** Room for the labels of the charts: a format and a library. */
const LABELS = 290;
const CHARTS = join(ROOT, 'docs/bakeoff');

/**
 * Writes `docs/BAKEOFF.md` and its charts from the figures of a run.
 *
 * @param {import('./run.mjs').Outcome} outcome
 * @returns {Promise<string[]>} the files
 */
export async function writeDocument(outcome) {
  await mkdir(CHARTS, { recursive: true });
  const style = await chartStyle();
  /** @type {string[]} */
  const files = [];
  const charts = new Map();
  for (const [group, svg] of timeCharts(outcome.results)) {
    const file = join(CHARTS, `${group}.svg`);
    await writeFile(file, svg.replace('<svg ', `<svg xmlns="http://www.w3.org/2000/svg" width="960" `).replace('>', `>${style}`));
    charts.set(group, relative(join(ROOT, 'docs'), file));
    files.push(relative(ROOT, file));
  }
  await writeFile(DOCUMENT, documentOf(outcome, charts));
  return [relative(ROOT, DOCUMENT), ...files];
}

/** The report's style, of what is in a chart, with the background that it has there. */
async function chartStyle() {
  const style = await readFile(new URL('../report/style.css', import.meta.url), 'utf8');
  const rules = style.split(/\n(?=[^\s}])/).filter((rule) => /^(?::root|@media|svg)/.test(rule) && !rule.startsWith('svg {'));
  return `${element('style', {}, `${rules.join('\n')}\nsvg { font: 12.5px system-ui, sans-serif; }\n.page { fill: var(--page); }`)}<rect class="page" width="100%" height="100%"/>`;
}

/**
 * By group of rows a chart of all its results, format by format.
 *
 * @param {readonly Result[]} results
 * @returns {[group: string, svg: string][]}
 */
function timeCharts(results) {
  const groups = [...new Set(results.filter(({ rows }) => Number(rows) >= 100_000).map((result) => caseOf(result).group))];
  return groups.map((group) => {
    const rows = results.filter((result) => caseOf(result).group === group);
    const panels = [{ title: 'usable rows' }, { title: 'all plain objects' }, { title: 'longest block' }];
    return [
      group,
      barChart(
        `${group}: time to usable rows, to all plain objects, and the longest block of the main thread`,
        panels,
        rows.map((result) => ({
          label: `${FORMAT_NAMES.get(caseOf(result).format)}: ${contenderOf(result).label}`,
          kind: contenderOf(result).kind,
          values: [result.readyMs, result.totalMs, result.longestBlockMs],
          texts:
            result.error === undefined
              ? [duration(result.readyMs), result.totalMs === null ? 'as they are read' : duration(result.totalMs), duration(result.longestBlockMs)]
              : ['failed', '', ''],
        })),
        LABELS,
      ),
    ];
  });
}

/**
 * @param {import('./run.mjs').Outcome} outcome
 * @param {ReadonlyMap<string, string>} charts by group
 */
function documentOf({ machine, browser, date, results, sizes, leftovers }, charts) {
  return `# The bake-off

Every library of the field on its own format, and Unspool on all of them, each size in one run, in one browser. This document and its charts are written by \`npm run bench -- --bakeoff\`.

${browser} on ${machine.cores} × ${machine.cpu}, ${size(machine.memoryBytes)} of memory, ${machine.system}, ${date.slice(0, 10)}; load ${machine.load} at the start.

- **Usable rows**: from bytes in memory until the first screen of rows has been read. Where a library gives views or messages, these are read as they are.
- **All plain objects**: until every row is a plain object, with a Date for each time where the format keeps times as numbers or dates. Formats whose times are text (JSON, MessagePack, CBOR) keep them as text, and formats with a date type give Dates as they decode. The step from a library's own objects to plain ones is part of it, also for Unspool.
- **× fastest peer**: all plain objects, or the usable rows where there are no others, against all plain objects of the library of that format that makes them the fastest on the main thread.
- **Longest block**: the longest time in which no task of input's priority could run, over the whole of it.
- Times are medians. Each contender runs in a process of its own, after decoding a smaller payload. Every result is compared with that of \`JSON.parse\`, value by value.
- A contender that takes more than 60 s is stopped and said to.

The data: \`trips\` are bike trips of 13 fields; \`numbers\` is \`{ items: [{ x, y, z }] }\` with three doubles that use every bit. Both are generated, the same in every run.

## Sizes

${sizeTable(sizes)}

gzip is of level 6, Brotli of level 5, as servers compress while they answer.

### Compared with what has been published

${publishedSizes(sizes, SIZE_GROUPS)}

## Times

${resultTables(results, charts)}

${smallPayloads(results)}## The largest payload that each survives

${survivalTable(results)}

## What each decoder leaves behind

Looked at on a page whose Content Security Policy allows no code from text, by decoding 1,000 trips, and \`{"__proto__": {"a": 1}, "b": 2}\` where the format can say that. An empty cell is what one wishes for.

${leftoversTable(leftovers)}
`;
}

/** @param {readonly Result[]} results */
function smallPayloads(results) {
  const calls = callTable(results);
  if (calls === '') return '';
  return `## Small payloads

One call among many, to plain objects with Dates, awaited: 3 trips, and 8.

${calls}

`;
}
