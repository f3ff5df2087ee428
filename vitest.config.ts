import { playwright } from '@vitest/browser-playwright';
import { defineConfig, type TestProjectConfiguration } from 'vitest/config';
import type { BrowserProviderOption } from 'vitest/node';
import { ENGINES, type Engine, findChromium, findFirefox, findWebKit } from './scripts/browsers.mjs';
import { browserPackages } from './tests/setup/browsers/browser-packages.ts';
import { chromiumLaunch } from './tests/setup/browsers/chromium.ts';
import { serveFolders } from './tests/setup/servers/local-files.ts';
import { StallReporter } from './tests/setup/reporters/stall-reporter.ts';
import { serveCopyingWorker } from './tests/setup/servers/copying-worker.ts';
import { echoSockets } from './tests/setup/servers/echo-sockets.ts';
import { feedSockets } from './tests/setup/servers/feed-sockets.ts';
import { serveEvents } from './tests/setup/servers/event-server.ts';
import { serveStreams } from './tests/setup/servers/stream-server.ts';
import { SummaryReporter } from './tests/setup/reporters/summary-reporter.ts';
import { serveTrips } from './tests/setup/servers/trips-server.ts';
import { serveWorkers } from './tests/setup/servers/worker-scripts.ts';
import { webkitGtk } from './tests/setup/browsers/webkit-provider.ts';
import { sourceUrls } from './scripts/build/library.mjs';
import { libraryAlias } from './vite.config.ts';
import { FORMATS } from './core/formats/registry.ts';

/**
 * Tests by where they run:
 *
 * | folder              | node | chromium, firefox, webkit | e2e                                     |
 * | tests/unit          | yes  | with UNSPOOL_UNIT=1       |                                         |
 * | tests/unit/core/formats, tables of tests/unit/main | yes | yes, in `<engine>-formats` |        |
 * | tests/conformance   | yes  | yes, in `<engine>-formats` |                                        |
 * | tests/matrix        | yes  | in chromium, fewer cases  |                                         |
 * | tests/browser       |      | yes, a page for each file |                                         |
 * | tests/e2e           |      |                           | in Node, driving Chromium by Playwright |
 *
 * `*.node.test.ts` runs in Node alone, wherever it lies. No test asserts a time, so that two files at once can share a
 * small machine: first those of Node, then the browsers one after another, and the end-to-end tests at the same time.
 *
 * `UNSPOOL_TIER` says how much of it, see `scripts/test.mjs`; without it, all of it is there to be chosen from. `quick` is
 * what `npm test` runs: `node` with `tests/unit` alone, where properties have a twentieth of their cases or less, `chromium` without those of the
 * panel, of sockets and of the examples, and `smoke`, some of the end-to-end tests. `rest` is the deep tier without the files that the quick one has run
 * in the same place, with a tenth of the cases.
 */
const tier = process.env['UNSPOOL_TIER'];
/** Limits end what hangs. They are multiplied on a machine that is known to be busy: see `scripts/testing/steady.mjs`. */
const patience = Number(process.env['UNSPOOL_PATIENCE'] ?? 1);
/** Variables that select cases of the matrix. */
const forHeld = Object.fromEntries(['HELD', 'HELD_BYTES'].flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])));
const everywhere = ['tests/conformance/**/*.test.ts'];
const units = ['tests/unit/**/*.test.ts'];
const growth = ['tests/unit/growth/**/*.test.ts'];
/** Every way to call the library with every format and shape: values and errors. */
const matrix = ['tests/matrix/values.test.ts'];
/** The work that they take: few cases after the quick tier. */
const matrixWork = ['tests/matrix/work.node.test.ts'];
/** The bytes that they make: few cases in the quick tier. */
const matrixMade = ['tests/matrix/made.node.test.ts'];
/** The bytes that they hold: few cases in the quick tier. */
const matrixHeld = ['tests/matrix/held.test.ts'];
/**
 * The slowest, which only the deep tier runs: the growth of work, the bytes of the demo's encoders, the schemas found in the scripts
 * of built applications, and what needs many or large payloads.
 */
