// Refetches over a connection, in a Chromium that nothing drives: from the call of fetch to the value.
import { writeFile } from 'node:fs/promises';
import http from 'node:http';
import { join } from 'node:path';
import { openPlain } from '../plain-browser.mjs';
import { inTime } from '../report.mjs';

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
  for (const contender of CONTENDERS) figures[contender] = await visit(url, contender, versions.length);
  return figures;
}

/** @param {string} url @param {string} contender @param {number} versions @returns {Promise<Fetched>} */
async function visit(url, contender, versions) {
  /** @type {(report: Fetched) => void} */
  let settle;
  const reported = /** @type {Promise<Fetched>} */ (new Promise((resolve) => (settle = resolve)));
  const server = http.createServer((request, response) => {
    void request.toArray().then((chunks) => {
      response.writeHead(204, { 'Access-Control-Allow-Origin': '*' }).end();
      settle(JSON.parse(Buffer.concat(chunks).toString()));
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const query = new URLSearchParams({ contender, versions: String(versions), report: `http://127.0.0.1:${port}/` });
  const browser = await openPlain(`${url}/fetched.html?${query}`);
  try {
    return await inTime(reported, PATIENCE_MS);
  } finally {
    await browser.close();
    server.close();
  }
}
