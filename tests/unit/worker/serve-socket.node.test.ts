import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { serve } from '../../../worker/socket/serve-socket.ts';
import type { FromSocket, LoopSetting, Take, Taken } from '../../../worker/socket/protocol.ts';

let server: WebSocketServer;
let url: string;
const all: Take = { most: Infinity, mostBytes: Infinity, everyMs: 0 };

beforeAll(async () => {
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  vi.stubGlobal('WebSocket', WebSocket);
  onTestFinished(() => void vi.unstubAllGlobals());
});
afterAll(async () => {
  for (const client of server.clients) client.terminate();
  await new Promise((resolve) => server.close(resolve));
});

/** Opens a socket as a worker does. Returns the server's end, and what the page's end does. */
async function open(): Promise<{
  end: WebSocket;
  closed: Promise<FromSocket>;
  begin: (setting: Partial<LoopSetting>) => (take: Take) => Promise<Taken>;
}> {
  const { port1, port2 } = new MessageChannel();
  onTestFinished(() => port1.close());
  serve(port2, () => Promise.reject(new Error('no code')));
  const connected = once(server, 'connection') as Promise<[WebSocket]>;
  const closed = new Promise<FromSocket>((resolve) => {
    port1.onmessage = ({ data }: MessageEvent<FromSocket>) => {
      if (data.kind === 'closed') resolve(data);
    };
  });
  port1.postMessage({ kind: 'open', url, protocols: [] });
  const [end] = await connected;
  return {
    end,
    closed,
    begin: (setting) => {
      const { port1: page, port2: port } = new MessageChannel();
      onTestFinished(() => page.close());
      port1.postMessage({ kind: 'begin', setting: { policy: 'queue', key: undefined, limit: 10_000, limitBytes: 2 ** 26, ...setting }, port }, [
        port,
      ]);
      return (take) =>
        new Promise((resolve) => {
          page.onmessage = ({ data }: MessageEvent<Taken>) => resolve(data);
          page.postMessage(take);
        });
    },
  };
}

test('keeps the last 10,000 messages until a loop takes them, and counts the dropped ones', async () => {
  const { end, closed, begin } = await open();
  for (let id = 0; id < 50_000; id += 1) end.send(`${id}`);
  end.close(1000);
  await closed;
  const take = begin({ limit: 20_000 });
  const taken = await take(all);
  expect(taken).toMatchObject({ kind: 'messages', counts: { received: 50_000, dropped: 40_000, waiting: 0 } });
  const { bytes, ends, texts } = taken as Taken & { kind: 'messages' };
  expect(ends).toHaveLength(10_000);
  expect(new TextDecoder().decode(bytes.subarray(0, ends[0]))).toBe('40000');
  expect(new Set(texts)).toEqual(new Set([1]));
  expect(await take(all)).toEqual({ kind: 'end', error: undefined, counts: { received: 50_000, dropped: 40_000, waiting: 0 } });
});

test('gives the messages of a flood by the latest of each key, without the page taking part', async () => {
  const { end, closed, begin } = await open();
  const key = { path: ['a', 'key'], format: 'json', url: undefined, options: {}, limits: {}, schema: undefined } as never;
  const take = begin({ policy: 'latest', key });
  end.send('{"a":{"key":-1}}');
  const first = await take(all);
  expect(first.counts).toEqual({ received: 1, dropped: 0, waiting: 0 });
  for (let id = 0; id < 50_000; id += 1) end.send(`{"id":${id},"a":{"key":${id % 3}}}`);
  end.close(1000);
  await closed;
  const { bytes, ends, counts } = (await take(all)) as Taken & { kind: 'messages' };
  const values = Array.from(ends, (to, at) => JSON.parse(new TextDecoder().decode(bytes.subarray(at === 0 ? 0 : ends[at - 1], to))));
  expect(values.map(({ id }) => id)).toEqual([49_997, 49_998, 49_999]);
  expect(counts).toEqual({ received: 50_001, dropped: 49_997, waiting: 0 });
});

test('gives at most the requested number and bytes of messages, and a larger one alone', async () => {
  const { end, closed, begin } = await open();
  end.send(new Uint8Array(1_000).fill(7));
  for (let id = 0; id < 9; id += 1) end.send(Uint8Array.of(id, id));
  end.close(1000);
  await closed;
  const take = begin({});
  const sizes = async (request: Partial<Take>): Promise<number[]> => [...((await take({ ...all, ...request })) as Taken & { kind: 'messages' }).ends];
  expect(await sizes({ mostBytes: 10 })).toEqual([1_000]);
  expect(await sizes({ mostBytes: 3 })).toEqual([2, 4]);
  expect(await sizes({ most: 1 })).toEqual([2]);
  expect(await sizes({})).toEqual([2, 4, 6, 8, 10, 12]);
});

test('answers no earlier than the requested time after the last answer', async () => {
  const { end, begin } = await open();
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const take = begin({});
  end.send(Uint8Array.of(1));
  await take(all);
  end.send(Uint8Array.of(2));
  let isAnswered = false;
  const second = take({ ...all, everyMs: 50 }).then((taken) => {
    isAnswered = true;
    return taken;
  });
  while (vi.getTimerCount() === 0) await new Promise(setImmediate);
  await vi.advanceTimersByTimeAsync(49);
  expect(isAnswered).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect([...((await second) as Taken & { kind: 'messages' }).bytes]).toEqual([2]);
});

test('ends a loop whose key cannot be read because its code fails to load', async () => {
  const { begin } = await open();
  const key = { path: ['key'], format: 'cbor', url: 'https://example.invalid/cbor.js', options: {}, limits: {}, schema: undefined } as never;
  const { port1 } = new MessageChannel();
  port1.close();
  const take = begin({ policy: 'latest', key });
  await expect(take(all)).resolves.toMatchObject({ kind: 'end', error: { reason: 'no code' } });
});
