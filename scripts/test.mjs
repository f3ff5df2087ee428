#!/usr/bin/env node
/**
 * Finds or installs the browsers, then runs the tests. What follows goes to Vitest, such as
 * `npm test -- --project chromium tests/browser/pool.test.ts`.
 */
import { provide } from './browsers.mjs';
import { runPackage } from './run.mjs';

process.exitCode = provide() ? runPackage('vitest', ['run', ...process.argv.slice(2)]) : 1;
