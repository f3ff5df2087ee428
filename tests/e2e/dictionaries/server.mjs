/** A server of trips, of which 1 % change with each request, compressed with the last response as the dictionary. Runs in Node 24. */
import { readFile } from 'node:fs/promises';
import http from 'node:http';
import { createDictionaries, send } from '../../../dist/server.js';

const PAGE = `<!doctype html><script type="module">
  import { createDecoder } from '/dist/index.js';
  globalThis.decoder = createDecoder();
</script>`;

let version = 0;
const trips = Array.from({ length: 20_000 }, (_, id) => ({
  id,
  station: `Station ${(id * 7_919) % 997}`,
  minutes: ((id * 31) % 577) / 2,
  at: 1_767_225_600_000 + id * 61_234,
  member: id % 3 > 0,
}));

/** Changes every hundredth trip. */
function next() {
  version += 1;
  for (let id = version; id < trips.length; id += 100) trips[id] = { ...trips[id], station: `Station ${version} ${id}`, minutes: id / 2 };
  return trips;
}

/** The whole list, or one item after another. */
const bodies = { '/trips': () => next(), '/cursor': () => next().values() };
const store = createDictionaries();
/** For each response: the client's dictionary, the headers, and the bytes written to its connection. */
const log = [];

/**
 * @param {http.IncomingMessage} request
 * @param {http.ServerResponse} response
 */
async function answer(request, response) {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  if (pathname === '/log') return response.end(JSON.stringify(log.splice(0)));
  if (pathname === '/plain') return response.end(JSON.stringify(trips));
  if (pathname.startsWith('/dist/')) {
    response.setHeader('Content-Type', 'text/javascript');
    return response.end(await readFile(new URL(`../../..${pathname}`, import.meta.url)));
  }
  const body = bodies[pathname];
  if (!body) return response.setHeader('Content-Type', 'text/html').end(PAGE);
  const { socket } = response;
  const before = socket.bytesWritten;
  await send(request, response, body(), {
    compression: { dictionaries: { store, audience: 'public' } },
    headers: { 'Cache-Control': 'max-age=3600' },
  });
  const { 'content-encoding': coding, vary } = response.getHeaders();
  return log.push({ dictionary: request.headers['available-dictionary'], coding, vary, bytes: socket.bytesWritten - before });
}

const server = http.createServer((request, response) => {
  answer(request, response).catch(() => response.destroy());
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
