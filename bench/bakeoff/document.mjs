import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { encodingPart } from '../encode/document.mjs';
import { caseOf, contenderOf } from '../ratios.mjs';
import { duration, size } from '../table.mjs';
import { FORMAT_NAMES } from './cases.mjs';
import { barChart } from './chart.mjs';
import { sizeTables } from './published.mjs';
import { callTable, failures, leftoversTable, resultTables } from './tables.mjs';

/** @typedef {import('../statistics.mjs').Result} Result */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DOCUMENT = join(ROOT, 'docs/internals/BAKEOFF.md');
const CHARTS = join(ROOT, 'docs/internals/bakeoff');

/**
 * Writes `docs/internals/BAKEOFF.md` and its charts from the figures of a run.
 *
 * @param {import('./run.mjs').Outcome} outcome
 * @returns {Promise<string[]>} the files
 */
export async function writeDocument(outcome) {
  await mkdir(CHARTS, { recursive: true });
  /** @type {string[]} */
  const files = [];
  const charts = new Map();
  for (const [group, svg] of timeCharts(outcome.results)) {
    const file = join(CHARTS, `${group}.svg`);
    await writeFile(file, svg);
    charts.set(group, relative(join(ROOT, 'docs/internals'), file));
    files.push(relative(ROOT, file));
  }
  const encoding = encodingPart(await readFile(DOCUMENT, 'utf8'));
  await writeFile(DOCUMENT, `${documentOf(outcome, charts)}${encoding === '' ? '' : `\n${encoding}\n`}`);
  return [relative(ROOT, DOCUMENT), ...files];
}

/**
 * Draws a chart for each group of rows, with all its results by format.
 *
 * @param {readonly Result[]} results
 * @returns {[group: string, svg: string][]}
 */
function timeCharts(results) {
  const groups = [...new Set(results.filter(({ rows }) => Number(rows) >= 100_000).map((result) => caseOf(result).group))];
  return groups.map((group) => {
    const rows = results.filter((result) => caseOf(result).group === group);
    return [
      group,
      barChart(
        `${group}: time to usable rows, to all plain objects, and the longest block of the main thread`,
        ['usable rows', 'all plain objects', 'longest block'],
        rows.map((result) => ({
          label: `${FORMAT_NAMES.get(caseOf(result).format)}: ${contenderOf(result).label}`,
          kind: contenderOf(result).kind,
          values: [result.readyMs, result.totalMs, result.longestBlockMs],
          texts:
            result.error === undefined
              ? [duration(result.readyMs), result.totalMs === null ? 'when read' : duration(result.totalMs), duration(result.longestBlockMs)]
              : ['failed', '', ''],
        })),
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

Every library of each format next to Unspool. \`npm run bench -- --bakeoff\` writes this page and its charts, in one run of one browser.

${browser} on ${machine.cores} × ${machine.cpu}, ${size(machine.memoryBytes)} of memory, ${machine.system}, ${date.slice(0, 10)}; load ${machine.load} at the start.

- **Usable rows**: from bytes in memory until the first screen of rows has been read, directly from views or messages where a library returns these.
- **All plain objects**: until every row is a plain object, with a \`Date\` for each time that the format stores as a number or date (JSON, MessagePack and CBOR store text). Converting a library's own objects is included.
- **× fastest peer**: the time to all plain objects, or else to usable rows, divided by that of the library that builds all plain objects of the format fastest on the main thread.
- **Longest block**: the longest time during which no task of input priority could run; for libraries, their whole time.
- Times are medians. Each contender has a process of its own and has decoded a smaller payload; its values are compared with those of \`JSON.parse\`. After 60 s it is stopped.

The data are generated and identical in every run: \`trips\` are bike trips of 13 fields, \`numbers\` is \`{ items: [{ x, y, z }] }\` with doubles that use every bit.

## Sizes

${sizeTables(sizes)}

## Times

${resultTables(results, charts)}

${failures(results)}

${smallPayloads(results)}## What each decoder leaves behind

Observed on a page whose Content Security Policy forbids code generation, by decoding 1,000 trips, and \`{"__proto__": {"a": 1}, "b": 2}\` if the format can express it. Decoders without a row leave nothing.

${leftoversTable(leftovers)}
`;
}

/** @param {readonly Result[]} results */
function smallPayloads(results) {
  const calls = callTable(results);
  if (calls === '') return '';
  return `## Small payloads

One of many awaited calls that decode 3 or 8 trips to plain objects with Dates.

${calls}

`;
}
