#!/usr/bin/env node
/**
 * Measures the compressed scripts that a page loads until its payloads are decoded: small ones to objects, large ones
 * to rows. Uses the published library in an application built by Vite with its default configuration, in Chromium.
 */
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Packr } from 'msgpackr';
import { PbfWriter } from 'pbf';
import { chromium } from 'playwright-core';
import { build as viteBuild } from 'vite';
import { findChromium } from '../browsers.mjs';
import { build } from '../build.mjs';
import { serveAndCount } from './count-scripts.mjs';
import { ROOT } from '../run.mjs';

/** Formats that each measured page decodes. */
const PAGES = [
  { name: 'JSON', formats: ['json'] },
  { name: 'JSON and MessagePack', formats: ['json', 'messagepack'] },
  { name: 'JSON and Protocol Buffers', formats: ['json', 'protobuf'] },
];
const FORMS = ['objects', 'rows'];

/** @typedef {{ id: number, name: string }} Row */
const rows = (/** @type {number} */ count) => Array.from({ length: count }, (_, id) => ({ id, name: `row ${id}` }));

/** @type {Readonly<Record<string, (rows: readonly Row[]) => Uint8Array | string>>} */
const ENCODERS = {
  json: (items) => JSON.stringify({ items }),
  messagepack: (items) => new Packr({ useRecords: false }).pack({ items }),
  protobuf(items) {
    const writer = new PbfWriter();
    for (const item of items) {
      writer.writeMessage(
        1,
        (row, message) => {
          message.writeVarintField(1, row.id);
          message.writeStringField(2, row.name);
        },
        item,
      );
    }
    return writer.finish();
  },
};

/** The application. The query of its address lists the payloads to decode. */
const APPLICATION = `
  import { createDecoder } from 'unspool';
  const proto = 'syntax = "proto3"; message Row { int32 id = 1; string name = 2; } message Rows { repeated Row items = 1; }';
  const decoder = createDecoder({ schemas: { protobuf: { format: 'protobuf', schema: { proto, message: 'Rows' } } } });
  async function run([form, ...formats]) {
    for (const format of formats) {
      const options = { format, ...(format === 'protobuf' && { schema: 'protobuf' }), ...(form === 'rows' && { as: 'rows', route: 'worker' }) };
      const { items } = await decoder.decode(await fetch('./' + form + '.' + format), options);
      if (items.length === 0) throw new Error('nothing was decoded');
    }
  }
  globalThis.done = run(location.search.slice(1).split(','));
`;

/** Category of a file, from the name that Vite gives it. */
function partOf(/** @type {string} */ name) {
  if (['worker-', 'pool-'].some((part) => name.includes(part))) return 'worker';
  if (name.includes('page-')) return 'page';
  return /(?:proto|fbs|capnp)-text-/.test(name) ? 'schemas' : 'format';
}

async function measure() {
  await build({ modes: ['lib'], onlyStale: true });
  const folder = await mkdtemp(join(tmpdir(), 'unspool-page-size-'));
  const browser = await chromium.launch(findChromium()?.launch);
  try {
    const built = await buildApplication(folder);
    const lines = [];
    for (const { name, formats } of PAGES) {
      for (const form of FORMS) {
        const context = await browser.newContext();
        const site = await serveAndCount(built);
        const page = await context.newPage();
        await page.goto(`${site.url}page.html?${[form, ...formats].join()}`);
        await page.evaluate('done');
        await context.close();
        await site.close();
        lines.push(line(`${name}, as ${form}`, site.scripts));
      }
    }
    return [
      '| a page decodes | its script | worker | format and readers | `.proto` texts | requests | total |',
      '|---|--:|--:|--:|--:|--:|--:|',
      ...lines,
    ].join('\n');
  } finally {
    await browser.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** @param {string} name @param {readonly import('./count-scripts.mjs').ScriptRequest[]} scripts */
function line(name, scripts) {
  const size = (/** @type {readonly { gzip: number }[]} */ some) => some.reduce((sum, { gzip }) => sum + gzip, 0);
  const parts = ['page', 'worker', 'format', 'schemas'].map((part) => size(scripts.filter((script) => partOf(script.name) === part)));
  const kilobytes = (/** @type {number} */ bytes) => (bytes === 0 ? '' : `${(bytes / 1000).toFixed(1)} kB`);
  return `| ${[name, ...parts.map(kilobytes), scripts.length, kilobytes(size(scripts))].join(' | ')} |`;
}

/** Builds the application. Returns its folder, which also contains the payloads. */
async function buildApplication(/** @type {string} */ folder) {
  const library = join(folder, 'node_modules/unspool');
  await mkdir(library, { recursive: true });
  await cp(join(ROOT, 'dist'), join(library, 'dist'), { recursive: true });
  await cp(join(ROOT, 'package.json'), join(library, 'package.json'));
  await writeFile(join(folder, 'page.js'), APPLICATION);
  await writeFile(join(folder, 'page.html'), '<!doctype html><script type="module" src="./page.js"></script>');
  const outDir = join(folder, 'built');
  await viteBuild({ configFile: false, root: folder, logLevel: 'warn', build: { outDir, rolldownOptions: { input: join(folder, 'page.html') } } });
  for (const [format, encode] of Object.entries(ENCODERS)) {
    await writeFile(join(outDir, `objects.${format}`), encode(rows(50)));
    await writeFile(join(outDir, `rows.${format}`), encode(rows(5_000)));
  }
  return outDir;
}

console.log(await measure());