const DEEP_ONLY = [
  ...growth,
  'tests/unit/core/kernels/items.test.ts',
  'tests/unit/core/sinks/columns/raw.test.ts',
  'tests/unit/core/writing/deep.test.ts',
  'tests/unit/core/writing/many-structures.test.ts',
  'tests/unit/demo/server/encode.test.ts',
  'tests/unit/examples/long-log.node.test.ts',
  'tests/unit/main/encoder/transcode.test.ts',
  'tests/unit/main/previous/memory.node.test.ts',
  'tests/unit/main/streams/held.node.test.ts',
  'tests/unit/panel/detection/detection-set.node.test.ts',
  'tests/unit/panel/editing/edit.node.test.ts',
  'tests/unit/panel/detection/bombs.node.test.ts',
  'tests/unit/panel/fuzz.node.test.ts',
  'tests/unit/panel/schemas/found-built-types.node.test.ts',
  'tests/unit/panel/schemas/found.node.test.ts',
];
/** Tables and views of rows, which are equal to arrays in each engine. */
const tables = ['tests/unit/main/tables/{tables-property,views}.test.ts'];
const formats = FORMATS.map(({ id }) => `tests/unit/core/formats/${id}/**/*.test.ts`);
const browserOnly = ['tests/browser/**/*.test.{ts,tsx}'];
/** Tests of the browser that are tests of Node too, whose engine is Chromium's. */
const AS_IN_NODE = [
  'tests/browser/core/slicing/json/json-slices.test.ts',
  'tests/browser/main/previous/previous.test.ts',
  'tests/browser/main/streams/chunk-kinds.test.ts',
];
/** Tests of the browser that the quick tier leaves to the rest: those of the panel, of sockets and of the examples, and some slow ones. */
const AFTER_QUICK = [
  'tests/browser/panel/**/*.test.{ts,tsx}',
  'tests/browser/examples/**/*.test.{ts,tsx}',
  'tests/browser/main/socket/**/*.test.ts',
  'tests/browser/main/streams/batches.test.ts',
  'tests/browser/main/decoder/{pool,reactive-options}.test.ts',
];
/**
 * The tests of formats and of tables that run in an engine, and the conformance tests. After the quick tier, which has run the former
 * in Node, each format has its unit tests in one of Firefox and WebKitGTK, and its conformance tests in the other, without the large
 * documents; `npm run test:deep` runs all in both.
 */
function ofFormatsIn(engine: Engine): string[] {
  if (tier !== 'rest' || engine === 'chromium') return [...formats, ...tables, ...everywhere];
  const inFirefox = (index: number): boolean => index % 2 === 0;
  return [
    ...tables,
    'tests/conformance/{witnesses,witnesses-writer,json-numbers}.test.ts',
    ...FORMATS.map(({ id }, index) => (inFirefox(index) === (engine === 'firefox') ? formats[index]! : `tests/conformance/${id}.test.ts`)),
  ];
}
/**
 * The tests of a browser project. Tests of formats and conformance tests share one page, since they change nothing outside their modules:
 * a new page for each file takes two seconds in Firefox. The tests of `tests/browser` have a page for each file.
 */
interface InBrowser {
  readonly name: Engine | `${Engine}-formats`;
  readonly include: string[];
  readonly isolate: boolean;
}
const inPages = (engine: Engine): InBrowser => ({
  name: engine,
  include: browserTestsIn(engine),
  isolate: true,
});
const inOnePage = (engine: Engine): InBrowser => ({
  name: `${engine}-formats`,
  include: process.env['UNSPOOL_UNIT'] ? [...units, ...everywhere] : ofFormatsIn(engine),
  isolate: false,
});
const smoke = ['tests/e2e/smoke.test.ts', 'tests/e2e/demo/demo-payloads.test.ts'];

/** Take some gigabytes of memory, an hour of messages, or thousands of requests. Only `npm run test:deep` runs them, not CI. */
const NOT_IN_CI = ['tests/e2e/large.test.ts', 'tests/e2e/panel/panel-hour.test.ts', 'tests/e2e/panel/panel-many.test.ts'];

/** Files that the quick tier has run. */
const ranBefore = (files: readonly string[]): readonly string[] => (tier === 'rest' ? files : []);

/** Tests of what engines do differently, which run in each of them also after the quick tier. */
const IN_EACH_ENGINE = 'tests/browser/main/decoder/{decode,fetch}.test.ts';
/** The other tests that WebKitGTK runs after the quick tier; Firefox runs the rest. `npm run test:deep` runs all in both. */
const FOR_WEBKIT = [
  'tests/browser/{core,examples}/**/*.test.ts',
  'tests/browser/main/{live,previous,socket}/**/*.test.ts',
  'tests/browser/main/decoder/{clones,codecs,csp,kernel,lengths,pool}.test.ts',
  'tests/browser/main/encoder/{encoder,other-realm,shared-bytes}.test.ts',
  'tests/browser/main/rows/{empty-lists,other-realm,parts}.test.ts',
  'tests/browser/main/streams/{batches,chunk-kinds}.test.ts',
];
const IN_CHROMIUM_ALONE = ['tests/browser/panel/**'];

/** The browser tests that an engine runs. */
function browserTestsIn(engine: Engine): string[] {
  if (engine === 'chromium' && tier === 'rest') return [...AFTER_QUICK, ...matrix];
  if (engine === 'chromium') return [...browserOnly, ...(tier === 'quick' ? [] : matrix), ...matrixHeld];
  return engine === 'webkit' && tier === 'rest' ? [IN_EACH_ENGINE, ...FOR_WEBKIT] : browserOnly;
}

/** Tests that an engine skips. No WebKit browser has the panel. */
const notIn: Readonly<Record<Engine, readonly string[]>> = {
  // Chromium's engine runs the tests of formats and the conformance tests in Node.
  chromium: [...AS_IN_NODE, ...(tier === 'quick' ? AFTER_QUICK : ranBefore([...formats, ...tables, ...everywhere]))],
  firefox: ranBefore([...FOR_WEBKIT, ...IN_CHROMIUM_ALONE]),
  webkit: tier === 'rest' ? IN_CHROMIUM_ALONE : ['tests/browser/panel/**'],
};

