import ky from 'ky';
import createClient from 'openapi-fetch';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { json, makeRows, openDecoder, pack, rejection, type Row, untilRuns } from './support.ts';

const rows = makeRows(2_000);
const small = { a: [1, 2, 3] };

/** A URL that responds with `bytes` and a type. */
function serve(bytes: Uint8Array<ArrayBuffer>, type = ''): string {
  const url = URL.createObjectURL(new Blob([bytes], { type }));
  urls.push(url);
  return url;
}

const urls: string[] = [];
afterEach(() => {
  for (const url of urls.splice(0)) URL.revokeObjectURL(url);
  vi.restoreAllMocks();
});

describe('the response', () => {
  test('inherits from Response', async () => {
    const decoder = openDecoder();
    const url = serve(pack(rows), 'application/vnd.msgpack');
    const response = await decoder.fetch(url);
    expect(response).toBeInstanceOf(Response);
    expect(response.url).toBe(url);
    expect(response.ok).toBe(true);
    expect(response.headers.get('content-type')).toBe('application/vnd.msgpack');
    expect(Object.keys(response)).toEqual([]);
    expect(new Uint8Array(await response.arrayBuffer())).toHaveLength(pack(rows).length);
  });

  test.each([
    ['MessagePack by its type', pack(rows), 'application/vnd.msgpack'],
    ['MessagePack by its bytes', pack(rows), 'application/octet-stream'],
    ['JSON by its type', json(rows), 'application/json; charset=utf-8'],
    ['JSON by its bytes', json(rows), ''],
    ['JSON called text', json(rows), 'text/plain'],
  ])('json() reads %s', async (_, bytes, type) => {
    for (const [route, workers] of [
      ['page', 0],
      ['worker', 1],
    ] as const) {
      const decoder = openDecoder({ route });
      expect(await (await decoder.fetch(serve(bytes, type))).json()).toEqual(rows);
      expect(decoder.stats().workers).toBe(workers);
    }
  });

  test('offers decode() and rows()', async () => {
    const decoder = openDecoder();
    const url = serve(pack(rows), 'application/vnd.msgpack');
    const columns = await (await decoder.fetch(url)).decode<{ id: Int32Array }>({ as: 'columns' });
    expect(columns.id).toHaveLength(2_000);
    const list = await (await decoder.fetch(url)).rows<Row[]>();
    expect(list.at(7)).toEqual(rows[7]);
  });

  test('clones with its methods', async () => {
    const decoder = openDecoder();
    const response = await decoder.fetch(serve(pack(small)));
    const copy = response.clone().clone();
    expect(copy.url).toBe(response.url);
    expect(await response.json()).toEqual(small);
    expect(await copy.decode()).toEqual(small);
  });

  test('rejects a second read', async () => {
    const decoder = openDecoder();
    const response = await decoder.fetch(serve(pack(small)));
    await response.json();
    expect(response.bodyUsed).toBe(true);
    await expect(response.json()).rejects.toThrow(TypeError);
    expect(() => response.clone()).toThrow(TypeError);
  });

  test('resolves for an error status', async () => {
    const decoder = openDecoder();
    const response = await decoder.fetch('/__folders/fixtures/there-is-none.bin');
    expect(response.status).toBe(404);
    expect(await response.text()).toBeTypeOf('string');
  });

  test('rejects a page instead of data with an error that names the status', async () => {
    const decoder = openDecoder();
    const page = new Response('<!doctype html><title>Bad Gateway</title>', {
      status: 502,
      statusText: 'Bad Gateway',
      headers: { 'Content-Type': 'text/html' },
    });
    vi.spyOn(globalThis, 'fetch').mockResolvedValue(page);
    const error = await rejection((await decoder.fetch('/data')).json());
    expect(error).toMatchObject({ name: 'DecodeError', code: 'unknown-format' });
    expect(error.message).toMatch(/^HTTP 502: .*HTML/);
  });

  test('rejects an empty body when it is decoded', async () => {
    const decoder = openDecoder();
    vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response(null, { status: 204 }));
    await expect((await decoder.fetch('/data')).json()).rejects.toMatchObject({ name: 'DecodeError', code: 'empty' });
  });

  test('appears in reports with its URL', async () => {
    const decoder = openDecoder();
    const listener = vi.fn();
    decoder.addEventListener('decode', ({ detail }) => listener(detail.url, detail.label));
    const url = serve(pack(small));
    await (await decoder.fetch(url)).json();
    await (await decoder.fetch(url)).decode({ label: 'mine' });
    expect(listener.mock.calls).toEqual([
      [url, url],
      [url, 'mine'],
    ]);
  });
});

