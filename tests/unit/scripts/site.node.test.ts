/** Parts of the documents that the site takes; `npm run site` builds it and checks its links. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FORMATS, NAMED_FORMS } from '../../../core/formats/registry.ts';
import { ROOT } from '../../../scripts/run.mjs';

interface Figure {
  name: string;
  own: string;
  other: string;
}

/** Range of a bar, as shares of its cell. */
interface Bar {
  from: number;
  to: number;
}

it('draws a bar for each ratio of a table, and for nothing else', async () => {
  const { barOf } = (await import('../../../site/.vitepress/ratio-bars.mjs')) as {
    barOf: (this: void, cell: string, heading: string) => Bar | undefined;
  };
  expect(barOf('**0.75 ×**', 'Unspool')).toEqual({ from: 0, to: 0.25 });
  expect(barOf('1.5–2.25', 'rows ÷')).toEqual({ from: 0.5, to: 0.75 });
  expect(barOf('4.21', '× `JSON.parse`')).toEqual({ from: 0, to: 1 });
  const others = [
    ['1.5', 'time, ms'],
    ['4.2 ms', 'rows ÷'],
    ['', 'rows ÷'],
    ['1 (146 ms)', '`JSON.parse`'],
  ] as const;
  for (const [cell, heading] of others) expect(barOf(cell, heading)).toBeUndefined();
});

it('the figures of the front page are rows of the table in the README, and its number of formats that of the registry', async () => {
  const { default: figures } = (await import('../../../site/.vitepress/figures.data.mjs')) as {
    default: { load(): { figures: Figure[]; formats: number } };
  };
  const { figures: found, formats } = figures.load();
  expect(found).toHaveLength(3);
  expect(formats).toBe(FORMATS.length + NAMED_FORMS.length);
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  for (const { name, own, other } of found) {
    expect(own).toMatch(/^[\d.,]+ (?:s|ms|×)$/);
    expect(other).toMatch(/^[\d.,]+ (?:s|ms)$/);
    expect(readme.split('\n').find((line) => line.startsWith(`| ${name} |`))).toContain(`**${own}**`);
  }
});

it('the site is no workspace, and installs what its own lockfile names', () => {
  const { workspaces } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { workspaces: string[] };
  expect(workspaces).not.toContain('site');
  const lockfile = JSON.parse(readFileSync(join(ROOT, 'site/package-lock.json'), 'utf8')) as { packages: Record<string, { integrity?: string }> };
  const packages = Object.entries(lockfile.packages).filter(([path]) => path !== '');
  expect(packages.filter(([, { integrity }]) => integrity === undefined)).toEqual([]);
});
