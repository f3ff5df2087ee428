import { readContent } from '../../../../devtools-extension/adapter/content.ts';
import { exchangeOf, isStream } from '../../../../devtools-extension/adapter/har.ts';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Adapter } from '../../../../devtools-extension/adapter/adapter.ts';
import { createDevtoolsAdapter } from '../../../../devtools-extension/adapter/devtools.ts';

type Callback = (...values: unknown[]) => void;

/** Answers of the browser's functions; undefined for a function that never calls back. */
let answers: { getHAR: unknown[] | undefined; eval: unknown[] | undefined };
let adapter: Adapter;

beforeEach(() => {
  vi.useFakeTimers();
  answers = { getHAR: [{ entries: [] }], eval: [''] };
  const none = { addListener: () => undefined, removeListener: () => undefined };
  const answer = (name: keyof typeof answers, callback: Callback): void => {
    const values = answers[name];
    if (values) callback(...values);
  };
  vi.stubGlobal('chrome', {
    devtools: {
      network: { onRequestFinished: none, onNavigated: none, getHAR: (callback: Callback) => answer('getHAR', callback) },
      panels: { themeName: 'default' },
      inspectedWindow: { eval: (_: string, callback: Callback) => answer('eval', callback) },
    },
  });
  adapter = createDevtoolsAdapter();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('adapter of the page’s library', () => {
  test.each<[string, unknown[] | undefined]>([
    ['nothing', []],
    ['a problem', [undefined, { isException: true }]],
    ['text that is not JSON', ['{']],
    ['no answer', undefined],
  ])('returns nothing if the browser gives %s', async (_, values) => {
    answers.eval = values;
    const state = adapter.readLibrary();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await state).toBeUndefined();
  });

  test('returns no body if the browser gives nothing', async () => {
    answers.eval = [];
    expect(await adapter.readLibraryBody(1, { decodes: [], schemas: [], bodies: [1], timeOrigin: 0 })).toBeUndefined();
  });
});

test.each<[string, unknown[] | undefined]>([
  ['nothing', []],
  ['a log without entries', [{}]],
  ['no answer', undefined],
])('the log is read again after the browser gave %s', async (_, values) => {
  answers.getHAR = values;
  const exchange = vi.fn();
  const stop = adapter.subscribe({ exchange, navigated: () => undefined });
  await vi.advanceTimersByTimeAsync(15_000);
  const socket = {
    startedDateTime: '2026-01-01T00:00:00Z',
    time: -1,
    _resourceType: 'websocket',
    request: { method: 'GET', url: 'wss://a.test/', headers: [] },
    response: { status: 101, statusText: '', headers: [], content: { size: 0, mimeType: '' }, bodySize: 0 },
  };
  answers.getHAR = [{ entries: [socket] }];
  await vi.advanceTimersByTimeAsync(300_000);
  stop();
  expect(exchange).toHaveBeenCalledTimes(1);
});

test('a long log is read only on demand, until the page navigates', async () => {
  const read = vi.fn();
  const listeners: { finished?: Callback; navigated?: Callback } = {};
  const { devtools } = (globalThis as unknown as { chrome: { devtools: { network: Record<string, unknown> } } }).chrome;
  devtools.network['onRequestFinished'] = { addListener: (listener: Callback) => (listeners.finished = listener), removeListener: () => undefined };
  devtools.network['onNavigated'] = { addListener: (listener: Callback) => (listeners.navigated = listener), removeListener: () => undefined };
  devtools.network['getHAR'] = (callback: Callback) => {
    read();
    callback({ entries: [] });
  };
  answers.eval = [[1_000.25, 1_000]];
  const streamsPaused = vi.fn();
  const stop = createDevtoolsAdapter().subscribe({ exchange: () => undefined, navigated: () => undefined, streamsPaused });
  for (let i = 0; i < 1_500; i += 1) {
    listeners.finished!({
      startedDateTime: `${i}`,
      time: 1,
      _resourceType: 'fetch',
      request: { method: 'GET', url: 'https://a.test/', headers: [] },
      response: { status: 200, statusText: '', headers: [], content: { size: 0, mimeType: '' }, bodySize: 0 },
    });
  }
  read.mockClear();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(read).not.toHaveBeenCalled();
  const look = streamsPaused.mock.lastCall![0] as () => void;
  look();
  expect(read).toHaveBeenCalledTimes(1);
  // The document stays.
  listeners.navigated!('https://a.test/#fragment');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(read).toHaveBeenCalledTimes(1);
  // The time origin of another document.
  answers.eval = [[1_000.5, 2_000]];
  listeners.navigated!('https://a.test/');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(read.mock.calls.length).toBeGreaterThan(5);
  stop();
});

test('an event stream that the page fetched has the events of its body, if the log has none', async () => {
  const entry = {
    startedDateTime: '2026-01-01T00:00:00.000Z',
    time: 5,
    request: { method: 'GET', url: 'https://a.test/answer', headers: [] },
    response: {
      status: 200,
      statusText: 'OK',
      headers: [{ name: 'Content-Type', value: 'text/event-stream; charset=utf-8' }],
      content: { size: 28, mimeType: 'text/event-stream' },
      bodySize: 28,
    },
    _resourceType: 'fetch',
    getContent: (done: (content: string) => void) => done('data: 1\n\nevent: b\ndata: 2\n\n'),
  } as unknown as chrome.devtools.Request;
  expect(isStream(entry)).toBe(true);
  const find = (): Promise<chrome.devtools.Request> => Promise.resolve(entry);
  const exchange = exchangeOf(entry, 1, find, () => readContent(entry));
  expect(exchange.encodedSize).toBe(28);
  const messages = await exchange.messages!();
  expect(messages.map(({ name, bytes }) => `${name} ${new TextDecoder().decode(bytes)}`)).toEqual(['message 1', 'b 2']);
  expect(await exchange.messages!()).toHaveLength(2);
});
