import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createDecoder } from 'unspool';
import { WebSocket as Socket, WebSocketServer } from 'ws';
import { followLog, resumeEvents, resumeMessages } from './index.ts';

const COUNT = 9;
const ENTRIES = Array.from({ length: COUNT }, (_, index) => ({ id: index + 1, station: `Station ${index + 1}` }));
const LOG = ENTRIES.map((entry) => `${JSON.stringify(entry)}\n`).join('');

/** Sends three entries after the one with an id. Returns true if there are more. */
function sendAfter(id: number, send: (entry: (typeof ENTRIES)[number]) => void): boolean {
  for (const entry of ENTRIES.slice(id, id + 3)) send(entry);
  return id + 3 < COUNT;
}

function answerLog(range: string, response: ServerResponse): void {
  const start = Number(/\d+/.exec(range)?.[0]);
  if (start >= LOG.length) response.writeHead(416, { 'Content-Range': `bytes */${LOG.length}` }).end();
  else response.writeHead(206, { 'Content-Type': 'application/x-ndjson' }).end(LOG.slice(start, start + 100));
}

/** A server whose connections all end after a few entries. */
const server = createServer((request, response) => {
  if (request.url === '/log') {
    answerLog(request.headers.range ?? '', response);
    return;
  }
  const id = Number(request.headers['last-event-id'] ?? 0);
  response.writeHead(id < COUNT ? 200 : 204, { 'Content-Type': 'text/event-stream' });
  sendAfter(id, (entry) => response.write(`id: ${entry.id}\ndata: ${JSON.stringify(entry)}\n\n`));
  response.end();
});
new WebSocketServer({ server }).on('connection', (socket, { url }) => {
  const hasMore = sendAfter(Number(url?.slice(1)), (entry) => socket.send(JSON.stringify(entry)));
  // A break of the connection is no normal close.
  if (hasMore) setTimeout(() => socket.terminate(), 100);
  else socket.close(1000);
});
await once(server.listen(0, '127.0.0.1'), 'listening');
const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;

const stop = new AbortController();
const following = { signal: stop.signal, pause: 50 };
for await (const { data } of resumeEvents<object>(`http://${host}/events`, following)) console.log('event', data);

const connect = (lastId: number): WebSocket => new Socket(`ws://${host}/${lastId}`) as unknown as WebSocket;
for await (const message of resumeMessages<{ id: number }>(connect, { ...following, format: 'json' })) console.log('message', message);

const decoder = createDecoder();
let lines = 0;
for await (const entries of decoder.batches<object[]>(followLog(`http://${host}/log`, following), {
  format: 'json',
  options: { sequence: true },
  signal: stop.signal,
})) {
  for (const entry of entries) console.log('line', entry);
  lines += entries.length;
  if (lines === COUNT) break;
}
stop.abort();
server.closeAllConnections();
server.close();
