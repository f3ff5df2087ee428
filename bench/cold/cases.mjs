// Cases of first decodes: pages, payloads, builds and latencies.

/**
 * @typedef {object} Visitor
 * @property {string} id
 * @property {string} label
 * @property {string} page its script in `app`
 * @property {string} format of the payload
 * @property {'objects' | 'rows'} form
 */

const FORMATS = ['json', 'messagepack', 'protobuf'];
const FORMS = /** @type {const} */ (['objects', 'rows']);

/** @type {readonly Visitor[]} */
export const VISITORS = [
  { id: 'response-json', label: 'response.json()', page: 'native', format: 'json', form: 'objects' },
  { id: 'msgpackr', label: 'msgpackr on the page', page: 'msgpackr', format: 'messagepack', form: 'objects' },
  { id: 'comlink-json', label: 'worker, Comlink, JSON', page: 'comlink-json', format: 'json', form: 'objects' },
  { id: 'comlink-msgpackr', label: 'worker, Comlink, msgpackr', page: 'comlink-msgpackr', format: 'messagepack', form: 'objects' },
  ...FORMATS.flatMap((format) =>
    FORMS.map((form) => ({ id: `unspool-${format}-${form}`, label: `Unspool, ${format}, ${form}`, page: pageOf(format), format, form })),
  ),
  { id: 'unspool-on-demand', label: 'Unspool, messagepack on demand, objects', page: 'unspool', format: 'messagepack', form: 'objects' },
];

/** The page of a format: an application with MessagePack payloads bundles the format's code. @param {string} format */
function pageOf(format) {
  return format === 'messagepack' ? 'unspool-messagepack' : 'unspool';
}

/** Whether a page decodes with this library. @param {Pick<Visitor, 'page'>} visitor */
export function isOurs({ page }) {
  return page.startsWith('unspool');
}

export const BASELINE = 'response-json';

/** Bytes of JSON. The other formats contain the same rows. */
const COLD_SIZES = [10e3, 100e3, 512e3, 1e6, 5e6, 20e6];
const LATENCIES = [0, 50, 200];
const BUILDS = ['vite', 'bare'];
const QUICK_SIZES = [100e3, 1e6];

/**
 * @typedef {object} Case
 * @property {string} build
 * @property {number} latency ms for each request
 * @property {number} bytes
 */

/**
 * @param {{ builds?: readonly string[] | undefined, latencies?: readonly number[] | undefined, sizes?: readonly number[] | undefined,
 *   quick?: boolean, full?: boolean }} choice sizes in megabytes
 * @returns {Case[]}
 */
export function coldCases({ builds, latencies, sizes, quick = false, full = false }) {
  const chosen = sizes?.map((megabytes) => megabytes * 1e6) ?? (quick ? QUICK_SIZES : COLD_SIZES);
  return (builds ?? (full ? BUILDS : ['vite'])).flatMap((build) =>
    (latencies ?? (full ? LATENCIES : [50])).flatMap((latency) => chosen.map((bytes) => ({ build, latency, bytes }))),
  );
}

/**
 * The pages to open in turn, which always include the baseline.
 *
 * @param {{ formats?: readonly string[] | undefined, forms?: readonly string[] | undefined, contenderNames?: readonly string[] }} choice
 * @returns {Visitor[]}
 */
export function visitorsFor({ formats, forms, contenderNames = [] }) {
  return VISITORS.filter(
    ({ id, format, form, page }) =>
      id === BASELINE ||
      ((formats?.includes(format) ?? true) &&
        (!isOurs({ page }) || (forms?.includes(form) ?? true)) &&
        (contenderNames.length === 0 || contenderNames.some((part) => id.includes(part)))),
  );
}
