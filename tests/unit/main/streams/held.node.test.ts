import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { bundled } from '../../../setup/build/bundled.mjs';

const BYTES = 80e6;
/** Garbage that a forced collection leaves, chunks on their way, and rows that are kept. */
const SLACK = 8e6;

const cases = [
  { way: 'objects', root: 'list' },
  { way: 'rows', root: 'sequence' },
  { way: 'growingRows', root: 'list' },
];

test.each(cases)('memory stays flat while 80 MB of JSON pass on this thread: $way of a $root', async ({ way, root }) => {
  await bundled(new URL('../../../setup/work/held.node.ts', import.meta.url), (path: string) => {
    const { stdout, stderr } = spawnSync(process.execPath, ['--expose-gc', path], {
      env: { ...process.env, UNSPOOL_WAY: way, UNSPOOL_ROOT: root, UNSPOOL_BYTES: String(BYTES) },
      encoding: 'utf8',
    });
    expect(stdout, stderr).toMatch(/^\{/);
    const { held, items } = JSON.parse(stdout) as { held: number[]; items: number };
    expect(items).toBeGreaterThan(4e5);
    expect(held.length).toBeGreaterThan(6);
    expect(Math.max(...held) - held[0]!).toBeLessThan(SLACK);
  });
});
