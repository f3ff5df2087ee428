import { datasets } from './datasets.mjs';
import { encodingFor } from './encodings.mjs';

/**
 * A validated request for a payload.
 *
 * @typedef {object} PayloadRequest
 * @property {string} dataset
 * @property {string} format
 * @property {number} rows 0 unless the dataset is a list
 * @property {number} seed
 * @property {string} document empty unless the dataset has documents
 */

/** An invalid request; the message names valid values. */
export class PayloadRequestError extends RangeError {
  /** @override */
  name = 'PayloadRequestError';
}

/**
 * Validates a request and applies the defaults.
 *
 * @param {{ dataset?: unknown, format?: unknown, rows?: unknown, seed?: unknown, document?: unknown }} request
 *   Numbers may be strings. Defaults: `rows` 1,000, `seed` 1.
 * @returns {PayloadRequest}
 * @throws {PayloadRequestError}
 */
export function checkPayloadRequest({ dataset: datasetName = 'trips', format = 'json', rows, seed, document }) {
  const dataset = String(datasetName);
  const source = datasets.get(dataset);
  if (!source) {
    const names = [...datasets.keys()].join(', ');
    throw new PayloadRequestError(`No dataset is named ${JSON.stringify(dataset)}. There are: ${names}.`);
  }
  const encoding = checkedEncoding(String(format));
  if (encoding.datasets && !encoding.datasets.includes(dataset)) {
    throw new PayloadRequestError(`${encoding.id} has no schema for the dataset ${dataset}. It has one for: ${encoding.datasets.join(', ')}.`);
  }
  const request = { dataset, format: encoding.id, rows: 0, seed: integer('seed', seed ?? 1, 0, 0xffffffff), document: '' };
  if (source.kind === 'list') request.rows = integer('rows', rows ?? 1000, 0, source.maxRows);
  else if (rows !== undefined) throw new PayloadRequestError(`The dataset ${dataset} has a fixed size: leave out rows.`);
  if (source.kind === 'documents') request.document = checkedDocument(source.documents, document);
  else if (document !== undefined) throw new PayloadRequestError(`The dataset ${dataset} has no documents: leave out document.`);
  return request;
}

/** @param {string} format */
function checkedEncoding(format) {
  try {
    return encodingFor(format);
  } catch (error) {
    throw new PayloadRequestError(/** @type {Error} */ (error).message);
  }
}

/**
 * @param {readonly string[]} documents
 * @param {unknown} document
 */
function checkedDocument(documents, document) {
  if (documents.includes(String(document))) return String(document);
  const problem = document === undefined ? 'Name a document.' : `No document is named ${JSON.stringify(document)}.`;
  throw new PayloadRequestError(`${problem} There are: ${documents.join(', ')}.`);
}

/**
 * @param {string} name
 * @param {unknown} value a number or its decimal text
 * @param {number} min
 * @param {number} max
 */
export function integer(name, value, min, max) {
  const number = typeof value === 'number' ? value : /^\d{1,15}$/.test(String(value)) ? Number(value) : Number.NaN;
  if (Number.isInteger(number) && number >= min && number <= max) return number;
  const range = `a whole number from ${min.toLocaleString('en')} to ${max.toLocaleString('en')}`;
  throw new PayloadRequestError(`${name} must be ${range}, not ${JSON.stringify(value)}.`);
}
