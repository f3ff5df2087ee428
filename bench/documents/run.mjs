// `--documents`: measures documents of 1 to 50 MB.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BenchBrowser } from '../browser.mjs';
import { CONTENDERS } from '../contenders/index.js';
import { FIELD } from '../contenders/field.js';
import { describeMachine, save } from '../report.mjs';
import { serveBench } from '../site.mjs';
import { barTable } from '../table.mjs';
import { CANONICAL_FORMATS, DOCUMENT_FORMATS, encode } from './encodings.mjs';
import { contenderTable, documentBars, lineOf, markdown, summary, TABLE_HEADER, tableLine } from './figures.mjs';
import { measureInTurn } from './measure.mjs';
import { DOCUMENTS } from './sources.mjs';

const RUNS = 5;
const SIZES = [1, 5, 20, 50];
const QUICK_SIZES = [5];
const QUICK_FORMATS = ['json', 'messagepack'];
const REPORT = 'bench-report/documents.json';
/** A document that cannot be cut is skipped if it exceeds the requested size by this factor. */
const TOO_LARGE = 1.5;

/** Competitors. */
const RIVALS = ['worker-clone', 'msgpackr', 'msgpack-msgpack', 'cbor-x', 'bson', 'avsc', 'pbf', 'protobufjs-reflection'];
const FORMS = { objects: 'unspool-objects', rows: 'unspool-rows' };
const ALL = [...CONTENDERS, ...FIELD];

/** @typedef {import('./figures.mjs').Comparison} Comparison */

/**
 * @param {import('../options.mjs').Options} options
 * @returns {Promise<number>} exit status
 */
export async function runDocuments(options) {
  if (options.from !== undefined) {
    const { comparisons } = JSON.parse(await readFile(options.from, 'utf8'));
    print(comparisons, true);
    return 0;
  }
  const documents = DOCUMENTS.filter(({ name, quick }) =>
    options.only.length > 0 ? options.only.some((part) => name.includes(part)) : quick || !options.quick,
  );
  const sizes = options.sizes ?? (options.quick ? QUICK_SIZES : SIZES);
  const formats = options.formats ?? (options.quick ? QUICK_FORMATS : DOCUMENT_FORMATS);
  const unknown = formats.find((format) => !DOCUMENT_FORMATS.includes(format));
  if (unknown !== undefined || documents.length === 0) {
    console.error(
      unknown === undefined ? 'No document has that name: see --list.' : `There is no format ${unknown} here: ${DOCUMENT_FORMATS.join(', ')}.`,
    );
    return 2;
  }
  if (options.list) {
    for (const { name } of documents) console.log(`${name.padEnd(24)} ${sizes.join(', ')}`);
    return 0;
  }
  const machine = describeMachine();
  const site = await serveBench({ library: true, field: true });
  const browser = await BenchBrowser.launch(options.engine);
  /** @type {Comparison[]} */
  const comparisons = [];
  try {
    console.log(`${browser.name}, ${machine.cores} × ${machine.cpu}, load ${machine.load} at the start`);
    console.log('From bytes in memory, warm. Contenders take turns; medians, and minima in parentheses.\n');
    for (const document of documents) {
      const open = await document.open();
      for (const megabytes of sizes) {
        const resized = open(megabytes * 1e6);
        for await (const comparison of compare(browser, site, { document, megabytes, resized }, formats, options)) {
          comparisons.push(comparison);
          const [head, rule, line] = markdown([TABLE_HEADER, tableLine(comparison)]).split('\n');
          console.log(comparisons.length === 1 ? `${head}\n${rule}\n${line}` : line);
          if (options.summary) console.log(`${contenderTable(comparison)}\n`);
          await save(options.json ?? REPORT, { machine, browser: browser.name, date: new Date().toISOString(), comparisons });
        }
      }
    }
  } finally {
    await browser.close();
    await site.close();
  }
  if (options.bars) print(comparisons, options.summary);
  console.log(`\nWritten: ${options.json ?? REPORT}`);
  return comparisons.some(({ lines }) => lines.some(({ error }) => error !== undefined)) ? 1 : 0;
}

/**
 * Compares the contenders for each format of one document in one size.
 *
 * @param {BenchBrowser} browser
 * @param {Awaited<ReturnType<typeof serveBench>>} site
 * @param {{ document: import('./sources.mjs').Document, megabytes: number, resized: import('./resize.mjs').Resized }} subject
 * @param {readonly string[]} formats
 * @param {import('../options.mjs').Options} options
 * @returns {AsyncGenerator<Comparison>}
 */
