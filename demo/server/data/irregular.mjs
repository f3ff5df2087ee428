// Real documents that are not tabular: geometry, statistics with missing values, catalogues. From npm packages; Node only.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/**
 * Names of the documents: package, then file without its extension.
 *
 * @type {readonly string[]}
 */
export const irregularDocuments = [
  'vega-datasets/budget',
  'vega-datasets/cars',
  'vega-datasets/countries',
  'vega-datasets/earthquakes',
  'vega-datasets/flare',
  'vega-datasets/football',
  'vega-datasets/flights-20k',
  'vega-datasets/flights-200k',
  'vega-datasets/jobs',
  'vega-datasets/londonBoroughs',
  'vega-datasets/miserables',
  'vega-datasets/movies',
  'vega-datasets/penguins',
  'vega-datasets/unemployment-across-industries',
  'vega-datasets/us-10m',
  'vega-datasets/volcano',
  'vega-datasets/weekly-weather',
  'world-atlas/countries-110m',
  'world-atlas/countries-50m',
  'world-atlas/countries-10m',
  'world-atlas/land-110m',
  'world-atlas/land-50m',
  'world-atlas/land-10m',
];

/**
 * @param {string} name one of `irregularDocuments`
 * @returns {Promise<unknown>} the document's value
 * @throws {RangeError} for an unknown document
 */
export async function readIrregular(name) {
  return JSON.parse(await readFile(irregularPath(name), 'utf8'));
}

/**
 * The version of a document's package.
 *
 * @param {string} name one of `irregularDocuments`
 * @returns {Promise<string>}
 */
export async function irregularVersion(name) {
  const [packageName] = split(name);
  return JSON.parse(await readFile(packageFile(packageName, 'package.json'), 'utf8')).version;
}

/** @param {string} name */
function irregularPath(name) {
  const [packageName, file] = split(name);
  return packageFile(packageName, packageName === 'vega-datasets' ? `data/${file}.json` : `${file}.json`);
}

/**
 * @param {string} name
 * @returns {[string, string]} package, file
 */
function split(name) {
  if (!irregularDocuments.includes(name)) {
    throw new RangeError(`No document is named ${JSON.stringify(name)}. There are: ${irregularDocuments.join(', ')}.`);
  }
  const slash = name.indexOf('/');
  return [name.slice(0, slash), name.slice(slash + 1)];
}

/**
 * @param {string} packageName
 * @param {string} path inside the package
 */
function packageFile(packageName, path) {
  return fileURLToPath(new URL(`../../../node_modules/${packageName}/${path}`, import.meta.url));
}
