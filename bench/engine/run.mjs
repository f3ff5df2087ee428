// The part of the benchmark that measures what each workaround for one engine is worth (core/engine): cases
// that users have, with the workaround and without.
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BenchBrowser } from '../browser.mjs';
import { encode } from '../documents/encodings.mjs';
import { DOCUMENTS } from '../documents/sources.mjs';
import { describeMachine, save } from '../report.mjs';
import { serveBench } from '../site.mjs';
import { median } from '../statistics.mjs';
import { align, duration } from '../table.mjs';
import { prepare, sample } from './page.js';

const REPORT = 'bench-report/engine.json';
const RUNS = 5;
const trips = (/** @type {number} */ rows, format = 'messagepack') => `/payload?dataset=trips&format=${format}&rows=${rows}`;

/**
 * `repeat` makes one sample long enough for the clock of the process; a small call is measured soon after a collection.
 *
 * @typedef {{ label: string, url: string, format: string, form: 'objects' | 'rows', repeat: number, warmUps: number }} EngineCase
 * @type {Readonly<Record<string, EngineCase>>}
 */
const CASES = {
  json1: { label: 'JSON, 1 MB', url: '/1.json', format: 'json', form: 'objects', repeat: 10, warmUps: 20 },
  json20: { label: 'JSON, 20 MB', url: '/20.json', format: 'json', form: 'objects', repeat: 1, warmUps: 2 },
  mp1: { label: 'MessagePack, 1 MB', url: '/1.messagepack', format: 'messagepack', form: 'objects', repeat: 10, warmUps: 20 },
  mp20: { label: 'MessagePack, 20 MB', url: '/20.messagepack', format: 'messagepack', form: 'objects', repeat: 1, warmUps: 2 },
  trips: { label: '100,000 flat records as objects', url: trips(100_000), format: 'messagepack', form: 'objects', repeat: 1, warmUps: 3 },
  records: {
    label: '100,000 records of one shape',
    url: trips(100_000, 'messagepack-records'),
    format: 'messagepack',
    form: 'objects',
    repeat: 1,
    warmUps: 3,
  },
  rows200k: { label: '200,000 rows materialised', url: trips(200_000), format: 'messagepack', form: 'rows', repeat: 1, warmUps: 2 },
  rows1m: { label: '1,000,000 rows materialised', url: trips(1_000_000), format: 'messagepack', form: 'rows', repeat: 1, warmUps: 1 },
  calls: { label: 'small calls after a collection', url: trips(3), format: 'messagepack', form: 'objects', repeat: 20, warmUps: 2000 },
};

/** Switches of core/engine/switches.ts, and the cases in which each may matter. @type {Readonly<Record<string, string[]>>} */
const SWITCHES = {
  minorGc: ['json20', 'mp20', 'rows1m'],
  keepAlive: ['calls', 'json1', 'mp1', 'mp20'],
  makers: ['mp20', 'trips', 'records'],
  fillers: ['rows200k', 'rows1m'],
  templates: ['rows200k', 'rows1m'],
  internalizedKeys: ['mp20', 'records', 'rows200k'],
  shortAscii: ['mp1', 'mp20', 'records', 'rows200k'],
};

/** @typedef {{ ms: number[], blockMs: number[], cpuMs: number[] }} Side */

/**
 * @param {import('../options.mjs').Options} options `names` selects switches
 * @returns {Promise<number>} the status to end with
 */
export async function runEngineSwitches({ runs = RUNS, names, json = REPORT }) {
  const machine = describeMachine();
  const site = await serveBench({ library: true });
  const browser = await BenchBrowser.launch();
  const results = [];
  try {
    await writePayloads(site.root);
    console.log(`${browser.name}, ${machine.cores} × ${machine.cpu}, load ${machine.load} at the start`);
    console.log('With → without the workaround; medians of runs that take turns. Processor time is of all threads.\n');
    for (const [name, cases] of Object.entries(SWITCHES)) {
      if (names.length > 0 && !names.includes(name)) continue;
      await turnOff(site.root, name);
      const lines = [];
      for (const id of cases) {
        const given = CASES[id];
        const { on, off } = await compare(browser, site.url, name, given, runs);
        results.push({ switch: name, case: given.label, on, off });
        lines.push([given.label, ...['ms', 'cpuMs', 'blockMs'].flatMap((key) => pair(on, off, /** @type {keyof Side} */ (key)))]);
      }
      console.log(`${name}\n${align([['', 'time', '×', 'processor', '×', 'longest block', '×'], ...lines])}\n`);
    }
  } finally {
    await browser.close();
    await site.close();
  }
  await save(json, { machine, browser: browser.name, date: new Date().toISOString(), results });
  return 0;
}

/**
 * Copies the library with a workaround turned off. Workers have a global object of their own, so each file sets it.
 *
 * @param {string} root of the site
 * @param {string} name
 */
async function turnOff(root, name) {
  const folder = join(root, `without-${name}`);
  await cp(join(root, 'dist'), folder, { recursive: true });
  for (const file of await readdir(folder, { recursive: true })) {
    if (!file.endsWith('.js')) continue;
    const path = join(folder, file);
    await writeFile(path, `globalThis[Symbol.for('unspool.off')] = { ${name}: true };\n${await readFile(path, 'utf8')}`);
  }
}

/** @param {string} root of the site */
async function writePayloads(root) {
  const orders = await DOCUMENTS.find(({ name }) => name === 'orders')?.open();
  for (const megabytes of [1, 20]) {
    const { value } = /** @type {NonNullable<typeof orders>} */ (orders)(megabytes * 1e6);
    for (const format of ['json', 'messagepack']) await writeFile(join(root, `${megabytes}.${format}`), encode(format, value).bytes);
  }
}

/**
 * Measures a case in two pages in turn, of which one has loaded the library with the workaround turned off.
 *
 * @param {BenchBrowser} browser
 * @param {string} site
 * @param {string} name
 * @param {EngineCase} given
 * @param {number} runs
 */
async function compare(browser, site, name, given, runs) {
  /** @type {{ on: Side, off: Side }} */
  const sides = { on: { ms: [], blockMs: [], cpuMs: [] }, off: { ms: [], blockMs: [], cpuMs: [] } };
  const pages = { on: await browser.newPage(site), off: await browser.newPage(site) };
  try {
    await pages.on.evaluate(prepare, { ...given, library: '/dist/index.js' });
    await pages.off.evaluate(prepare, { ...given, library: `/without-${name}/index.js` });
    for (let run = 0; run < runs; run += 1) {
      for (const side of /** @type {const} */ (['on', 'off'])) {
        await pages[side].bringToFront();
        const before = await browser.processorMs();
        const { ms, blockMs } = await pages[side].evaluate(sample, given.repeat);
        sides[side].ms.push(ms);
        sides[side].blockMs.push(blockMs);
        sides[side].cpuMs.push(((await browser.processorMs()) - before) / given.repeat);
      }
    }
  } finally {
    for (const page of Object.values(pages)) await page.context().close();
  }
  return sides;
}

/** @param {Side} on @param {Side} off @param {keyof Side} key */
function pair(on, off, key) {
  const [with_, without] = [median(on[key]) ?? 0, median(off[key]) ?? 0];
  return [`${duration(with_)} → ${duration(without)}`, (without / with_).toFixed(2)];
}
