// The part of the benchmark that fetches documents again which have changed a little: the time until the value, the longest block
// of the page, and the share of records that are the same objects.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BenchBrowser } from '../browser.mjs';
import { encode } from '../documents/encodings.mjs';
import { DOCUMENTS } from '../documents/sources.mjs';
import { describeMachine, save } from '../report.mjs';
import { serveBench } from '../site.mjs';
import { align, duration, times } from '../table.mjs';
import { measureFetched } from './fetched.mjs';
import { measureRefetches } from './measure.js';
import { memoryBesides } from './memory.mjs';

const REPORT = 'bench-report/refetch.json';
const BYTES = 10e6;
/** Rounds: the first is a decode as usual, and three warm up the code. */
const VERSIONS = 11;
const QUICK_VERSIONS = 7;
/** Documents, and the key of their records. */
const KEYS = { orders: 'orders', trips: 'trips' };
/** Share of records that differ between two versions; one more is on top of the list. */
const CHANGES = { 'nothing changed': 0, '1 % changed': 0.01, '10 % changed': 0.1, 'everything changed': 1 };
const FORMATS = /** @type {const} */ (['json', 'messagepack', 'cbor', 'bson', 'protobuf']);
const CONTENDERS = /** @type {const} */ (['library', 'shared', 'decode', 'previous', 'rows']);
const NAMES = { json: 'JSON.parse', messagepack: 'msgpackr', cbor: 'cbor-x', bson: 'bson', protobuf: 'pbf' };

/**
 * @typedef {import('./measure.js').Figures} Figures
 * @typedef {{ place: string, document: string, format: string, change: string, bytes: number, records: number, figures: Record<string, Figures>, besides: number | undefined }} Result `besides`: bytes of memory besides the value
 */

/** @typedef {{ document: string, change: string, bytes: number, figures: Record<string, import('./fetched.mjs').Fetched> }} FetchedResult */

/**
 * @param {import('../options.mjs').Options} options `only` selects documents, `names` changes
 * @returns {Promise<number>} the status to end with
 */
export async function runRefetches({
  quick,
  only,
  names,
  formats = [...FORMATS],
  places = ['node', 'chromium', 'fetch'],
  sizes = [BYTES / 1e6],
  json = REPORT,
}) {
  const machine = describeMachine();
  const site = await serveBench({ library: true });
  const browser = places.includes('chromium') ? await BenchBrowser.launch() : undefined;
  /** @type {Result[]} */
  const results = [];
  /** @type {FetchedResult[]} */
  const fetched = [];
  try {
    console.log(`${browser?.name ?? 'Node'}, ${machine.cores} × ${machine.cpu}, load ${machine.load} at the start`);
    console.log('Medians of rounds, each of which begins with the value of the one before. Shared: the library, then replaceEqualDeep of');
    console.log('TanStack Query. Decode: Unspool without previous. Kept: records that are the same objects. Memory: besides the value and');
    console.log('the payload.\n');
    for (const [name, key] of Object.entries(KEYS)) {
      if (only.length > 0 && !only.some((text) => name.includes(text))) continue;
      for (const [change, share] of Object.entries(CHANGES)) {
        if (names.length > 0 && !names.some((text) => change.includes(text))) continue;
        const values = await versionsOf(name, key, share, (sizes[0] ?? 10) * 1e6, quick ? QUICK_VERSIONS : VERSIONS);
        for (const format of FORMATS.filter((id) => formats.includes(id))) {
          const encoded = values.map((value) => encode(format, value));
          const versions = encoded.map(({ bytes }) => Uint8Array.from(bytes));
          const { schema, code } = /** @type {import('../documents/encodings.mjs').Encoding} */ (encoded.at(-1));
          for (const place of places.filter((at) => at !== 'fetch')) {
            const given = { kind: { format, schema }, code, key, versions };
            const figures = place === 'node' ? await inNode(given) : await inPage(/** @type {BenchBrowser} */ (browser), site, given);
            const { createDecoder } = await import(pathToFileURL('dist/index.js').href);
            const besides = place === 'node' ? await memoryBesides({ createDecoder, kind: given.kind, versions: versions.slice(0, 3) }) : undefined;
            const result = {
              place,
              document: name,
              format,
              change,
              bytes: versions[2]?.length ?? 0,
              records: values[2][key].length,
              figures,
              besides,
            };
            results.push(result);
            console.log(lineOf(result));
          }
          if (format === 'json' && places.includes('fetch')) {
            fetched.push({ document: name, change, bytes: versions[2]?.length ?? 0, figures: await measureFetched(site, versions.slice(0, 5)) });
            console.log(fetchedLine(fetched.at(-1)));
          }
        }
      }
    }
    if (results.length > 0) console.log(`\n${table(results)}`);
    if (fetched.length > 0) console.log(`\n${fetchedTable(fetched)}`);
  } finally {
    await browser?.close();
    await site.close();
  }
  await save(json, { machine, browser: browser?.name, date: new Date().toISOString(), results, fetched });
  return 0;
}

/**
 * Versions of a document. Records change in their first number, or get another key.
 *
 * @param {string} name
 * @param {string} key
 * @param {number} share
 * @param {number} bytes
 * @param {number} count
 */
