import { createReadStream } from 'node:fs';
import http from 'node:http';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { DAMAGES, placeOfDamage, spoil } from './damage.mjs';
import { createOrderBook } from './data/order-book.mjs';
import { sendAnswer, sendItinerary, serveTicks } from './live.mjs';
import { pace } from './pace.mjs';
import { integer, PayloadRequestError } from './payload-request.mjs';
import { PayloadStore } from './payload.mjs';
import { findStaticFile } from './static-files.mjs';

/**
 * @typedef {object} ServerOptions
 * @property {string} [root] served folder; default: the built demo
 * @property {string} [payloads] folder of the payloads; default: `.cache/payloads`
 * @property {Readonly<Record<string, string>>} [headers] added to every response, overriding the defaults
 */

/**
 * @typedef {object} DemoServer
 * @property {http.Server} http
 * @property {(where?: { port?: number, host?: string }) => Promise<string>} listen
 *   Listens on the port or, if it is in use, on the next free one; 0 for any. Resolves with the URL.
 * @property {() => Promise<void>} close ends connections and unfinished payloads
 */

export const DEFAULT_PORT = 4173;
export const DEFAULT_HOST = '127.0.0.1';
/** Number of ports that `listen` tries. */
const PORTS_TRIED = 100;

const DEMO_ROOT = fileURLToPath(new URL('../../dist-demo', import.meta.url));
const MAX_THROTTLE_MBIT = 100_000;
const MAX_LATENCY_MS = 60_000;
const MAX_ORDERS = 200_000;

/** Addresses of payloads, with an optional name that distinguishes requests in lists. */
const PAYLOADS = /^\/payload(?:\/[\w-]+)?$/;

/** Addresses of the demo's pages, which share one document. */
export const PAGES = ['/playground', '/streaming', '/table', '/refetching', '/live', '/service-worker', '/panel'];

/** A strict policy: no inline scripts, no eval, no scripts from strings. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self'",
  "worker-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  "require-trusted-types-for 'script'",
].join('; ');

/**
 * The demo's server: the built demo, and `GET /payload?dataset=&rows=&format=` with `seed`, `document`, `throttle`
 * (Mbit/s), `latency` (ms) and `damage` (see damage.mjs) as options. `GET /payload/<any name>` and `GET /api/trips`, which may be
 * cached, are equivalent. `GET /api/orders?rows=&version=&changed=&added=` is a list that changes with its version; see
 * data/order-book.mjs.
 * `GET /answer?speed=`, `GET /itinerary?days=&rate=` and the socket `/ticks?rate=` never end, or do so late: see live.mjs.
 *
 * @param {ServerOptions} [options]
 * @returns {DemoServer}
 */
export function createServer({ root = DEMO_ROOT, payloads, headers = {} } = {}) {
  const store = new PayloadStore(payloads === undefined ? {} : { directory: payloads });
  const writeOrders = createOrderBook();
  const common = {
    'Content-Security-Policy': CONTENT_SECURITY_POLICY,
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
    ...headers,
  };

  const server = http.createServer((request, response) => {
    for (const [name, value] of Object.entries(common)) response.setHeader(name, value);
    answer(request, response).catch((error) => fail(response, error));
  });

  const endTicks = serveTicks(server);

  /**
   * @param {http.IncomingMessage} request
   * @param {http.ServerResponse} response
   */
  async function answer(request, response) {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('Allow', 'GET, HEAD');
      sendText(response, 405, `${request.method} is not allowed here: use GET or HEAD.`);
      return;
    }
    const url = parseUrl(request.url ?? '/');
    if (url === undefined) sendText(response, 400, 'The address is not a URL.');
    else if (PAYLOADS.test(url.pathname)) await sendPayload(url.searchParams, request, response);
    else if (url.pathname === '/answer') sendAnswer(url.searchParams, response);
    else if (url.pathname === '/itinerary') sendItinerary(url.searchParams, response);
    else if (url.pathname === '/api/trips') {
      response.setHeader('Cache-Control', 'no-cache');
      await sendPayload(url.searchParams, request, response);
    } else if (url.pathname === '/api/orders') {
      const body = writeOrders(orderListQuery(url.searchParams));
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length });
      response.end(body);
    } else await sendStatic(url.pathname, request, response);
  }

  /**
   * @param {URLSearchParams} query
   * @param {http.IncomingMessage} request
   * @param {http.ServerResponse} response
   */
  async function sendPayload(query, request, response) {
    const { throttle, latency, damage, ...wanted } = payloadQuery(query);
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const [payload] = await Promise.all([store.get(wanted), latency > 0 && wait(latency, undefined, { signal: gone.signal })]);
    if (gone.signal.aborted) return;
    if (payload.generatedMs !== undefined) {
      response.setHeader('Server-Timing', `generate;dur=${payload.generatedMs.toFixed(1)}`);
    }
    const at = placeOfDamage(payload.bytes);
    const bytes = damage === 'cut' ? at : payload.bytes;
    response.writeHead(200, { 'Content-Type': payload.mediaType, 'Content-Length': bytes });
    if (request.method === 'HEAD') {
      response.end();
      return;
    }
    const file = createReadStream(payload.path, { highWaterMark: 1 << 20, ...(damage === 'cut' && { end: bytes - 1 }) });
    if (throttle === 0 && damage === 'none') await pipeline(file, response);
    else {
      const rate = throttle === 0 ? Infinity : throttle * 125_000;
      await pipeline(file, (source) => pace(spoil(source, damage, at), rate, gone.signal), response);
    }
  }

  /**
   * @param {string} pathname
   * @param {http.IncomingMessage} request
   * @param {http.ServerResponse} response
   */
  async function sendStatic(pathname, request, response) {
    const file = await findStaticFile(root, PAGES.includes(pathname) ? '/index.html' : pathname);
    if (file === undefined) {
      const isUnbuilt = pathname === '/' && root === DEMO_ROOT;
      sendText(response, 404, isUnbuilt ? 'The demo is not built: run npm run build.' : `There is no ${pathname} here.`);
      return;
    }
    // The document that fetches addresses for the playground has a policy of its own, and a sandbox.
    if (/^\/address\.(?:html|js)$/.test(pathname)) response.removeHeader('Content-Security-Policy');
    response.writeHead(200, { 'Content-Type': file.mediaType, 'Content-Length': file.bytes });
    if (request.method === 'HEAD') response.end();
    else await pipeline(file.open(), response);
  }

  return {
    http: server,
    async listen({ port = DEFAULT_PORT, host = DEFAULT_HOST } = {}) {
      const taken = await listenFrom(server, port, host);
      const isEveryAddress = host === '0.0.0.0' || host === '::';
      return `http://${isEveryAddress ? 'localhost' : host.includes(':') ? `[${host}]` : host}:${taken}/`;
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      endTicks();
      await Promise.all([closed, store.close()]);
    },
  };
}

