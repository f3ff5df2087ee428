import { promisify } from 'node:util';
import { readFile } from 'node:fs/promises';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { payload } from '../../demo/server/payload.mjs';

/** Compression levels of web servers for dynamic responses. */
const GZIP_LEVEL = 6;
const BROTLI_LEVEL = 5;
/** Larger payloads are not compressed, which would take many seconds each. */
const MAX_COUNT = 50e6;

/**
 * @typedef {object} Size
 * @property {string} group
 * @property {string} format
 * @property {number} bytes
 * @property {number | null} gzip
 * @property {number | null} brotli
 */

/**
 * Measures the payload of a case, which is created if it does not exist.
 *
 * @param {import('../cases.mjs').Case} benchCase
 * @returns {Promise<Size>}
 */
export async function sizesOf({ group, format, query }) {
  const { path, bytes } = await payload(query);
  if (bytes > MAX_COUNT) return { group, format, bytes, gzip: null, brotli: null };
  const content = await readFile(path);
  const [zipped, brotli] = await Promise.all([
    promisify(gzip)(content, { level: GZIP_LEVEL }),
    promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_LEVEL } }),
  ]);
  return { group, format, bytes, gzip: zipped.length, brotli: brotli.length };
}