async function versionsOf(name, key, share, bytes, count) {
  const open = await DOCUMENTS.find((document) => document.name === name)?.open();
  if (!open) throw new Error(`no document ${name}`);
  // All versions have one schema.
  const first = open(bytes).value;
  let value = { ...first, [key]: first[key].map((/** @type {object} */ record) => ({ ...record, version: 0, changed: 0.5 })) };
  const versions = [value];
  // The same records change each time.
  let seed = 1;
  const random = () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647;
  while (versions.length < count) {
    const document = /** @type {Record<string, Record<string, unknown>[]>} */ (value);
    const list = document[key] ?? [];
    const version = versions.length;
    const changed = list.map((record) => (random() < share ? { ...record, version, changed: random() } : record));
    value = share === 0 ? value : { ...document, [key]: [{ ...list[0], version: -version }, ...changed] };
    versions.push(value);
  }
  return versions;
}

/** @typedef {{ kind: import('./contenders.js').Kind, code: string | undefined, key: string, versions: Uint8Array<ArrayBuffer>[] }} Given */

/** @param {Given} given */
async function inNode({ kind, code, ...given }) {
  const { createDecoder } = await import(pathToFileURL('dist/index.js').href);
  const own = { ...kind, code: code && `data:text/javascript,${encodeURIComponent(code)}` };
  /** @type {Record<string, Figures>} */
  const figures = {};
  for (const contender of CONTENDERS) figures[contender] = await measureRefetches({ createDecoder, contender, kind: own, ...given });
  return figures;
}

/**
 * Each contender has a page of its own.
 *
 * @param {BenchBrowser} browser
 * @param {{ url: string, root: string }} site
 * @param {Given} given
 */
async function inPage(browser, { url, root }, { kind, code, versions, key }) {
  const urls = versions.map((_, index) => `/version-${index}`);
  await Promise.all(versions.map((bytes, index) => writeFile(join(root, `version-${index}`), bytes)));
  const codeUrl = `/refetch-${kind.format}-${process.hrtime.bigint()}.js`;
  if (code !== undefined) await writeFile(join(root, codeUrl), code);
  const own = { ...kind, ...(code !== undefined && { code: codeUrl }) };
  /** @type {Record<string, Figures>} */
  const figures = {};
  for (const contender of CONTENDERS) {
    figures[contender] = await browser.withPage(`${url}/refetch.html`, async (page) => {
      await page.waitForFunction('globalThis.refetches !== undefined');
      return await page.evaluate(
        (task) => /** @type {{ refetches: (task: object) => Promise<Figures> }} */ (/** @type {unknown} */ (globalThis)).refetches(task),
        { urls, contender, kind: own, key },
      );
    });
  }
  return figures;
}

/** @param {Result} result */
function lineOf({ place, document, format, change, figures }) {
  return `${place}, ${document}, ${format}, ${change}: ${CONTENDERS.map((name) => `${name} ${duration(figures[name]?.ms ?? NaN)}`).join(', ')}`;
}

/** @param {readonly Result[]} results */
function table(results) {
  const lines = results.map(({ place, document, format, change, bytes, records, figures, besides }) => {
    const { library, shared, decode, previous, rows } = /** @type {Record<string, Figures>} */ (figures);
    const ratio = (/** @type {Figures | undefined} */ to, of = previous) => times(of && to ? of.ms / to.ms : null);
    return [
      `${place}, ${document}, ${NAMES[/** @type {'json'} */ (format)]}, ${(bytes / 1e6).toFixed(1)} MB, ${change}`,
      ratio(library),
      ratio(shared),
      ratio(decode),
      previous?.blockMs === null || previous === undefined ? '–' : duration(previous.blockMs),
      `${((previous?.kept ?? 0) * 100).toFixed(1)} %`,
      ratio(library, rows),
      rows?.blockMs === null || rows === undefined ? '–' : duration(rows.blockMs),
      besides === undefined ? '–' : `${((besides - bytes) / records).toFixed(1)} B`,
    ];
  });
  return align([['', '÷ library', '÷ shared', '÷ decode', 'longest block', 'kept', 'rows ÷ library', 'their block', 'memory a record'], ...lines]);
}

/** @param {FetchedResult | undefined} result */
function fetchedLine(result) {
  const { document, change, figures } = /** @type {FetchedResult} */ (result);
  const { body, decode, previous, 'response.json()': json } = figures;
  const steps = `previous: first ${duration(previous?.first.ms ?? NaN)}, later ${duration(previous?.later.ms ?? NaN)}`;
  return `fetch, ${document}, json, ${change}: body ${duration(body?.later.ms ?? NaN)}, response.json() ${duration(json?.later.ms ?? NaN)}, decode ${duration(decode?.later.ms ?? NaN)}, ${steps}`;
}

/** @param {readonly FetchedResult[]} results */
function fetchedTable(results) {
  const lines = results.map(({ document, change, bytes, figures }) => {
    const { body, decode, previous, 'response.json()': json } = figures;
    const base = json?.later.ms ?? NaN;
    const ratio = (/** @type {number | undefined} */ ms) => times((ms ?? NaN) / base);
    return [
      `${document}, ${(bytes / 1e6).toFixed(1)} MB, ${change}`,
      duration(base),
      ratio(body?.later.ms),
      ratio(decode?.later.ms),
      ratio(previous?.first.ms),
      ratio(previous?.later.ms),
      duration(previous?.first.blockMs ?? NaN),
      duration(previous?.later.blockMs ?? NaN),
    ];
  });
  const header = [
    'over a fetch, ÷ response.json()',
    'response.json()',
    'body alone',
    'decode',
    'first refetch',
    'later',
    'longest block, first',
    'later',
  ];
  return align([header, ...lines]);
}
