import { expect, test } from 'vitest';
import { partOf } from './reports/report.ts';
import { REPORTS } from './reports/reports.ts';
import { SEAMS } from './reports/seams.node.ts';

const tables = new Map([...REPORTS, ['Requests, sockets, workers and realms', SEAMS]]);
const all = [...tables.values()].flat();

/** The page of the documentation. `vitest -u` writes it. */
function page(): string {
  const ids = new Set(all.map(({ report }) => report));
  const repositories = new Set(all.map(({ report }) => report.split('#')[0]));
  return [
    '# Public reports',
    '',
    `${ids.size} bug reports about ${repositories.size} other projects, and what this library does with the same input, or the smallest that shows the fault. “Right” is the value that the format’s specification asks for. \`tests/conformance/reports\` has what was reported, the inputs and the results; \`reports-table.node.test.ts\` compares this page with them (\`-u\` writes it).`,
    '',
    ...Array.from(tables, ([title, reports]) => partOf(title, reports)),
  ].join('\n');
}

test('the page of public reports lists those that are tried, with each result that is not plainly right', async () => {
  await expect(page()).toMatchFileSnapshot('../../docs/internals/reports.md');
});

test('each report has the form of an id, and what is said of it is no sentence with a full stop', () => {
  for (const { report, was } of all) {
    expect(report).toMatch(/^[\w.-]+\/[\w.-]+#\d+$/);
    expect(was).toMatch(/^\S.*[^.\s]$/);
  }
});
