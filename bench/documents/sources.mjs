// Documents: real ones of many shapes, and generated records.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { readIrregular } from '../../demo/server/data/irregular.mjs';
import { orderAt } from '../../demo/server/data/orders.mjs';
import { tripAt } from '../../demo/server/data/trips.mjs';
import { resizer } from './resize.mjs';

/** Documents of public benchmarks of JSON parsers, which the package `simdjson` has. */
const CORPUS = fileURLToPath(new URL('corpus/', import.meta.url));
const FOLDER = `${CORPUS}node_modules/simdjson/jsonexamples/`;
const CORPUS_FILES = [
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
 * @property {() => Promise<unknown>} read returns the original, or a thousand generated rows
 * @property {() => Promise<(bytes: number) => import('./resize.mjs').Resized>} open
 *   Reads it, and returns a function that resizes it to about `bytes` bytes of JSON.
 */

/** @type {readonly Document[]} */
export const DOCUMENTS = [
  ...CORPUS_FILES.map((file) => ({
    ...described(nameOf(file)),
    ...opening(async () => JSON.parse(await readFile(fileOf(file), 'utf8'))),
  })),
  ...IRREGULAR.map((document) => ({
    ...described(document.slice(document.indexOf('/') + 1)),
    ...opening(() => readIrregular(document)),
  })),
  { ...described('orders', 'nested orders'), ...generating('orders', (index) => orderAt(index, 1)) },
  { ...described('trips', 'flat records', 'flat'), ...generating('trips', tripAt) },
];

/**
 * Path of a document, whose package is installed first if it is missing.
 *
 * @param {string} file
 */
function fileOf(file) {
  if (!existsSync(FOLDER)) {
    console.log('Installing the documents of the package simdjson in bench/documents/corpus\n');
    const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
    const { status } = spawnSync(npm, ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', CORPUS], {
      stdio: 'inherit',
      timeout: 300_000,
    });
    if (status !== 0) throw new Error('The documents could not be installed: run npm ci --ignore-scripts --prefix bench/documents/corpus.');
  }
  return FOLDER + file;
}

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
 * @param {string} key of the list
 * @param {(index: number) => unknown} at
 */
function generated(key, at) {
  return (/** @type {number} */ bytes) => {
    const count = Math.round((bytes * 1000) / JSON.stringify(rows(key, at, 1000)).length);
    return { value: rows(key, at, count), path: [key] };
  };
}
