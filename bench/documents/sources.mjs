// Documents: real ones of many shapes, and generated records.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { readIrregular } from '../../demo/server/data/irregular.mjs';
import { orderAt } from '../../demo/server/data/orders.mjs';
import { tripAt } from '../../demo/server/data/trips.mjs';
import { resizer } from './resize.mjs';

/** Documents of public benchmarks of JSON parsers, outside the repository. */
const CORPUS = fileURLToPath(new URL('../../../shared/corpora/json-documents/', import.meta.url));
const CORPUS_FILES = [
  'amazon_cellphones.ndjson',
  'apache_builds.json',
  'canada.json',
  'citm_catalog.json',
  'github_events.json',
  'gsoc-2018.json',
  'instruments.json',
  'marine_ik.json',
  'mesh.json',
  'numbers.json',
  'random.json',
  'twitter.json',
  'twitterescaped.json',
  'update-center.json',
];
const IRREGULAR = ['vega-datasets/movies', 'vega-datasets/flights-200k', 'world-atlas/countries-10m'];
const QUICK = ['github_events', 'twitter', 'orders', 'trips'];

/**
 * @typedef {object} Document
 * @property {string} name
 * @property {string} label
 * @property {'nested' | 'flat'} kind flat records have their own bars
 * @property {boolean} quick belongs to the short selection
 * @property {boolean} present whether its file exists
 * @property {() => Promise<unknown>} read returns the original, or a thousand generated rows
 * @property {() => Promise<(bytes: number) => import('./resize.mjs').Resized>} open
 *   Reads it, and returns a function that resizes it to about `bytes` bytes of JSON.
 */

/** @type {readonly Document[]} */
export const DOCUMENTS = [
  ...CORPUS_FILES.map((file) => ({
    ...described(nameOf(file)),
    present: existsSync(CORPUS + file),
    ...opening(async () => parse(file, await readFile(CORPUS + file, 'utf8'))),
  })),
  ...IRREGULAR.map((document) => ({
    ...described(document.slice(document.indexOf('/') + 1)),
    present: true,
    ...opening(() => readIrregular(document)),
  })),
  { ...described('orders', 'nested orders'), present: true, ...generating('orders', (index) => orderAt(index, 1)) },
  { ...described('trips', 'flat records', 'flat'), present: true, ...generating('trips', tripAt) },
];

/** @param {() => Promise<unknown>} read */
function opening(read) {
  return { read, open: async () => resizer(await read()) };
}

/**
 * @param {string} key of the list
 * @param {(index: number) => unknown} at
 */
function generating(key, at) {
  return { read: async () => rows(key, at, 1000), open: async () => generated(key, at) };
}

/**
 * @param {string} key
 * @param {(index: number) => unknown} at
 * @param {number} count
 */
function rows(key, at, count) {
  return { [key]: Array.from({ length: count }, (_, index) => at(index)) };
}

/**
 * @param {string} name
 * @param {string} [label]
 * @param {Document['kind']} [kind]
 */
function described(name, label = name, kind = 'nested') {
  return { name, label, kind, quick: QUICK.includes(name) };
}

/** @param {string} file */
function nameOf(file) {
  return file.slice(0, file.lastIndexOf('.'));
}

/**
 * Parses a file; a sequence of values becomes a list.
 *
 * @param {string} file
 * @param {string} text
 */
function parse(file, text) {
  if (!file.endsWith('.ndjson')) return JSON.parse(text);
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line));
}

/**
 * @param {string} key of the list
 * @param {(index: number) => unknown} at
 */
function generated(key, at) {
  return (/** @type {number} */ bytes) => {
    const count = Math.round((bytes * 1000) / JSON.stringify(rows(key, at, 1000)).length);
    return { value: rows(key, at, count), path: [key] };
  };
}
