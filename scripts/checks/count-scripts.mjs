import { readFile } from 'node:fs/promises';
import http from 'node:http';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** @type {Readonly<Record<string, string>>} */
const TYPES = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.msgpack': 'application/vnd.msgpack',
  '.cbor': 'application/cbor',
};

/**
 * A script requested by a page or its worker.
 *
 * @typedef {object} ScriptRequest
 * @property {string} name its path in the folder
 * @property {number} gzip its bytes, compressed
 */

/**
 * Serves a folder like a deployed site, with cacheable files, and records the requested scripts in order.
 *
 * @param {string} root
 * @returns {Promise<{ url: string, scripts: ScriptRequest[], close: () => Promise<void> }>}
 */
export async function serveAndCount(root) {
  /** @type {ScriptRequest[]} */
  const scripts = [];
  const answer = async (/** @type {string} */ name, /** @type {http.ServerResponse} */ response) => {
    const file = await readFile(join(root, name)).catch(() => undefined);
    const type = TYPES[extname(name)] ?? 'application/octet-stream';
    if (type === 'text/javascript') scripts.push({ name, gzip: file ? gzipSync(file).length : 0 });
    response.writeHead(file ? 200 : 404, { 'Content-Type': type, 'Cache-Control': 'max-age=3600', ...(file && { 'Content-Length': file.length }) });
    response.end(file);
  };
  const server = http.createServer((request, response) => {
    answer(new URL(request.url ?? '/', 'http://localhost').pathname.slice(1), response).catch(() => response.destroy());
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}/`,
    scripts,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
