#!/usr/bin/env node
/**
 * Takes the pictures of the documentation and of the extension stores, from the panel in a real DevTools:
 *
 *   npm run pictures              those of the panel, in both themes and three widths
 *   npm run pictures -- --demo    those of the demo too, which takes some minutes
 *
 * `UNSPOOL_PICTURES_TO` names another folder than `docs/images`. Look at them before they are committed.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runVitest } from '../testing/vitest.mjs';

process.env['UNSPOOL_PICTURES'] = '1';
const to = process.env['UNSPOOL_PICTURES_TO'];
if (to) mkdirSync(to, { recursive: true });

const steps = [['--project', 'e2e', 'tests/e2e/panel/panel-pictures.test.ts']];
if (process.argv.includes('--demo')) steps.push(['--project', 'demo', 'tests/e2e/demo/demo-pictures.test.ts']);

const folder = mkdtempSync(join(tmpdir(), 'unspool-pictures-'));
try {
  for (const step of steps) process.exitCode ||= await runVitest(step, { summary: join(folder, 'summary.json'), minutes: 20 });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
