// A server with latency.
import { readdir, readFile } from 'node:fs/promises';
import http from 'node:http';
import { extname, join, sep } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

const CODE = '.js';
const MEDIA_TYPES = /** @type {Record<string, string>} */ ({ '.html': 'text/html; charset=utf-8', [CODE]: 'text/javascript; charset=utf-8' });

/**
 * Requests for code.
 *
 * @typedef {{ requests: number, codeBytes: number }} Traffic
 */

/** @typedef {{ mediaType: string, bytes: Uint8Array }} Payload */

/**
 * Serves folders, each under its name, and payloads, over HTTP/1.1 with up to six connections per browser, kept alive. Each
 * request is delayed once by the latency; a new connection costs no round trip, as with HTTP/2 after the first request.
 * Code is compressed and may be cached.
 */
export class DistantServer {
  /** @type {Map<string, { bytes: Uint8Array, gzip: Uint8Array, mediaType: string }>} */
  #files = new Map();
  /** @type {ReadonlyMap<string, Payload>} */
  #payloads = new Map();
  #latency = 0;
  #isCounted = (/** @type {string} */ _address) => true;
  /** @type {Traffic} */
  #traffic = { requests: 0, codeBytes: 0 };
  /** @type {Traffic | undefined} */
  #first;
  /** @type {((outcome: any) => void) | undefined} */
  #onOutcome;
  #server = http.createServer((request, response) => {
    this.#answer(request, response).catch((error) => response.destroy(error));
  });

  /** @param {Record<string, string>} folders by the name that begins their addresses */
  async listen(folders) {
    for (const [name, folder] of Object.entries(folders)) {
      for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
        const path = join(entry.parentPath, entry.name);
        const mediaType = MEDIA_TYPES[extname(path)];
        if (!entry.isFile() || mediaType === undefined) continue;
        const bytes = await readFile(path);
        this.#files.set(`/${name}${path.slice(folder.length).replaceAll(sep, '/')}`, { bytes, gzip: gzipSync(bytes, { level: 9 }), mediaType });
      }
    }
    await new Promise((resolve) => this.#server.listen(0, '127.0.0.1', () => resolve(undefined)));
    const { port } = /** @type {import('node:net').AddressInfo} */ (this.#server.address());
    return `http://127.0.0.1:${port}`;
  }

  /**
   * Prepares for the next visit.
   *
   * @param {number} latency
   * @param {ReadonlyMap<string, Payload>} payloads by their addresses
   * @param {(address: string) => boolean} isCounted selects the code that counts
   * @returns {{ outcome: Promise<any>, first: () => Traffic }} the page's report, and its requests until the end of its
   *   first decode
   */
  expect(latency, payloads, isCounted) {
    this.#isCounted = isCounted;
    this.#latency = latency;
    this.#payloads = payloads;
    this.#traffic = { requests: 0, codeBytes: 0 };
    this.#first = undefined;
    const outcome = new Promise((resolve) => {
      this.#onOutcome = resolve;
    });
    return { outcome, first: () => this.#first ?? this.#traffic };
  }

  /** @param {http.IncomingMessage} request @param {http.ServerResponse} response */
  async #answer(request, response) {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    if (pathname === '/outcome') {
      const chunks = await request.toArray();
      response.writeHead(204).end();
      this.#onOutcome?.(JSON.parse(Buffer.concat(chunks).toString()));
      return;
    }
    if (pathname === '/first') {
      this.#first = { ...this.#traffic };
      response.writeHead(204).end();
      return;
    }
    const file = this.#files.get(pathname);
    const payload = this.#payloads.get(pathname);
    if (file && pathname.endsWith(CODE) && this.#isCounted(pathname)) {
      this.#traffic.requests += 1;
      this.#traffic.codeBytes += file.gzip.length;
    }
    await wait(this.#latency);
    if (payload) {
      response.writeHead(200, { 'Content-Type': payload.mediaType, 'Content-Length': payload.bytes.length, 'Cache-Control': 'no-store' });
      response.end(payload.bytes);
    } else if (file) {
      const headers = {
        'Content-Type': file.mediaType,
        'Content-Encoding': 'gzip',
        'Content-Length': file.gzip.length,
        'Cache-Control': 'max-age=31536000, immutable',
      };
      response.writeHead(200, headers).end(file.gzip);
    } else response.writeHead(404).end();
  }

  async close() {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }
}