/** When a project runs, and in how many files at once. Those of one group must agree on the latter. */
const SHARE = {
  node: { sequence: { groupOrder: 1 }, maxWorkers: '100%' },
  inBrowsers: { sequence: { groupOrder: 2 }, maxWorkers: 2 },
} as const;

/** A project with one skipped test for a missing engine, so that its name is in the output. */
function absent(engine: Engine, { name }: InBrowser): TestProjectConfiguration {
  return {
    extends: true,
    test: {
      name,
      include: ['tests/setup/browsers/absent-engine.test.ts'],
      env: { ENGINE: engine },
      ...SHARE.inBrowsers,
    },
  };
}

function present(engine: Engine, provider: BrowserProviderOption, { name, include, isolate }: InBrowser): TestProjectConfiguration {
  return {
    extends: true,
    test: {
      // The instance has the project's own name, and no two projects may share one.
      name: `in ${name}`,
      include,
      exclude: ['**/*.node.test.ts', 'tests/unit/demo/server/**', ...notIn[engine]],
      isolate,
      ...SHARE.inBrowsers,
      setupFiles: ['tests/setup/browsers/patient-timers.ts'],
      env: { UNSPOOL_TIER: tier ?? 'deep', UNSPOOL_PATIENCE: String(patience), ...forHeld },
      browser: {
        enabled: true,
        // In the deep tier, the end-to-end tests take the second core.
        fileParallelism: tier === 'quick',
        // Neither provider shows a window; the one of WebKitGTK has no such switch.
        headless: provider.name === 'playwright',
        ui: false,
        screenshotFailures: false,
        provider,
        instances: [{ browser: engine, name }],
      },
    },
  };
}

function inEngine(engine: Engine, what: InBrowser): TestProjectConfiguration {
  const found = { chromium: findChromium, firefox: findFirefox, webkit: findWebKit }[engine]();
  if (!found) return absent(engine, what);
  if ('driver' in found) return present(engine, webkitGtk(found), what);
  return present(engine, playwright({ launchOptions: engine === 'chromium' ? chromiumLaunch() : found.launch }), what);
}

function endToEnd(name: 'e2e' | 'smoke', include: string[]): TestProjectConfiguration {
  return {
    extends: true,
    test: {
      name,
      environment: 'node',
      include,
      // Some make the pictures of the documentation.
      exclude: [...(process.env['UNSPOOL_PICTURES'] ? [] : ['tests/e2e/**/*-pictures.test.ts']), ...ranBefore([...smoke, ...NOT_IN_CI])],
      globalSetup: ['tests/setup/build/build.ts'],
      // As in Node, files share the modules that they import.
      isolate: false,
      ...SHARE.inBrowsers,
    },
  };
}

const inNode: TestProjectConfiguration = {
  extends: true,
  test: {
    name: 'node',
    environment: 'node',
    setupFiles: ['tests/setup/values/plain-equality.ts'],
    // Files share the modules that they import, which takes a third less time. A test of what a module has loaded or counted
    // calls `vi.resetModules()` first.
    isolate: false,
    include: { quick: [...units, ...matrix, ...matrixHeld], rest: [...DEEP_ONLY, ...everywhere] }[tier ?? ''] ?? [...units, ...everywhere, ...matrix],
    exclude: tier === 'quick' ? DEEP_ONLY : growth,
    ...SHARE.node,
  },
};

/** Counts work or bytes in the whole process, so each file runs in a process of its own. */
const ofGrowth: TestProjectConfiguration = {
  extends: true,
  test: {
    name: 'growth',
    environment: 'node',
    include: { quick: matrixMade, rest: [...growth, ...matrixWork] }[tier ?? ''] ?? [...growth, 'tests/matrix/*.node.test.ts', ...matrixHeld],
    ...SHARE.node,
  },
};

const projects =
  tier === 'quick'
    ? [inNode, ofGrowth, inEngine('chromium', inPages('chromium')), endToEnd('smoke', smoke)]
    : [
        inNode,
        ofGrowth,
        ...ENGINES.flatMap((engine) => [inEngine(engine, inPages(engine)), inEngine(engine, inOnePage(engine))]),
        endToEnd('e2e', ['tests/e2e/**/*.test.ts']),
      ];

export default defineConfig({
  plugins: [
    sourceUrls(),
    serveFolders(),
    serveStreams(),
    serveEvents(),
    serveCopyingWorker(),
    echoSockets(),
    feedSockets(),
    serveTrips(),
    serveWorkers(),
  ],
  resolve: { alias: libraryAlias },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  server: { headers: { 'Service-Worker-Allowed': '/' } },
  optimizeDeps: { include: browserPackages() },
  test: {
    // These limits end what hangs. No test asserts a time.
    testTimeout: 300_000 * patience,
    hookTimeout: 120_000 * patience,
    expect: { poll: { timeout: 60_000 * patience } },
    // Vitest reads this one here alone, not in the projects.
    browser: { connectTimeout: 120_000 * patience },
    reporters: ['default', new SummaryReporter(), new StallReporter(6 * patience)],
    projects,
  },
});
