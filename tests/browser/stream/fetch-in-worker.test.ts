import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { createDecoder, type DecodeProgress } from '../../../main/index.ts';
import { assertSame } from '../../setup/differential.ts';
import { assertStreamRows, STREAM, type StreamEncoding, type StreamRow, streamRow, streamState, streamUrl } from '../../setup/stream-rows.ts';
import { openDecoder, rejection } from '../decoder/support.ts';

const encodings: StreamEncoding[] = ['json', 'ndjson', 'messagepack'];
const fetchIn = 'worker';
/** Two for all tests: to start a worker takes longer than most of them. The second fetches in the worker by itself. */
const decoder = createDecoder();
const fetching = createDecoder({ fetchIn });
afterAll(() => {
  decoder.close();
  fetching.close();
});
let ids = 0;
const newId = (): string => `fetched-${(ids += 1)}-${Math.random()}`;
const rowsOf = (value: unknown): StreamRow[] => ('trips' in (value as object) ? (value as { trips: StreamRow[] }).trips : (value as StreamRow[]));

interface Echo {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string;
}

const echoUrl = `${STREAM}?echo=1`;

/** Makes the page's own requests of streams fail: whoever makes one is found out. */
function forbidFetch(): void {
  const real = globalThis.fetch;
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) =>
    String(input instanceof Request ? input.url : input).includes(STREAM) ? Promise.reject(new Error('The page has fetched')) : real(input, init),
  );
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe.each(encodings)('%s', (encoding) => {
  const path = encoding === 'ndjson' ? [] : ['trips'];

  test.each([1000, 65_536, 1_000_000])('is decoded where it is fetched, in chunks of %i bytes', async (chunk) => {
    const { succeeded, failed } = decoder.stats();
    forbidFetch();
    const response = await decoder.fetch(streamUrl({ encoding, rows: 20_000, chunk }), { fetchIn });
    expect(response.status).toBe(200);
    const value = await response.decode();
    expect(rowsOf(value)).toHaveLength(20_000);
    assertStreamRows(rowsOf(value));
    expect(response.bodyUsed).toBe(true);
    expect(decoder.stats()).toMatchObject({ running: 0, pending: 0, succeeded: succeeded + 1, failed });
  });

  test('gives Rows', async () => {
    forbidFetch();
    const response = await fetching.fetch(streamUrl({ encoding, rows: 20_000 }));
    const rows = rowsOf(await response.rows());
    expect(rows).toHaveLength(20_000);
    assertSame(rows.at(17_777), streamRow(17_777));
  });

  test('gives batches, and cancels the rest', async () => {
    const id = newId();
    const response = await fetching.fetch(streamUrl({ id, encoding, rows: 1_000_000, rate: 50 }));
    let count = 0;
    for await (const batch of response.batches<StreamRow>({ path })) {
      assertStreamRows(batch, count);
      count += batch.length;
      if (count > 2000) break;
    }
    await expect.poll(async () => (await streamState(id)).closed, { timeout: 10_000 }).toBe(true);
    expect((await streamState(id)).ended).toBe(false);
    await expect.poll(() => fetching.stats().running, { timeout: 10_000 }).toBe(0);
  });

  test('gives the good rows before a connection that breaks off', async () => {
    const response = await fetching.fetch(streamUrl({ encoding, rows: 100_000, reset: 2_000_000, rate: 400 }));
    let count = 0;
    const error = await rejection(
      (async () => {
        for await (const batch of response.batches<StreamRow>({ path })) {
          assertSame(batch[0], streamRow(count));
          count += batch.length;
        }
      })(),
    );
    expect(error).toMatchObject({ name: 'NetworkError', code: 'network' });
    expect(error['receivedBytes']).toBeGreaterThan(0);
    // WebKit drops what it had received and not handed on yet, which may be nearly all.
    if (!navigator.userAgent.includes('AppleWebKit') || navigator.userAgent.includes('Chrome')) expect(count).toBeGreaterThan(1000);
    await expect.poll(() => fetching.stats().running).toBe(0);
  });

  test('gives the good rows before a server that stalls', async () => {
    const id = newId();
    const response = await fetching.fetch(streamUrl({ id, encoding, rows: 100_000, stall: 500_000 }));
    let count = 0;
    const error = await rejection(
      (async () => {
        for await (const batch of response.batches<StreamRow>({ path, stallTimeout: 250 })) count += batch.length;
      })(),
    );
    expect(error).toMatchObject({ name: 'TimeoutError' });
    expect(count).toBeGreaterThan(1000);
    await expect.poll(async () => (await streamState(id)).closed, { timeout: 10_000 }).toBe(true);
  });
});

