// Cases of the benchmark: payloads, each in every encoding.

/**
 * @typedef {object} Case
 * @property {string} name `group/format`
 * @property {string} group shared by all encodings of one value
 * @property {string} format an encoder's id
 * @property {'once' | 'calls'} mode one decode of a large payload, or the cost of a small call among many
 * @property {string | null} list the key of the long list in the root value
 * @property {number | null} rows
 * @property {Record<string, string | number>} query parameters for the payload server
 * @property {Record<string, string | number>} warmUpQuery parameters for the warm-up payload
 * @property {number} warmUps number of warm-up decodes
 * @property {number} runs
 * @property {boolean} [canonical] compares values by meaning, as formats represent them differently
 * @property {boolean} quick belongs to the short selection
 */

export const BASELINE_FORMAT = 'json';
const FORMATS = [BASELINE_FORMAT, 'messagepack', 'messagepack-records', 'messagepack-records-bundled'];
/** The baseline, and the encoding that libraries decode fastest. */
const QUICK_FORMATS = [BASELINE_FORMAT, 'messagepack-records-bundled'];
const IRREGULAR_FORMATS = [BASELINE_FORMAT, 'messagepack'];

/** Rows of the warm-up payload, unless the case has fewer. */
export const WARM_UP_ROWS = 10_000;
/** Number of warm-up decodes of a document, which is its own warm-up payload. */
export const DOCUMENT_WARM_UPS = 5;

const SIZES = [
  { rows: 1000, name: '1k', runs: 15 },
  { rows: 10_000, name: '10k', runs: 11 },
  { rows: 100_000, name: '100k', runs: 7 },
  { rows: 1_000_000, name: '1m', runs: 5 },
];

/** Documents that are not tabular: geometry, catalogues, statistics with gaps, graphs. */
const DOCUMENTS = [
  'vega-datasets/movies',
  'vega-datasets/football',
  'vega-datasets/weekly-weather',
  'vega-datasets/miserables',
  'vega-datasets/londonBoroughs',
  'vega-datasets/flights-200k',
  'world-atlas/countries-50m',
  'world-atlas/countries-10m',
];
const QUICK_DOCUMENT = 'world-atlas/countries-50m';

/** @type {readonly Case[]} */
export const CASES = [
  ...SIZES.flatMap((size) => listCases('trips', 'trips', size)),
  ...SIZES.flatMap((size) => listCases('numbers', 'items', size)),
  ...DOCUMENTS.flatMap(documentCases),
  ...['call-1k', 'call-10k'].flatMap(callCases),
];

/**
 * @param {string} dataset
 * @param {string} list
 * @param {{ rows: number, name: string, runs: number }} size
 */
function listCases(dataset, list, { rows, name, runs }) {
  const group = `${dataset}-${name}`;
  return FORMATS.map((format) => ({
    name: `${group}/${format}`,
    group,
    format,
    mode: /** @type {const} */ ('once'),
    list,
    rows,
    query: { dataset, format, rows },
    warmUpQuery: { dataset, format, rows: Math.min(rows, WARM_UP_ROWS) },
    warmUps: 1,
    runs,
    quick: dataset === 'trips' && rows === 100_000 && QUICK_FORMATS.includes(format),
  }));
}

/** @param {string} document */
function documentCases(document) {
  const group = document.slice(document.indexOf('/') + 1);
  return IRREGULAR_FORMATS.map((format) => {
    const query = { dataset: 'irregular', document, format };
    return {
      name: `${group}/${format}`,
      group,
      format,
      mode: /** @type {const} */ ('once'),
      list: null,
      rows: null,
      query,
      warmUpQuery: query,
      warmUps: DOCUMENT_WARM_UPS,
      runs: 11,
      quick: document === QUICK_DOCUMENT && format === BASELINE_FORMAT,
    };
  });
}

/** @param {string} dataset */
function callCases(dataset) {
  return FORMATS.map((format) => {
    const query = { dataset, format };
    return {
      name: `${dataset}/${format}`,
      group: dataset,
      format,
      mode: /** @type {const} */ ('calls'),
      list: null,
      rows: null,
      query,
      warmUpQuery: query,
      warmUps: 1,
      runs: 7,
      quick: dataset === 'call-1k' && format === BASELINE_FORMAT,
    };
  });
}

/**
 * Selects the contenders of each case. Every selected group contains the baseline, JSON.parse of the JSON form, first: the
 * ratios and the check of the results need it.
 *
 * @param {readonly Case[]} cases
 * @param {readonly import('./contenders/contender.js').Contender[]} contenders
 * @param {{ names: readonly string[], contenderNames: readonly string[], quick: boolean }} choice
 *   Names are substrings; none means all.
 */
export function select(cases, contenders, { names, contenderNames, quick }) {
  const isChosen = (/** @type {Case} */ { name, quick: isQuick }) =>
    names.length > 0 ? names.some((part) => name.includes(part)) : isQuick || !quick;
  const groups = new Set(cases.filter(isChosen).map(({ group }) => group));
  return cases
    .filter(({ group }) => groups.has(group))
    .map((benchCase) => ({
      benchCase,
      contenders: contenders.filter((contender) => {
        if (!fits(contender, benchCase)) return false;
        if (isBaseline(benchCase.format, contender.id)) return true;
        const isWanted = contenderNames.length === 0 || contenderNames.some((part) => contender.id.includes(part));
        return isWanted && isChosen(benchCase);
      }),
    }))
    .filter((selected) => selected.contenders.length > 0);
}

/**
 * @param {import('./contenders/contender.js').Contender} contender
 * @param {Case} benchCase
 */
function fits({ formats, result }, { format, mode }) {
  return formats.includes(format) && !(mode === 'calls' && result === 'rows');
}

/**
 * @param {string} format
 * @param {string} contender
 */
export function isBaseline(format, contender) {
  return format === BASELINE_FORMAT && contender === 'json-parse';
}
