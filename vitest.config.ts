import { playwright } from '@vitest/browser-playwright';
import { defineConfig, type TestProjectConfiguration } from 'vitest/config';
import type { BrowserProviderOption } from 'vitest/node';
import { type Engine, findChromium, findFirefox, findWebKit } from './scripts/browsers.mjs';
import { browserPackages } from './tests/setup/browser-packages.ts';
import { serveFolders } from './tests/setup/local-files.ts';
import { StallReporter } from './tests/setup/stall-reporter.ts';
import { serveStreams } from './tests/setup/stream-server.ts';
import { SummaryReporter } from './tests/setup/summary-reporter.ts';
import { serveTrips } from './tests/setup/trips-server.ts';
import { webkitGtk } from './tests/setup/webkit-provider.ts';
import { libraryAlias, sourceWorkerUrl } from './vite.config.ts';
import { FORMATS } from './worker/formats/registry.ts';

/**
 * Tests by where they run:
 *
 * | folder              | node | chromium, firefox, webkit | e2e                                        |
 * | tests/unit          | yes  | with UNSPOOL_UNIT=1       |                                            |
 * | tests/unit/<format> | yes  | yes                       |                                            |
 * | tests/conformance   | yes  | yes                       |                                            |
 * | tests/browser       |      | yes                       |                                            |
 * | tests/e2e           |      |                           | in Node, driving Chromium by Playwright     |
 *
 * `*.node.test.ts` runs in Node alone, wherever it lies. The projects run one after another, so that tests that watch
 * the clock have the machine to themselves.
 */
const everywhere = ['tests/conformance/**/*.test.ts'];
const units = ['tests/unit/**/*.test.ts'];
const formats = FORMATS.map(({ id }) => `tests/unit/${id}/**/*.test.ts`);
const inBrowsers = ['tests/browser/**/*.test.{ts,tsx}', ...everywhere, ...(process.env['UNSPOOL_UNIT'] ? units : formats)];

/** An engine that is not there is a project with one skipped test, so that its name is in the output. */
function absent(engine: Engine, groupOrder: number): TestProjectConfiguration {
  return {
    extends: true,
    test: {
      name: engine,
      include: ['tests/setup/absent-engine.test.ts'],
      env: { ENGINE: engine },
      sequence: { groupOrder },
    },
  };
}

function present(engine: Engine, groupOrder: number, provider: BrowserProviderOption): TestProjectConfiguration {
  return {
    extends: true,
    test: {
      // The instance has the engine's own name, and no two projects may share one.
      name: `in ${engine}`,
      include: inBrowsers,
      exclude: ['**/*.node.test.ts', 'tests/unit/demo-server/**'],
      sequence: { groupOrder },
      testTimeout: 30_000,
      browser: {
        enabled: true,
        // Neither provider shows a window; the one of WebKitGTK has no such switch.
        headless: provider.name === 'playwright',
        ui: false,
        screenshotFailures: false,
        provider,
        instances: [{ browser: engine, name: engine }],
      },
    },
  };
}

function inEngine(engine: Engine, groupOrder: number): TestProjectConfiguration {
  const found = { chromium: findChromium, firefox: findFirefox, webkit: findWebKit }[engine]();
  if (!found) return absent(engine, groupOrder);
  if ('driver' in found) return present(engine, groupOrder, webkitGtk(found));
  return present(engine, groupOrder, playwright({ launchOptions: found.launch }));
}

export default defineConfig({
  plugins: [sourceWorkerUrl(), serveFolders(), serveStreams(), serveTrips()],
  resolve: { alias: libraryAlias },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  server: { headers: { 'Service-Worker-Allowed': '/' } },
  optimizeDeps: { include: browserPackages() },
  test: {
    reporters: ['default', new SummaryReporter(), new StallReporter()],
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          environment: 'node',
          include: [...units, ...everywhere],
          sequence: { groupOrder: 1 },
          testTimeout: 60_000,
        },
      },
      inEngine('chromium', 2),
      inEngine('firefox', 3),
      inEngine('webkit', 4),
      {
        extends: true,
        test: {
          name: 'e2e',
          environment: 'node',
          include: ['tests/e2e/**/*.test.ts'],
          // It makes the pictures of the documentation.
          exclude: process.env['UNSPOOL_PICTURES'] ? [] : ['tests/e2e/panel-pictures.test.ts'],
          globalSetup: ['tests/setup/build.ts'],
          // They share the browser's and the machine's time.
          fileParallelism: false,
          sequence: { groupOrder: 5 },
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
