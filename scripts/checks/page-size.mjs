#!/usr/bin/env node
/**
 * Measures the compressed scripts that a page loads until its payloads are decoded: small ones to objects, large ones
 * to rows. Uses the published library in an application built by Vite with its default configuration, in Chromium.
 * Fails if the documents have other figures:
 *
 *   node scripts/checks/page-size.mjs             compares them
 *   node scripts/checks/page-size.mjs --write     writes them, and the README's badge
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Packr } from 'msgpackr';
import { PbfWriter } from 'pbf';
import { chromium } from 'playwright-core';
import { build as viteBuild } from 'vite';
import { findChromium } from '../browsers.mjs';
import { build } from '../build.mjs';
import { FORMATS } from '../formats.mjs';
import { serveAndCount } from './count-scripts.mjs';
import { ROOT } from '../run.mjs';

/** Formats that each measured page decodes. */
const PAGES = [
  { name: 'JSON', formats: ['json'] },
  { name: 'JSON and MessagePack', formats: ['json', 'messagepack'] },
  { name: 'JSON and Protocol Buffers', formats: ['json', 'protobuf'] },
];
const FORMS = ['objects', 'rows'];

/** Bytes of compressed code that a page may load for JSON objects. */
const MAX_OBJECTS = 24_000;

/** Difference between a written figure and a measured one, in kB, that other versions of zlib may make. */
const ROUNDING = 0.11;

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
    let objects = 0;
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
        objects ||= sum(site.scripts);
      }
    }
    return { objects, table: [HEADER, '|---|--:|--:|--:|--:|--:|--:|', ...lines].join('\n') };
  } finally {
    await browser.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const HEADER = '| a page decodes | its script | worker | format and readers | `.proto` texts | requests | total |';

/** @param {readonly { gzip: number }[]} scripts */
const sum = (scripts) => scripts.reduce((bytes, { gzip }) => bytes + gzip, 0);

const kilobytes = (/** @type {number} */ bytes) => (bytes === 0 ? '' : `${(bytes / 1000).toFixed(1)} kB`);

/** @param {string} name @param {readonly import('./count-scripts.mjs').ScriptRequest[]} scripts */
function line(name, scripts) {
  const parts = ['page', 'worker', 'format', 'schemas'].map((part) => sum(scripts.filter((script) => partOf(script.name) === part)));
  return `| ${[name, ...parts.map(kilobytes), scripts.length, kilobytes(sum(scripts))].join(' | ')} |`;
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

/**
 * The documents with measured figures, by path.
 *
 * @param {Awaited<ReturnType<typeof measure>>} measured
 */
function withFigures({ objects, table }) {
  let formats = read('docs/reference/formats.md').replace(/^\| a page decodes .*\n(?:\|.*\n)+/m, `${table}\n`);
  for (const id of FORMATS) {
    const size = kilobytes(gzipSync(readFileSync(join(ROOT, `dist/formats/${id}.js`))).length);
    formats = formats.replace(new RegExp(`^(\\| \`${id}\` \\|.*\\| )[\\d.]+ kB \\|$`, 'm'), `$1${size} |`);
  }
  const rounded = `${Math.round(objects / 1000)} kB`;
  return {
    'docs/reference/formats.md': formats,
    'README.md': read('README.md').replace(/\[\d+ kB\](?=\(docs\/reference\/formats\.md#)/, `[${rounded}]`),
    'docs/images/size.svg': badge('JSON objects, gzip', kilobytes(objects)),
  };
}

/** An image of a label and its value. Its texts are as wide as these lengths in every font. */
function badge(/** @type {string} */ label, /** @type {string} */ value) {
  const left = label.length * 6 + 16;
  const right = value.length * 7 + 14;
  const text = (/** @type {string} */ content, /** @type {number} */ x, /** @type {number} */ width) =>
    `<text x="${x}" y="14" textLength="${width}" lengthAdjust="spacingAndGlyphs">${content}</text>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${label}: ${value}">`,
    `  <title>${label}: ${value}</title>`,
    '  <clipPath id="r"><rect width="100%" height="20" rx="4"/></clipPath>',
    `  <g clip-path="url(#r)"><rect width="${left}" height="20" fill="#3f4652"/><rect x="${left}" width="${right}" height="20" fill="#0b6e4f"/></g>`,
    '  <g fill="#fff" font-family="Verdana,Geneva,DejaVu Sans,sans-serif" font-size="11">',
    `    ${text(label, 8, left - 16)}`,
    `    ${text(value, left + 7, right - 14)}`,
    '  </g>',
    '</svg>',
    '',
  ].join('\n');
}

const read = (/** @type {string} */ path) => readFileSync(join(ROOT, path), 'utf8');

/** Compares two texts, whose figures may differ by a rounding. */
function areEqual(/** @type {string} */ one, /** @type {string} */ other) {
  const figure = /\d+\.\d(?= kB)/g;
  const figures = [...other.matchAll(figure)].map(Number);
  const places = one.match(figure)?.map((own, at) => Math.abs(Number(own) - (figures[at] ?? 0)) < ROUNDING) ?? [];
  return one.replaceAll(figure, '') === other.replaceAll(figure, '') && places.every(Boolean);
}

const measured = await measure();
console.log(measured.table);
if (measured.objects > MAX_OBJECTS) {
  console.error(`A page loads ${kilobytes(measured.objects)} for JSON objects, more than ${kilobytes(MAX_OBJECTS)}.`);
  process.exitCode = 1;
}
for (const [path, text] of Object.entries(withFigures(measured))) {
  if (process.argv.includes('--write')) writeFileSync(join(ROOT, path), text);
  else if (!existsSync(join(ROOT, path)) || !areEqual(read(path), text)) {
    console.error(`${path} has other figures than these; write them by \`npm run size -- --write\`.`);
    process.exitCode = 1;
  }
}
