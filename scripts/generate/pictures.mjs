#!/usr/bin/env node
/**
 * Takes the pictures for the documentation and the extension stores from the panel in real DevTools:
 *
 *   npm run pictures              the panel, in both themes and three widths
 *   npm run pictures -- --demo    also the demo, which takes some minutes
 *
 * `UNSPOOL_PICTURES_TO` names another folder than `docs/images`. Review the pictures before committing them.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runVitest } from '../testing/vitest.mjs';

process.env['UNSPOOL_PICTURES'] = '1';
const to = process.env['UNSPOOL_PICTURES_TO'];
if (to) mkdirSync(to, { recursive: true });

const steps = [['--project', 'e2e', 'tests/e2e/panel/panel-pictures.test.ts']];
if (process.argv.includes('--demo')) steps.push(['--project', 'e2e', 'tests/e2e/demo/demo-pictures.test.ts']);

const folder = mkdtempSync(join(tmpdir(), 'unspool-pictures-'));
try {
  for (const step of steps) process.exitCode ||= await runVitest(step, { summary: join(folder, 'summary.json'), minutes: 20 });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
