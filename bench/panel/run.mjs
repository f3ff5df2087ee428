// How quick the DevTools panel is with large bodies, in the real DevTools: `npm run bench -- --panel`.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runnerImport } from 'vite';
import { build } from '../../scripts/build.mjs';
import { ROOT } from '../../scripts/run.mjs';
import { describeMachine } from '../machine.mjs';
import { ProcessMemory } from '../memory.mjs';
import { arrive, install, open, scroll, search } from './page.js';

const RUNS = 5;
/** What a body allocates to show which process is the panel's. */
const PROBE_BYTES = 64 << 20;

/** @type {readonly { name: string, path: string, bytes: number, items: string, usable: number }[]} */
const BODIES = [
  { name: '1 MB', path: '/megabyte.msgpack', bytes: 1_004_698, items: '[5,200 items]', usable: 100 },
  { name: '10 MB', path: '/large.msgpack', bytes: 10_164_098, items: '[52,000 items]', usable: 500 },
];
const LONGEST_BLOCK = 50;
const MEMORY_FACTOR = 10;

/**
 * @typedef {object} PanelRow
 * @property {string} body
 * @property {number} arrival longest block while the body comes, in ms
 * @property {number} usable from the click to the tree on the screen
 * @property {number} opening longest block meanwhile
 * @property {number} tree longest block while the tree is scrolled
 * @property {number} hex the same of the bytes
 * @property {number} search the same while a text is looked for that is not there
 * @property {number} searched how long that takes
 * @property {number | null} memory most that the process had beyond what it had before, over the body's size
 */

/** @param {import('../options.mjs').Options} options */
export async function runPanel({ runs = RUNS, json }) {
  if (!process.env['UNSPOOL_EXTENSION']) await build({ modes: ['extension'], onlyStale: true });
  const { module: harness } = await runnerImport(join(ROOT, 'tests/setup/panel/panel-session.ts'));
  /** @type {typeof import('../../tests/setup/panel/panel-session.ts')} */
  const { startPanelSession } = harness;
  const machine = describeMachine();
  console.log(`${machine.cores} × ${machine.cpu}, load ${machine.load} at the start`);
  const session = await startPanelSession();
  try {
    const { panel, page } = session;
    await panel.evaluate(install);
    // The worker and the format's reader are loaded, and compiled.
    await measureOne(session, BODIES[0], 'warm');
    const memory = await memoryOf(page, panel);
    /** @type {PanelRow[]} */
    const rows = [];
    for (const body of BODIES) {
      const measured = [];
      for (let run = 0; run < runs; run += 1) {
        await panel.getByRole('button', { name: 'Clear' }).click();
        await memory.mark();
        const times = await measureOne(session, body, `run${run}`);
        const peak = await memory.peak();
        measured.push({ ...times, memory: peak === null ? null : peak / body.bytes });
      }
      rows.push({ body: body.name, ...medians(measured) });
    }
    console.log(table(rows));
    if (json) await writeFile(json, JSON.stringify({ machine, runs, rows }, undefined, 2));
    return BODIES.every((body, i) => holds(body, rows[i])) ? 0 : 1;
  } finally {
    await session.close();
  }
}

/**
 * @param {import('../../tests/setup/panel/panel-session.ts').PanelSession} session
 * @param {typeof BODIES[number] | undefined} body
 * @param {string} query
 */
async function measureOne({ panel, fetchAll }, body, query) {
  if (!body) throw new Error('There is no body');
  const path = `${body.path}?${query}`;
  const arrived = panel.evaluate(arrive, query);
  await fetchAll(path);
  const { block: arrival } = await arrived;
  const { time: usable, block: opening } = await panel.evaluate(open, /** @type {[string, string]} */ ([query, body.items]));
  const { block: tree } = await panel.evaluate(scroll, '.tree');
  const { block: hex } = await panel.evaluate(scroll, '.hex');
  const { time: searched, block: searching } = await panel.evaluate(search, 'nowhere to be found');
  return { arrival, usable, opening, tree, hex, searched, search: searching };
}

/**
 * The memory of the panel's process: the one that grows when the panel allocates.
 *
 * @param {import('playwright-core').Page} page
 * @param {import('playwright-core').Frame} panel
 */
async function memoryOf(page, panel) {
  const browser = page.context().browser();
  if (!browser) return new ProcessMemory(undefined);
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const renderers = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => new ProcessMemory(id));
  await Promise.all(renderers.map((memory) => memory.mark()));
  await panel.evaluate((bytes) => void new Uint8Array(bytes).fill(1), PROBE_BYTES);
  const grown = await Promise.all(renderers.map(async (memory) => ({ memory, bytes: (await memory.peak()) ?? 0 })));
  return grown.toSorted((a, b) => b.bytes - a.bytes)[0]?.memory ?? new ProcessMemory(undefined);
}

/** @param {Omit<PanelRow, 'body'>[]} measured */
function medians(measured) {
  const median = (/** @type {(number | null)[]} */ values) => values.toSorted((a, b) => (a ?? 0) - (b ?? 0))[values.length >> 1] ?? null;
  const keys = /** @type {(keyof typeof measured[number])[]} */ (Object.keys(measured[0] ?? {}));
  return /** @type {Omit<PanelRow, 'body'>} */ (Object.fromEntries(keys.map((key) => [key, median(measured.map((one) => one[key]))])));
}

/** @param {PanelRow[]} rows */
function table(rows) {
  const ms = (/** @type {number} */ value) => `${Math.round(value)} ms`;
  const head = '| body | usable | longest block: arriving | opening | scrolling the tree | the bytes | searching | a search | memory |';
  const lines = rows.map(
    (row) =>
      `| ${row.body} | ${ms(row.usable)} | ${ms(row.arrival)} | ${ms(row.opening)} | ${ms(row.tree)} | ${ms(row.hex)} | ${ms(row.search)} | ${ms(row.searched)} | ${
        row.memory === null ? '–' : `${row.memory.toFixed(1)} × the body`
      } |`,
  );
  return [head, head.replaceAll(/[^|]+/g, '---'), ...lines].join('\n');
}

/**
 * @param {typeof BODIES[number]} body
 * @param {PanelRow | undefined} row
 */
function holds({ usable }, row) {
  if (!row) return false;
  const isQuick = row.usable < usable && Math.max(row.tree, row.hex) < LONGEST_BLOCK;
  // A small body's memory is that of the panel itself.
  return isQuick && (row.memory === null || usable < 500 || row.memory < MEMORY_FACTOR);
}