/**
 * @param {URLSearchParams} query
 * @throws {PayloadRequestError} for a value out of range, a repeated or an unknown name
 */
function payloadQuery(query) {
  const { throttle = '0', latency = '0', damage: wantedDamage = 'none', ...wanted } = Object.fromEntries(query);
  const known = ['dataset', 'rows', 'format', 'seed', 'document', 'throttle', 'latency', 'damage'];
  for (const name of query.keys()) {
    if (!known.includes(name)) throw new PayloadRequestError(`Unknown parameter ${name}. Use one of ${known.join(', ')}.`);
    if (query.getAll(name).length > 1) throw new PayloadRequestError(`${name} is given more than once.`);
  }
  const mbit = Number(throttle);
  if (!/^\d+(\.\d+)?$/.test(throttle) || mbit > MAX_THROTTLE_MBIT) {
    const range = `a number of Mbit/s up to ${MAX_THROTTLE_MBIT.toLocaleString('en')}, or 0 for none`;
    throw new PayloadRequestError(`throttle must be ${range}, not ${JSON.stringify(throttle)}.`);
  }
  const damage = DAMAGES.find((name) => name === wantedDamage);
  if (damage === undefined) {
    throw new PayloadRequestError(`damage must be one of ${DAMAGES.join(', ')}, not ${JSON.stringify(wantedDamage)}.`);
  }
  return { ...wanted, damage, throttle: mbit, latency: integer('latency', latency, 0, MAX_LATENCY_MS) };
}

/**
 * @param {URLSearchParams} query
 * @throws {PayloadRequestError} for a value out of range
 */
function orderListQuery(query) {
  /** @param {string} name @param {number} usual @param {number} least @param {number} most */
  const numberOf = (name, usual, least, most) => integer(name, query.get(name) ?? usual, least, most);
  return {
    rows: numberOf('rows', 1000, 1, MAX_ORDERS),
    version: numberOf('version', 0, 0, 1e6),
    changed: numberOf('changed', 1, 0, 100),
    added: numberOf('added', 0, 0, 100),
  };
}

/**
 * @param {http.Server} server
 * @param {number} first
 * @param {string} host
 * @returns {Promise<number>} the port
 */
async function listenFrom(server, first, host) {
  for (let port = first; ; port++) {
    try {
      await new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, () => {
          server.off('error', reject);
          resolve(undefined);
        });
      });
      return /** @type {import('node:net').AddressInfo} */ (server.address()).port;
    } catch (error) {
      const isTaken = /** @type {NodeJS.ErrnoException} */ (error).code === 'EADDRINUSE';
      if (!isTaken || port + 1 >= first + PORTS_TRIED || port >= 65_535) throw error;
    }
  }
}

/** @param {string} target of the request line */
function parseUrl(target) {
  try {
    // A target such as //host/path is a path, not another origin.
    return new URL(`http://localhost${target}`);
  } catch {
    return undefined;
  }
}

/**
 * @param {http.ServerResponse} response
 * @param {number} status
 * @param {string} text
 */
function sendText(response, status, text) {
  const body = Buffer.from(`${text}\n`);
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', 'Content-Length': body.length });
  response.end(body);
}

/**
 * @param {http.ServerResponse} response
 * @param {unknown} error
 */
function fail(response, error) {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  if (error instanceof PayloadRequestError) {
    sendText(response, 400, error.message);
    return;
  }
  console.error(error);
  sendText(response, 500, `The server failed: ${error instanceof Error ? error.message : String(error)}`);
}
