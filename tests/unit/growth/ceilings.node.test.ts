import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { FORMATS } from '../../../core/formats/registry.ts';
import { bundled } from '../../setup/build/bundled.mjs';
import { caseCount } from '../../setup/properties/case-count.ts';

const INPUTS = caseCount(3000, { least: 600 });

test('hostile input of every format gives a value or a typed error, and retains at most the limits plus 64 MB', async () => {
  await bundled(new URL('../../setup/work/ceilings.node.ts', import.meta.url), (path: string) => {
    for (const { id } of FORMATS) {
      // A small young generation, so that garbage awaiting collection does not count as retained.
      const { stdout, stderr } = spawnSync(process.execPath, ['--max-semi-space-size=2', path], {
        env: { ...process.env, UNSPOOL_FORMAT: id, UNSPOOL_INPUTS: String(INPUTS) },
        encoding: 'utf8',
      });
      expect(stdout, `${id}: ${stderr}`).toMatch(/^\{/);
      const { faults, refused, inputs } = JSON.parse(stdout) as { faults: string[]; refused: number; inputs: number };
      expect({ id, faults }).toEqual({ id, faults: [] });
      expect(Math.min(refused, inputs), id).toBeGreaterThan(0);
      if (process.env['WORK']) console.log(id, stdout);
    }
  });
});