describe('the request', () => {
  /** The request on the network. */
  function watch(): Request[] {
    const requests: Request[] = [];
    vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
      requests.push(new Request(input, init));
      return Promise.resolve(new Response('{}'));
    });
    return requests;
  }

  test('accepts the formats of the decoder', async () => {
    const decoder = openDecoder();
    const requests = watch();
    await decoder.fetch('/a');
    await decoder.fetch(new URL('/b', location.href), { headers: { 'X-Other': '1' } });
    await decoder.fetch(new Request('/c', { method: 'POST', body: 'x', referrer: '/from', headers: { 'X-Other': '2' } }));
    for (const request of requests) expect(request.headers.get('accept')).toBe(decoder.accept);
    expect(decoder.accept).toMatch(/^application\/vnd\.msgpack, .*application\/json;q=0\.9, \*\/\*;q=0\.\d$/);
    expect(decoder.accept.length).toBeLessThan(128);
    expect(requests.map(({ headers }) => headers.get('x-other'))).toEqual([null, '1', '2']);
    expect(requests[2]!.method).toBe('POST');
    expect(await requests[2]!.text()).toBe('x');
    expect(new URL(requests[2]!.referrer).pathname).toBe('/from');
  });

  test('sends the headers, method and signal of a request of another realm', async () => {
    const decoder = openDecoder();
    const frame = document.createElement('iframe');
    document.body.append(frame);
    const { Request: Foreign, AbortController: ForeignController, Headers: ForeignHeaders } = frame.contentWindow as typeof globalThis & Window;
    const url = new URL('/__streams?echo', location.href).href;
    const send = async (...given: Parameters<typeof decoder.fetch>): Promise<unknown> => (await decoder.fetch(...given)).json();
    const authorization = { Authorization: 'Bearer 1' };
    const expected = (accept: string, method: string): object => ({
      method,
      headers: expect.objectContaining({ accept, authorization: 'Bearer 1' }),
    });
    expect(await send(new Foreign(url, { headers: authorization }))).toMatchObject(expected(decoder.accept, 'GET'));
    expect(await send(new Foreign(url, { headers: authorization }), { method: 'PUT' })).toMatchObject(expected(decoder.accept, 'PUT'));
    expect(await send(new Foreign(url, { headers: { ...authorization, Accept: 'text/csv' } }))).toMatchObject(expected('text/csv', 'GET'));
    expect(await send(url, { headers: new ForeignHeaders(authorization) })).toMatchObject(expected(decoder.accept, 'GET'));
    const controller = new ForeignController();
    controller.abort(new Error('enough'));
    await expect(send(new Foreign(url, { signal: controller.signal }))).rejects.toThrow('enough');
    await expect(send(url, { signal: controller.signal })).rejects.toThrow('enough');
    frame.remove();
  });

  test('takes null for its options and for the signal, as fetch does', async () => {
    const decoder = openDecoder();
    const url = serve(json(small), 'application/json');
    expect(await (await decoder.fetch(url, null)).json()).toEqual(small);
    expect(await (await decoder.fetch(url, { signal: null })).json()).toEqual(small);
    const controller = new AbortController();
    const response = await decoder.fetch(new Request(url, { signal: controller.signal }), { signal: null });
    controller.abort();
    expect(await response.json()).toEqual(small);
  });

  test('keeps the headers of the caller', async () => {
    const decoder = openDecoder();
    const requests = watch();
    await decoder.fetch('/a', { headers: { Accept: 'text/csv' } });
    await decoder.fetch('/b', { headers: [['accept', 'text/csv']] });
    await decoder.fetch(new Request('/c', { headers: { Accept: 'text/csv' } }));
    await decoder.fetch(new Request('/d', { headers: { Accept: 'image/png' } }), { headers: { Accept: 'text/csv' } });
    for (const request of requests) expect(request.headers.get('accept')).toBe('text/csv');
  });

  test('aborts until the end of the decode', async () => {
    const decoder = openDecoder({ route: 'worker' });
    const url = serve(pack(makeRows(300_000)));
    await expect(decoder.fetch(url, { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' });
    for (const make of [
      (signal: AbortSignal) => decoder.fetch(url, { signal }),
      (signal: AbortSignal) => decoder.fetch(new Request(url, { signal })),
    ]) {
      const controller = new AbortController();
      const decoding = (await make(controller.signal)).json();
      await untilRuns(decoder);
      controller.abort();
      await expect(decoding).rejects.toMatchObject({ name: 'AbortError' });
      await expect.poll(() => decoder.stats().running).toBe(0);
    }
  });

  test('needs no `this`', async () => {
    const { fetch } = openDecoder();
    expect(await (await fetch(serve(pack(small)))).json()).toEqual(small);
  });
});

// The shortcut `api.get(url).json()` of ky 1.14 and later parses the text itself.
describe('ky', () => {
  test('returns responses that decode any format', async () => {
    const decoder = openDecoder();
    const api = ky.create({ fetch: decoder.fetch });
    for (const [bytes, type] of [
      [pack(rows), 'application/vnd.msgpack'],
      [json(rows), 'application/json'],
    ] as const) {
      const response = await api.get<Row[]>(serve(bytes, type));
      expect(await response.json()).toEqual(rows);
    }
    expect(decoder.stats()).toMatchObject({ succeeded: 2, failed: 0 });
  });

  test('passes such responses to its hooks', async () => {
    const decoder = openDecoder();
    const seen: unknown[] = [];
    const api = ky.create({
      fetch: decoder.fetch,
      hooks: { afterResponse: [async (_request, _options, response) => void seen.push(await response.json())] },
    });
    const response = await api.get(serve(pack(small), 'application/vnd.msgpack'));
    expect(await response.json()).toEqual(small);
    expect(seen).toEqual([small]);
  });

  test('reports progress for responses that decoder.decode reads', async () => {
    const decoder = openDecoder();
    const api = ky.create({ fetch: decoder.fetch });
    const sizes: number[] = [];
    const onDownloadProgress = ({ transferredBytes }: { transferredBytes: number }): unknown => sizes.push(transferredBytes);
    for (const [bytes, type] of [
      [pack(rows), 'application/vnd.msgpack'],
      [json(rows), 'application/json'],
    ] as const) {
      const response = await api.get(serve(bytes, type), { onDownloadProgress });
      expect(await decoder.decode(response)).toEqual(rows);
      expect(sizes.at(-1)).toBe(bytes.length);
    }
  });

  test('reports errors as before', async () => {
    const decoder = openDecoder();
    const api = ky.create({ fetch: decoder.fetch, retry: 0 });
    await expect(api.get('/__folders/fixtures/there-is-none.bin')).rejects.toMatchObject({ name: 'HTTPError' });
    const bad = await api.get(serve(pack(rows).slice(0, -1), 'application/vnd.msgpack'));
    await expect(bad.json()).rejects.toMatchObject({ name: 'DecodeError', code: 'truncated' });
  });
});

describe('openapi-fetch', () => {
  test.each<[string, BodyInit | null, HeadersInit, unknown]>([
    ['MessagePack', pack({ code: 7 }), { 'content-type': 'application/vnd.msgpack' }, { code: 7 }],
    ['JSON', '{"code":7}', { 'content-type': 'application/json' }, { code: 7 }],
    ['text', 'not here', { 'content-type': 'text/plain' }, 'not here'],
    ['nothing', null, {}, ''],
  ])('gets the value of a failed response by a middleware: %s', async (_, body, headers, expected) => {
    vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response(body, { status: 404, headers }));
    const own = openDecoder();
    const api = createClient<Record<'/x', { get: { responses: { 200: { content: { 'application/json': unknown } } } } }>>({
      baseUrl: location.origin,
      fetch: own.fetch,
    });
    api.use({
      async onResponse({ response }) {
        if (response.ok) return undefined;
        const text = await own.decode(response.clone()).then(JSON.stringify, () => undefined);
        const { status, statusText } = response;
        return text === undefined ? undefined : new Response(text, { status, statusText, headers: { 'content-type': 'application/json' } });
      },
    });
    const { error, response } = (await api.GET('/x')) as { error?: unknown; response: Response };
    expect([response.status, error]).toEqual([404, expected]);
  });
});
