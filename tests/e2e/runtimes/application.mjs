// A server of Deno or Bun, and a client of it. Prints what came out as JSON, and ends by itself.
import { createDecoder } from 'unspool';
import { createEncoder } from 'unspool/encode';
import json from 'unspool/formats/json';
import messagepack from 'unspool/formats/messagepack';
import { receive, respond } from 'unspool/server';
import { decodeSync } from 'unspool/sync';

const trips = Array.from({ length: 20_000 }, (_, id) => ({ id, station: `Station ${id % 300}`, minutes: id / 2 }));

/** @param {Request} request */
async function answer(request) {
  const { pathname } = new URL(request.url);
  if (pathname === '/trips') return await respond(request, trips, { compression: true });
  if (pathname === '/cursor') return await respond(request, trips.values());
  return await respond(request, await receive(request, { limits: { bytes: 1e7 } }), { status: 201 });
}

/** Starts the server of the runtime. */
function serve() {
  const { Deno, Bun } = globalThis;
  if (Deno) {
    const server = Deno.serve({ port: 0, hostname: '127.0.0.1', onListen: () => {} }, answer);
    return { port: server.addr.port, stop: () => server.shutdown() };
  }
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: answer });
  return { port: server.port, stop: () => server.stop(true) };
}

/** @param {any} list */
const ends = (list) => [list.length, list.at(0), list.at(-1)];

const { port, stop } = serve();
const base = `http://127.0.0.1:${port}`;
// Idle threads are never stopped, so that the process ends only if they do not keep it alive.
const decoder = createDecoder({ idleTimeout: Infinity });
const encoder = createEncoder();
/** @type {string[]} */
const routes = [];
decoder.addEventListener('decode', ({ detail }) => routes.push(detail.route));

const text = new TextEncoder().encode(JSON.stringify(trips));
const packed = await encoder.encode(trips, { format: 'messagepack' });
const lists = {
  jsonAtOnce: decodeSync(json, text),
  messagepackAtOnce: decodeSync(messagepack, packed),
  inSlices: await decoder.decode(packed, { format: 'messagepack', route: 'page' }),
  inThread: await decoder.decode(packed, { format: 'messagepack', as: 'rows', route: 'worker' }),
};
const decoded = routes.splice(0);
const broken = await decoder.decode(packed.slice(0, -1), { format: 'messagepack', as: 'rows', route: 'worker' }).catch(({ code }) => code);

const response = await decoder.fetch(`${base}/trips`);
const type = response.headers.get('content-type');
lists.negotiated = await response.json();
const plain = await fetch(`${base}/trips`);
const plainType = plain.headers.get('content-type');
lists.plain = await plain.json();
lists.cursor = [];
for await (const batch of decoder.batches(await decoder.fetch(`${base}/cursor`))) lists.cursor.push(...batch);
const saved = await fetch(`${base}/save`, { method: 'POST', body: await encoder.body(trips, { format: 'messagepack' }) });
lists.received = await saved.json();
// A worker writes them.
lists.rows = decodeSync(messagepack, await encoder.encode(lists.inThread, { format: 'messagepack' }));
encoder.close();
await stop();
const values = Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, ends(list)]));
console.log(JSON.stringify({ values, routes: decoded, broken, type, plainType, status: saved.status }));
