/** Runs the files of the guide on testing, with the packed library in the tools that it names, which are installed for this test only. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../scripts/run.mjs';
import { chromiumLaunch } from '../setup/browsers/chromium.ts';
import { canInstall, install } from '../setup/build/npm.ts';
import { makeApplication } from './bundlers/package.ts';

const run = promisify(execFile);
const isPossible = await canInstall();
let folder: string;
let app: string;

beforeAll(async () => {
  if (!isPossible) return;
  folder = await mkdtemp(join(tmpdir(), 'unspool-testing-'));
  app = join(folder, 'app');
  await makeApplication(app);
  await writeFile(join(app, 'vitest.config.js'), 'export default { test: { restoreMocks: true } };');
  const guide = await readFile(join(ROOT, 'docs/guides/testing.md'), 'utf8');
  for (const [, name, code] of guide.matchAll(/^```js\n\/\/ (\S+)\n(.*?)^```/gms)) await writeFile(join(app, name!), code!);
  const page = await readFile(join(app, 'trips.page.test.js'), 'utf8');
  await writeFile(join(app, 'trips.happy.test.js'), page.replace('environment jsdom', 'environment happy-dom'));
  // In jsdom, which Jest gives no Worker and timers that are numbers.
  await writeFile(join(app, 'trips.dom.jest.mjs'), await readFile(join(app, 'trips.jest.mjs')));
  await install(app, 'vitest@4', 'jsdom@29', 'happy-dom@21', 'msw@2', 'jest@30', 'jest-environment-jsdom@30');
});

afterAll(async () => {
  if (isPossible) await rm(folder, { recursive: true, force: true });
});

/** Runs a package's command in the application, without the settings of the run of this test. */
async function command(file: string, ...options: string[]): Promise<string> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_OPTIONS|JEST)/.test(name)));
  const { stdout, stderr } = await run(process.execPath, ['--experimental-vm-modules', join(app, 'node_modules', file), ...options], {
    cwd: app,
    env: { ...env, NODE_OPTIONS: '--experimental-vm-modules', NODE_ENV: 'test' },
  }).catch((error: { stdout: string; stderr: string }) => error);
  return stdout + stderr;
}

describe.skipIf(!isPossible)('the guide on testing', () => {
  it.each(['trips.node.test.js', 'trips.page.test.js', 'trips.happy.test.js', 'trips.msw.test.js'])('runs in Vitest: %s', async (name) => {
    expect(await command('vitest/vitest.mjs', 'run', name)).toMatch(/Tests .*[12] passed(?!.*failed)/);
  });

  it.each([
    ['trips.jest.mjs', 'node', 'node'],
    ['trips.jest.cjs', 'node', 'node'],
    ['trips.dom.jest.mjs', './page-environment.cjs', 'browser'],
    ['trips.dom.jest.mjs', './page-environment.cjs', 'node'],
  ])('runs in Jest: %s in %s, with the files for %s', async (name, testEnvironment, condition) => {
    const testEnvironmentOptions = { customExportConditions: [condition] };
    const config = { testEnvironment, testEnvironmentOptions, transform: {}, testMatch: [`**/${name}`] };
    expect(await command('jest/bin/jest.js', '--config', JSON.stringify(config))).toMatch(/Tests: +1 passed, 1 total/);
  });

  it('answers requests of a page in Playwright', async () => {
    const { routeTrips } = (await import(join(app, 'trips.playwright.mjs'))) as { routeTrips: (page: unknown, trips: unknown) => Promise<void> };
    const { encodeSync } = (await import(join(app, 'node_modules/unspool/dist/sync.js'))) as typeof import('../../main/sync.ts');
    const { default: messagepack } = await import('../../core/formats/messagepack/writer.ts');
    const browser = await chromium.launch(chromiumLaunch());
    try {
      const page = await browser.newPage();
      await routeTrips(page, [{ id: 1 }]);
      await page.route('**/', (route) => route.fulfill({ contentType: 'text/html', body: '' }));
      await page.goto('http://localhost/');
      const bytes = await page.evaluate(async () => [...new Uint8Array(await (await fetch('/trips')).arrayBuffer())]);
      expect(Uint8Array.from(bytes)).toEqual(encodeSync(messagepack, [{ id: 1 }]));
    } finally {
      await browser.close();
    }
  });
});