describe('the request', () => {
  test('is the one that the page would have made', async () => {
    document.cookie = 'unspool=1; path=/';
    const init = { method: 'POST', headers: { 'X-Trip': '7' }, body: JSON.stringify({ from: 'A' }) };
    const there: Echo = await (await decoder.fetch(echoUrl, { ...init, fetchIn })).json();
    const here: Echo = await (await decoder.fetch(echoUrl, init)).json();
    document.cookie = 'unspool=; path=/; max-age=0';
    expect(there).toMatchObject({ method: 'POST', url: here.url, body: '{"from":"A"}' });
    const common = ['x-trip', 'accept', 'content-type', 'content-length', 'cookie', 'referer', 'origin', 'user-agent'];
    for (const name of common) expect([name, there.headers[name]]).toEqual([name, here.headers[name]]);
    expect(there.headers['cookie']).toContain('unspool=1');
  });

  test('may be a Request', async () => {
    const request = new Request(echoUrl, { method: 'PUT', body: new Blob(['abc'], { type: 'text/plain' }), credentials: 'omit' });
    const echo: Echo = await (await decoder.fetch(request, { fetchIn })).json();
    expect(echo).toMatchObject({ method: 'PUT', body: 'abc' });
    expect(echo.headers['content-type']).toBe('text/plain');
    expect(echo.headers['cookie']).toBeUndefined();
    expect(request.bodyUsed).toBe(true);
  });

  test('has addresses that count from the page', async () => {
    const relative = `.${STREAM}?echo=1`;
    const response = await decoder.fetch(relative, { fetchIn });
    expect(response.url).toBe(new URL(relative, document.baseURI).href);
    await response.text();
  });

  test('that is aborted rejects with the reason, before and after the response', async () => {
    const reason = new Error('enough');
    expect(await rejection(decoder.fetch(echoUrl, { fetchIn, signal: AbortSignal.abort(reason) }))).toBe(reason);
    const controller = new AbortController();
    const id = newId();
    const response = await decoder.fetch(streamUrl({ id, rows: 1_000_000, rate: 50 }), { fetchIn, signal: controller.signal });
    const decoding = rejection(response.decode());
    setTimeout(() => controller.abort(reason), 100);
    expect(await decoding).toBe(reason);
    await expect.poll(async () => (await streamState(id)).closed, { timeout: 10_000 }).toBe(true);
    await expect.poll(() => decoder.stats().running, { timeout: 10_000 }).toBe(0);
  });

  test('that cannot be made rejects as that of the page does', async () => {
    const url = 'http://127.0.0.1:1/nobody';
    const there = await rejection(decoder.fetch(url, { fetchIn }));
    const here = await rejection(decoder.fetch(url));
    expect(there).toBeInstanceOf(TypeError);
    expect(there.message).toBe(here.message);
    expect(await rejection(decoder.fetch('http://[', { fetchIn }))).toBeInstanceOf(TypeError);
    await expect.poll(() => decoder.stats().running).toBe(0);
  });

  test('ends with the decoder', async () => {
    const decoder = openDecoder();
    const id = newId();
    const response = await decoder.fetch(streamUrl({ id, rows: 1_000_000, rate: 50 }), { fetchIn });
    decoder.close();
    await expect.poll(async () => (await streamState(id)).closed, { timeout: 10_000 }).toBe(true);
    await expect(response.text()).rejects.toThrow();
    expect(await rejection(decoder.fetch(echoUrl, { fetchIn }))).toMatchObject({ name: 'AbortError' });
  });
});

