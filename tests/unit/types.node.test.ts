import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { REPOSITORY } from '../setup/imports.ts';

test('the public types are what tests/types says', () => {
  const folder = join(REPOSITORY, 'node_modules/typescript');
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { bin: { tsc: string } };
  const compiler = join(folder, bin.tsc);
  const { stdout, status } = spawnSync(process.execPath, [compiler, '-p', 'tests/types', '--pretty', 'false'], {
    cwd: REPOSITORY,
    encoding: 'utf8',
  });
  expect(stdout).toBe('');
  expect(status).toBe(0);
});
