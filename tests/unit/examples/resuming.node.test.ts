/** The example that follows logs and events, against a server whose connections break. */
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WebSocket as Client, WebSocketServer } from 'ws';
import { followLog, pauseAfter, resumeEvents, resumeMessages } from '../../../docs/examples/23-resuming/index.ts';
import { createDecoder } from '../../../main/index.ts';
import { feedItems, type FeedItem } from '../../setup/servers/feed.ts';
import { sendFeed } from '../../setup/servers/feed-sockets.ts';
import { answerRanges, logLines } from '../../setup/servers/log-server.ts';

const decoder = createDecoder();
let answer: (request: http.IncomingMessage, response: http.ServerResponse) => void;
let server: http.Server;
let sockets: WebSocketServer;
let url: string;

beforeEach(async () => {
  server = http.createServer((request, response) => answer(request, response)).listen(0, '127.0.0.1');
  sockets = new WebSocketServer({ server });
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test('a log that grows is followed by ranges, over connections that break in the middle of lines', async () => {
  let file = Buffer.from(`${logLines(0, 3_000)}{"id":300`);
  const ranges: string[] = [];
  answer = answerRanges(() => file, 50_001, ranges);
  const stop = new AbortController();
  const ids: number[] = [];
  const source = followLog(url, { signal: stop.signal, pause: 1 });
  for await (const batch of decoder.batches<{ id: number }>(source, { format: 'json', options: { sequence: true } })) {
    ids.push(...batch.map(({ id }) => id));
    if (ids.length === 3_000) file = Buffer.from(logLines(0, 4_000));
    if (ids.length === 4_000) break;
  }
  stop.abort();
  expect(ids).toEqual(Array.from({ length: 4_000 }, (_, id) => id));
  expect(ranges[0]).toBe('bytes=0-');
  expect(ranges.length).toBeGreaterThan(2);
});

test('a request for a part of a log ends when the loop is left', async () => {
  answer = (_, response) => void response.writeHead(206, { 'Content-Type': 'application/x-ndjson' }).write(logLines(0, 2));
  const closed = once(server, 'request').then(([, response]) => once(response as http.ServerResponse, 'close'));
  for await (const bytes of followLog(url, { signal: new AbortController().signal })) if (bytes.length > 0) break;
  await closed;
});

test('a log that another one replaces is read from its start', async () => {
  let file = Buffer.from(logLines(0, 100));
  answer = answerRanges(() => file);
  const stop = new AbortController();
  const ids: number[] = [];
  const source = followLog(url, { signal: stop.signal, pause: 1 });
  for await (const batch of decoder.batches<{ id: number }>(source, { format: 'json', options: { sequence: true } })) {
    ids.push(...batch.map(({ id }) => id));
    if (ids.length === 100) file = Buffer.from(logLines(500, 510));
    if (ids.length === 110) break;
  }
  stop.abort();
  expect(ids.slice(100)).toEqual(Array.from({ length: 10 }, (_, at) => 500 + at));
});

test('events go on after the last one when a connection breaks, until the server answers 204', async () => {
  const asked: (string | undefined)[] = [];
  answer = ({ headers }, response) => {
    const last = headers['last-event-id'] as string | undefined;
    asked.push(last);
    const next = Number(last ?? 0) + 1;
    if (next > 6) {
      response.writeHead(204).end();
      return;
    }
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    const events = `retry: 1\nid: ${next}\ndata: {"n":${next}}\n\nid: ${next + 1}\ndata: {"n":${next + 1}}\n\nid: cut\nda`;
    response.write(events, () => (next === 1 ? response.end() : response.destroy()));
  };
  const taken: unknown[] = [];
  for await (const { data } of resumeEvents(url, { signal: new AbortController().signal })) taken.push(data);
  expect(taken).toEqual([1, 2, 3, 4, 5, 6].map((n) => ({ n })));
  expect(asked).toEqual([undefined, '2', '4', '6']);
});

test('events are requested again after the time that the stream names, and after a server that cannot be reached', async () => {
  let count = 0;
  answer = (request, response) => {
    count += 1;
    // The second connection is refused, as by a server that restarts.
    if (count === 2) request.socket.destroy();
    else if (count === 4) response.writeHead(204).end();
    else response.writeHead(200, { 'Content-Type': 'text/event-stream' }).end(`retry: 7\nid: ${count}\ndata: ${count}\n\n`);
  };
  const timers = vi.spyOn(globalThis, 'setTimeout');
  const taken: unknown[] = [];
  for await (const { data } of resumeEvents(url, { signal: new AbortController().signal, pause: 1 })) taken.push(data);
  const pauses = timers.mock.calls.map(([, ms]) => ms!).filter((ms) => ms % 1 > 0);
  timers.mockRestore();
  expect(taken).toEqual([1, 3]);
  expect(pauses).toHaveLength(3);
  for (const [at, least] of [7, 14, 7].entries()) expect(pauses[at]! >= least && pauses[at]! <= least * 1.5).toBe(true);
});

test('a pause is at least the one that is asked for, doubles with each try in vain up to 30 seconds, and differs between clients', () => {
  for (let failures = 0; failures < 60; failures += 1) {
    for (const pause of [1, 500, 60_000]) {
      const least = Math.max(pause, Math.min(pause * 2 ** failures, 30_000));
      const pauses = Array.from({ length: 20 }, () => pauseAfter(failures, pause));
      expect(pauses.every((ms) => ms >= least && ms <= least * 1.5)).toBe(true);
      expect(new Set(pauses).size).toBeGreaterThan(10);
    }
  }
});

test.each(['json', 'messagepack', 'cbor'] as const)(
  'messages of %s go on after the last one when connections break in the middle of a message, once each and in order, with records of each connection',
  async (format) => {
    sockets.on('connection', (socket, request) => sendFeed(socket, new URL(request.url!, url).searchParams));
    for (const count of [1, 6, 20]) {
      const asked: number[] = [];
      const taken: FeedItem[] = [];
      let client!: Client;
      const connect = (after: number): WebSocket => {
        asked.push(after);
        client = new Client(`${url.replace('http', 'ws')}?format=${format}&after=${after}&count=${count}&last=20`);
        return client as unknown as WebSocket;
      };
      const options = { signal: new AbortController().signal, pause: 1, format, keepRecords: true };
      for await (const item of resumeMessages<FeedItem>(connect, options)) {
        taken.push(item);
        if (item.id % count === 0 && item.id < 20) client.send('break');
      }
      expect(taken).toEqual(feedItems(1, 20));
      expect(asked).toEqual(Array.from({ length: Math.ceil(20 / count) }, (_, at) => at * count));
    }
  },
);

test('messages end without an error when they are aborted, in a connection and in a pause, and with an error that is not of the network', async () => {
  const connect = (): WebSocket => new Client(url.replace('http', 'ws')) as unknown as WebSocket;
  const stop = new AbortController();
  const connected = once(sockets, 'connection') as Promise<[Client]>;
  const messages = resumeMessages(connect, { signal: stop.signal });
  const first = messages.next();
  const [end] = await connected;
  const closed = once(end, 'close');
  end.send('{"id":1}');
  expect((await first).value).toEqual({ id: 1 });
  const next = messages.next();
  stop.abort();
  expect(await next).toEqual({ done: true, value: undefined });
  await closed;

  const pausing = new AbortController();
  let count = 0;
  const refused = (): WebSocket => {
    count += 1;
    const socket = connect();
    // The pause after the first connection is half an hour.
    socket.addEventListener('close', () => pausing.abort());
    return socket;
  };
  sockets.once('connection', (socket) => socket.close(1013));
  const none = resumeMessages(refused, { signal: pausing.signal, pause: 1_800_000 });
  expect(await none.next()).toEqual({ done: true, value: undefined });
  expect(count).toBe(1);

  sockets.once('connection', (socket) => socket.send('no JSON'));
  await expect(resumeMessages(connect, { signal: new AbortController().signal }).next()).rejects.toMatchObject({ name: 'DecodeError' });
});

test('an abort ends both without an error', async () => {
  answer = (_, response) => void response.writeHead(200, { 'Content-Type': 'text/event-stream' }).write('data: 1\n\n');
  const stop = new AbortController();
  const events = resumeEvents(url, { signal: stop.signal });
  expect((await events.next()).value).toMatchObject({ data: 1 });
  stop.abort();
  expect(await events.next()).toEqual({ done: true, value: undefined });
  const log = followLog(url, { signal: AbortSignal.abort() });
  expect(await log.next()).toEqual({ done: true, value: undefined });
});