describe('the response', () => {
  test('is an ordinary one in all but its body', async () => {
    const target = `${STREAM}?echo=2`;
    const url = `${STREAM}?${new URLSearchParams({ redirect: target }).toString()}`;
    const response = await decoder.fetch(url, { fetchIn });
    const here = await decoder.fetch(url);
    expect(response).toBeInstanceOf(Response);
    for (const name of ['status', 'statusText', 'ok', 'url', 'redirected', 'type', 'bodyUsed'] as const) {
      expect([name, response[name]]).toEqual([name, here[name]]);
    }
    expect(response.headers.get('x-answer')).toBe('echo');
    const echo: Echo = await response.json();
    expect(echo.url).toContain('echo=2');
    await here.text();
  });

  test('of an error is the caller’s to look at', async () => {
    const response = await decoder.fetch(streamUrl({ status: 404, rows: 3 }), { fetchIn });
    expect([response.ok, response.status]).toEqual([false, 404]);
    expect(await response.json()).toMatchObject({ count: 3 });
  });

  test('that says nothing of its format is told by its first bytes', async () => {
    for (const encoding of ['json', 'messagepack']) {
      const url = streamUrl({ encoding, rows: 2000, type: 'application/octet-stream' });
      assertSame(rowsOf(await (await decoder.fetch(url, { fetchIn })).decode())[1999], streamRow(1999));
      let count = 0;
      for await (const batch of (await decoder.fetch(url, { fetchIn })).batches({ path: 'trips' })) count += batch.length;
      expect(count).toBe(2000);
    }
    const html = await decoder.fetch('/', { fetchIn });
    expect(await rejection(html.decode())).toMatchObject({ name: 'DecodeError' });
  });

  test('can be read as text, as bytes, and cloned', async () => {
    const url = streamUrl({ rows: 2000 });
    const text = await (await fetch(url)).text();
    expect(await (await fetching.fetch(url)).text()).toBe(text);
    expect(new Uint8Array(await (await fetching.fetch(url)).arrayBuffer())).toHaveLength(new TextEncoder().encode(text).length);
    const response = await fetching.fetch(url);
    const clone = response.clone();
    assertSame(await response.json(), JSON.parse(text));
    assertSame(await clone.json(), JSON.parse(text));
    expect(await rejection(response.json())).toBeInstanceOf(TypeError);
    await expect.poll(() => fetching.stats().running).toBe(0);
  });

  test('tells how far it is', async () => {
    const seen: DecodeProgress[] = [];
    const onProgress = (progress: DecodeProgress): void => void seen.push(progress);
    const response = await fetching.fetch(streamUrl({ rows: 30_000, rate: 100 }));
    await response.decode({ onProgress });
    const last = seen.at(-1)!;
    expect(last.percent).toBe(1);
    expect(last.totalBytes).toBe(last.transferredBytes);
    expect(seen.length).toBeGreaterThan(5);
    expect(seen.some(({ rows, percent }) => rows > 0 && percent < 1)).toBe(true);
  });

  test('whose Content-Length lies is a NetworkError', async () => {
    const response = await fetching.fetch(streamUrl({ rows: 3000, length: 50_000_000 }));
    expect(await rejection(response.decode())).toMatchObject({ name: 'NetworkError' });
  });

  test('does not keep a worker from other work while nobody takes it', async () => {
    const decoder = openDecoder({ workers: 1, fetchIn });
    const responses = await Promise.all(Array.from({ length: 4 }, () => decoder.fetch(streamUrl({ rows: 20_000 }))));
    const small = await decoder.decode<number[]>(new TextEncoder().encode(JSON.stringify([1, 2, 3])), { route: 'worker' });
    expect(small).toEqual([1, 2, 3]);
    for (const response of responses) expect(rowsOf(await response.json())).toHaveLength(20_000);
  });
});
