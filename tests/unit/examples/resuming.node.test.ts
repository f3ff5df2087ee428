/** The example that follows logs and events, against a server whose connections break. */
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { followLog, resumeEvents } from '../../../docs/examples/23-resuming/index.ts';
import { createDecoder } from '../../../main/index.ts';
import { answerRanges, logLines } from '../../setup/servers/log-server.ts';

const decoder = createDecoder();
let answer: (request: http.IncomingMessage, response: http.ServerResponse) => void;
let server: http.Server;
let url: string;

beforeEach(async () => {
  server = http.createServer((request, response) => answer(request, response)).listen(0, '127.0.0.1');
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