async function* compare(browser, site, { document: { name, label, kind }, megabytes, resized }, formats, options) {
  const files = await makeFiles(site.root, resized, formats);
  try {
    const jsonBytes = Number(files.get('json')?.bytes);
    if (jsonBytes > megabytes * 1e6 * TOO_LARGE) {
      console.log(`${label}: its smallest form has ${(jsonBytes / 1e6).toFixed(1)} MB, so it is left out at ${megabytes} MB`);
      return;
    }
    for (const format of formats) {
      const file = /** @type {File} */ (files.get(format));
      /** @type {Comparison} */
      const comparison = { document: name, label, kind, megabytes, jsonBytes, format, bytes: file.bytes, lines: [] };
      if (file.impossible === undefined) {
        const entries = entriesFor(format, files, resized, options);
        const measured = await measureInTurn(browser, site.url, entries, options.runs ?? RUNS, jsonBytes);
        comparison.lines = measured.map((one) => lineOf(one, kindOf(one.contender)));
      } else comparison.impossible = file.impossible;
      yield comparison;
    }
  } finally {
    await rm(join(site.root, 'documents'), { recursive: true, force: true });
  }
}

/** @typedef {{ url: string, bytes: number, schema?: object, code?: string, wrapped: boolean, impossible?: string }} File */

/**
 * Writes the payloads into the served folder.
 *
 * @param {string} root
 * @param {import('./resize.mjs').Resized} resized
 * @param {readonly string[]} formats
 * @returns {Promise<Map<string, File>>}
 */
async function makeFiles(root, { value }, formats) {
  await mkdir(join(root, 'documents'), { recursive: true });
  /** @type {Map<string, File>} */
  const files = new Map();
  for (const format of new Set(['json', ...formats])) {
    const url = `/documents/document.${format}`;
    try {
      const { bytes, schema, code, wrapped } = encode(format, value);
      await writeFile(join(root, url), bytes);
      // A unique address, since browsers cache modules by address.
      const codeUrl = `/documents/${process.hrtime.bigint()}.js`;
      if (code !== undefined) await writeFile(join(root, codeUrl), code);
      files.set(format, { url, bytes: bytes.length, wrapped, ...(schema && { schema }), ...(code !== undefined && { code: codeUrl }) });
    } catch (error) {
      files.set(format, { url, bytes: 0, wrapped: false, impossible: /** @type {Error} */ (error).message });
    }
  }
  return files;
}

/**
 * The selected contenders: the baseline, the libraries of the format, and Unspool.
 *
 * @param {string} format
 * @param {ReadonlyMap<string, File>} files
 * @param {import('./resize.mjs').Resized} resized
 * @param {import('../options.mjs').Options} options
 * @returns {import('./measure.mjs').Entry[]}
 */
function entriesFor(format, files, { path }, { contenderNames, forms }) {
  const own = Object.entries(FORMS).flatMap(([form, id]) => (forms === undefined || forms.includes(form) ? id : []));
  const others = RIVALS.filter((id) => contenderNames.length === 0 || contenderNames.some((part) => id.includes(part)));
  const canonical = CANONICAL_FORMATS.includes(format);
  const file = /** @type {File} */ (files.get(format));
  return ALL.filter(({ id, formats }) => [...own, ...others].includes(id) && formats.includes(format))
    .map((contender) => ({
      contender,
      url: file.url,
      payload: {
        format,
        list: null,
        path,
        ...(file.wrapped && { root: 'items' }),
        repeated: false,
        canonical,
        ...(file.schema && { schema: file.schema }),
        ...(file.code !== undefined && { code: file.code }),
      },
    }))
    .toSpliced(0, 0, {
      contender: /** @type {import('../contenders/contender.js').Contender} */ (ALL.find(({ id }) => id === 'json-parse')),
      url: /** @type {File} */ (files.get('json')).url,
      payload: { format: 'json', list: null, path, repeated: false, canonical },
    });
}

/** @param {string} contender */
function kindOf(contender) {
  return ALL.find(({ id }) => id === contender)?.kind ?? 'main';
}

/** @param {readonly Comparison[]} comparisons @param {boolean} withSummary */
function print(comparisons, withSummary) {
  const bars = comparisons.flatMap(documentBars);
  const missed = bars.filter(({ met }) => !met);
  if (missed.length > 0) console.log(`\n${barTable(missed)}`);
  console.log(`\n${bars.length - missed.length} of ${bars.length} bars met.`);
  if (withSummary) console.log(`\n${summary(comparisons)}`);
}
