// Refetches over a connection, in a Chromium that nothing drives: from the call of fetch to the value.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { reportOf } from '../plain-browser.mjs';

const CONTENDERS = /** @type {const} */ (['body', 'response.json()', 'decode', 'previous']);
/** Time limit of a page. */
const PATIENCE_MS = 120_000;

/** @typedef {{ ms: number, blockMs: number }} Step medians of the time, and the longest block of all */
/** @typedef {Record<'decode' | 'first' | 'later', Step>} Fetched a decode without a previous value, the first refetch with one, and the later ones */

/**
 * @param {{ url: string, root: string }} site
 * @param {readonly Uint8Array[]} versions of a document, as JSON
 * @returns {Promise<Record<string, Fetched>>} by contender
 */
export async function measureFetched({ url, root }, versions) {
  await Promise.all(versions.map((bytes, index) => writeFile(join(root, `version-${index}`), bytes)));
  /** @type {Record<string, Fetched>} */
  const figures = {};
  for (const contender of CONTENDERS) {
    const query = { contender, versions: String(versions.length) };
    figures[contender] = await reportOf(`${url}/fetched.html`, query, { patienceMs: PATIENCE_MS });
  }
  return figures;
}
