#!/usr/bin/env node
/**
 * Finds or installs the browsers, then runs the tests. What follows goes to Vitest, such as
 * `npm test -- --project chromium tests/browser/decoder/pool.test.ts`.
 */
import { provide } from './browsers.mjs';
import { runVitest } from './vitest.mjs';

const summary = process.env['UNSPOOL_SUMMARY'];
process.exitCode = provide() ? await runVitest(process.argv.slice(2), { summary }) : 1;
