import { gunzipSync, brotliDecompressSync } from 'node:zlib';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { stringifyValue } from '../../../../core/sinks/json/values.ts';
import { createDecoder, createEncoder } from './decoders.ts';
import { respond, type RespondOptions } from '../../../../main/server.ts';

const trips = Array.from({ length: 20 }, (_, id) => ({ id, station: `Station ${id}` }));
const avro = {
  type: 'array',
  items: {
    type: 'record',
    name: 'Trip',
    fields: [
      { name: 'id', type: 'int' },
      { name: 'station', type: 'string' },
    ],
  },
};
const proto = 'syntax = "proto3"; message Trips { repeated Trip trips = 1; } message Trip { int32 id = 1; string station = 2; }';

function get(headers: Record<string, string> = {}, method = 'GET'): Request {
  return new Request('http://localhost/', { method, headers });
}

async function typeFor(accept: string | undefined, value: unknown = trips, options?: RespondOptions): Promise<string | null> {
  const response = await respond(get(accept === undefined ? {} : { accept }), value, options);
  await response.body?.cancel();
  return response.status === 200 ? response.headers.get('content-type') : String(response.status);
}

describe('JSON', () => {
  const values = [
    Uint8Array.of(5),
    Buffer.of(5),
    new Map([['a', new Set([1])]]),
    { id: 2n ** 60n },
    [Number.NaN, new Date(0), undefined],
    new ArrayBuffer(2),
  ];

  it.each(values)('is that of a service worker by default: %s', async (value) => {
    for (const body of [value, [value], { value, trips }]) {
      const given = value instanceof Buffer ? JSON.parse(JSON.stringify(body).replace(/\{"type":"Buffer","data":\[5\]\}/, '"BQ=="')) : body;
      expect(await (await respond(get(), body)).text()).toBe(stringifyValue(given, {}));
    }
  });

  it('is written with the options that are given', async () => {
    const response = await respond(get(), { bytes: Uint8Array.of(5), set: new Set([1]) }, { formats: { json: { bytes: 'object', sets: 'empty' } } });
    expect(await response.text()).toBe('{"bytes":{"0":5},"set":{}}');
  });
});

describe('negotiation', () => {
  it.each([
    [undefined, 'application/json'],
    ['*/*', 'application/json'],
    ['', 'application/json'],
    ['application/json, text/plain, */*', 'application/json'],
    ['application/vnd.msgpack, application/cbor, application/json;q=0.9, */*;q=0.5', 'application/vnd.msgpack'],
    ['application/json;q=0.1, application/cbor;q=0.2', 'application/cbor'],
    ['application/CBOR', 'application/cbor'],
    ['application/x-msgpack', 'application/x-msgpack'],
    ['application/json;q=0, */*', 'application/vnd.msgpack'],
    ['application/cbor;q=0.3, application/*;q=0.5', 'application/json'],
    ['application/json; charset=UTF-8', 'application/json'],
    ['application/x-ndjson', 'application/x-ndjson'],
    ['application/cbor-seq, application/json;q=0.5', 'application/cbor-seq'],
    ['text/html, image/*', '406'],
  ])('answers Accept: %s with %s', async (accept, type) => {
    expect(await typeFor(accept)).toBe(type);
  });

  it('reads only the first 1,024 characters of a long Accept header', async () => {
    expect(await typeFor(`application/cbor, ${'a/b, '.repeat(4_000)}application/json`)).toBe('application/cbor');
    expect(await typeFor(`${'a/b, '.repeat(4_000)}application/cbor`)).toBe('406');
  });

  it('prefers the first format given if a client accepts all', async () => {
    expect(await typeFor('*/*', trips, { formats: { cbor: {}, json: {} } })).toBe('application/cbor');
    expect(await typeFor('application/vnd.msgpack', trips, { formats: { cbor: {}, json: {} } })).toBe('406');
  });

  it('offers formats that need a schema only if it is given', async () => {
    expect(await typeFor('application/avro, */*;q=0.1')).toBe('application/json');
    expect(await typeFor('application/avro, */*;q=0.1', trips, { schemas: { trips: { format: 'avro', schema: avro } } })).toBe('application/avro');
    expect(
      await typeFor('application/x-protobuf', { trips }, { schemas: { trips: { format: 'protobuf', schema: { proto, message: 'Trips' } } } }),
    ).toBe('application/x-protobuf');
  });

  it('offers sequences only for lists', async () => {
    expect(await typeFor('application/x-ndjson', { trips })).toBe('406');
  });

  it('lists the available formats with status 406', async () => {
    const response = await respond(get({ accept: 'text/html' }), trips, { formats: { json: {}, cbor: {} } });
    expect(response.headers.get('vary')).toBe('Accept');
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    const detail =
      'available as application/json, text/json, application/cbor, application/x-ndjson, application/ndjson, application/jsonl, application/x-jsonlines, application/cbor-seq; the request accepts text/html';
    expect(await response.json()).toEqual({ title: 'Not Acceptable', status: 406, detail });
  });

  it('lists the negotiated headers in Vary', async () => {
    const varyOf = async (options: RespondOptions, value: unknown = { a: 1 }) => (await respond(get(), value, options)).headers.get('vary');
    expect(await varyOf({})).toBe('Accept');
    expect(await varyOf({ compression: true, headers: { Vary: 'Origin' } })).toBe('Origin, Accept, Accept-Encoding');
    expect(await varyOf({ formats: { messagepack: {} } })).toBe('Accept');
  });

  it('lists Accept in Vary with every status, also where one type is offered', async () => {
    const options: RespondOptions = { formats: { bson: {} }, etag: 'v1', compression: true };
    const answers = await Promise.all([
      respond(get({ accept: 'text/html' }), { a: 1 }, options),
      respond(get({ accept: 'application/bson' }), { a: 1 }, options),
      respond(get({ accept: 'application/bson', 'if-none-match': 'W/"v1-bson"' }), { a: 1 }, options),
      respond(get({ accept: 'application/bson' }, 'HEAD'), { a: 1 }, options),
      respond(get({ accept: 'application/bson' }), { a: 1 }, { ...options, status: 404 }),
      respond(get({ accept: 'application/bson', 'if-none-match': 'W/"v1-bson"' }), () => ({ a: 1 }), options),
    ]);
    expect(answers.map(({ status, headers }) => [status, headers.get('vary')])).toEqual(
      [406, 200, 304, 200, 404, 304].map((status) => [status, 'Accept, Accept-Encoding']),
    );
  });

  it('rejects unknown formats', async () => {
    await expect(respond(get(), 1, { formats: { xml: {} } as never })).rejects.toThrow('unknown format xml');
  });
});

describe('the body', () => {
  it.each([
    ['json', '*/*'],
    ['messagepack', 'application/vnd.msgpack'],
    ['cbor', 'application/cbor'],
    ['json', 'application/x-ndjson'],
    ['cbor', 'application/cbor-seq'],
  ] as const)('writes %s for %s, which the decoder reads', async (_format, accept) => {
    const response = await respond(get({ accept }), trips);
    expect(Number(response.headers.get('content-length'))).toBe((await response.clone().arrayBuffer()).byteLength);
    expect(await createDecoder().decode(response)).toEqual(trips);
  });

  it('uses the options of the format', async () => {
    const response = await respond(get(), { at: 1n }, { formats: { json: { bigints: 'string' } } });
    expect(await response.text()).toBe('{"at":"1"}');
  });

  it('leaves the body out with a status that has none', async () => {
    let closed = 0;
    const items = (function* (): Generator<number> {
      try {
        yield 1;
      } finally {
        closed += 1;
      }
    })();
    items.next();
    for (const status of [204, 205, 304]) {
      for (const value of [null, undefined, { a: 1 }, () => null, items]) {
        const response = await respond(get({ accept: 'image/png' }), value, { status, etag: 'v1', headers: { 'X-A': '1' } });
        expect([response.status, response.body, [...response.headers]]).toEqual([status, null, [['x-a', '1']]]);
      }
    }
    expect(closed).toBe(1);
  });

  it('keeps each of several cookies, in every form of the headers', async () => {
    const cookies = ['a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT', 'b=2'];
    const pairs = cookies.map((cookie) => ['Set-Cookie', cookie] as [string, string]);
    for (const headers of [pairs, new Headers(pairs), { 'Set-Cookie': cookies }]) {
      for (const accept of ['*/*', 'image/png']) expect((await respond(get({ accept }), 1, { headers })).headers.getSetCookie()).toEqual(cookies);
    }
    expect((await respond(get(), 1, { headers: { Link: ['</a>', '</b>'] } })).headers.get('link')).toBe('</a>, </b>');
  });

  it('sets the status and headers given', async () => {
    const { status, headers } = await respond(get(), 1, { status: 201, headers: { 'Cache-Control': 'no-store' } });
    expect([status, headers.get('cache-control'), headers.get('content-type')]).toEqual([201, 'no-store', 'application/json']);
  });

  it('writes Rows without making an array of them', async () => {
    const bytes = await createEncoder().encode({ trips: Array.from({ length: 30_000 }, (_, id) => ({ id })) }, { format: 'json' });
    const { trips: rows } = await createDecoder().decode<{ trips: { id: number }[] }>(bytes, { as: 'rows' });
    const response = await respond(get({ accept: 'application/cbor' }), rows);
    expect(response.headers.has('content-length')).toBe(false);
    expect((await createDecoder().decode<{ id: number }[]>(response)).at(-1)).toEqual({ id: 29_999 });
  });

  it('rejects for a value that cannot be written', async () => {
    await expect(respond(get(), { draw: () => {} }, { formats: { cbor: {} } })).rejects.toThrow(/cbor, at \$\.draw/);
  });
});

describe('items of a source', () => {
  function counted(length: number): { items: AsyncGenerator<object>; counts: { made: number; closed: boolean } } {
    const counts = { made: 0, closed: false };
    async function* make() {
      try {
        for (; counts.made < length; counts.made += 1) yield { id: counts.made, text: 'x'.repeat(1_000) };
      } finally {
        counts.closed = true;
      }
    }
    return { items: make(), counts };
  }

  it.each([
    ['application/vnd.msgpack, application/json;q=0.9', 'application/json'],
    ['application/x-ndjson', 'application/x-ndjson'],
    ['application/cbor-seq', 'application/cbor-seq'],
  ])('writes items for Accept: %s as %s', async (accept, type) => {
    const response = await respond(get({ accept }), counted(2_000).items);
    expect(response.headers.get('content-type')).toBe(type);
    expect(await createDecoder().decode<object[]>(response)).toHaveLength(2_000);
  });

  it('writes items one after another in a format with the option sequence', async () => {
    const response = await respond(get({ accept: 'application/vnd.msgpack' }), counted(3).items, { formats: { messagepack: { sequence: true } } });
    expect(await createDecoder().decode<object[]>(response, { options: { sequence: true } })).toHaveLength(3);
  });

  it('rejects items if no format can hold them', async () => {
    await expect(respond(get(), counted(3).items, { formats: { messagepack: {} } })).rejects.toThrow('item by item');
  });

  it('takes items as the body is read, and not faster', async () => {
    const { items, counts } = counted(Infinity);
    const response = await respond(get(), items);
    const reader = response.body!.getReader();
    let read = 0;
    while (read < 20e6) {
      read += (await reader.read()).value!.length;
      // The bytes ahead are those of one chunk, at most 1 MiB, and the item that exceeded it.
      expect(counts.made * 1_000 - read).toBeLessThan(2 ** 20 + 2_000);
    }
    await reader.cancel();
    expect(counts.closed).toBe(true);
  });

  it.each([
    ['gzip', gunzipSync],
    ['br', brotliDecompressSync],
  ])('takes items as the body is read when it is compressed with %s', async (coding, decompress) => {
    const { items } = counted(2_000);
    const response = await respond(get({ 'accept-encoding': coding }), items, { compression: true });
    expect(JSON.parse(decompress(await response.arrayBuffer()).toString())).toHaveLength(2_000);
    const endless = counted(Infinity);
    const reader = (await respond(get({ 'accept-encoding': coding }), endless.items, { compression: true })).body!.getReader();
    await reader.read();
    await reader.cancel();
    expect(endless.counts.closed).toBe(true);
  });

  it('closes the source of the items when nothing is sent', async () => {
    const of = async (request: Request, options?: RespondOptions): Promise<[number, boolean]> => {
      const { items, counts } = counted(Infinity);
      await items.next();
      const { status } = await respond(request, items, options);
      return [status, counts.closed];
    };
    expect(await of(get({ accept: 'text/html' }))).toEqual([406, true]);
    expect(await of(get({}, 'HEAD'))).toEqual([200, true]);
    expect(await of(get({ 'if-none-match': '*' }), { etag: 'v1' })).toEqual([304, true]);
  });

  it('rejects if the source fails at its start, and errors the body if it fails later', async () => {
    async function* failing(after: number) {
      for (let id = 0; id < after; id += 1) yield { id, text: 'x'.repeat(1_000) };
      throw new Error('the database is gone');
    }
    await expect(respond(get(), failing(3))).rejects.toThrow('the database is gone');
    const response = await respond(get(), failing(3_000));
    await expect(response.arrayBuffer()).rejects.toThrow('the database is gone');
    const packed = await respond(get({ 'accept-encoding': 'br' }), failing(3_000), { compression: true });
    await expect(packed.arrayBuffer()).rejects.toThrow('the database is gone');
  });

  it('ends the body and the source with the signal', async () => {
    const controller = new AbortController();
    const { items, counts } = counted(Infinity);
    const response = await respond(get(), items, { signal: controller.signal });
    controller.abort(new Error('no more'));
    await expect(response.arrayBuffer()).rejects.toThrow('no more');
    expect(counts.closed).toBe(true);
  });
});

describe('compression', () => {
  const text = 'unspool '.repeat(1_000);
  const codingFor = async (accept: string | undefined, compression: RespondOptions['compression'] = true, value: unknown = text) => {
    const response = await respond(get(accept === undefined ? {} : { 'accept-encoding': accept }), value, { compression });
    return response.headers.get('content-encoding');
  };

  it.each([
    [undefined, null],
    ['', null],
    ['identity', null],
    ['gzip', 'gzip'],
    ['gzip, deflate, br', 'br'],
    ['gzip;q=1.0, br;q=0.5', 'gzip'],
    ['br;q=0, *', 'gzip'],
    ['identity;q=1, gzip;q=0.1', null],
  ])('answers Accept-Encoding: %s with Content-Encoding: %s', async (accept, coding) => {
    // Node 22.15 and later also has Zstandard, which `*` accepts.
    expect(await codingFor(accept, ['br', 'gzip'])).toBe(coding);
  });

  it('reads whole elements of a long Accept-Encoding header', async () => {
    expect(await codingFor(`br, ${'x, '.repeat(336)}gzip;q=0`, ['gzip', 'br'])).toBe('br');
    for (let at = 1_000; at < 1_030; at += 1) expect(await codingFor(`${'x'.repeat(at)}, gzip;q=0, *`, ['gzip'])).toBe(null);
    expect(await codingFor(`*, ${'x, '.repeat(1_000)}gzip;q=0`, ['gzip'])).toBe(null);
    expect(await codingFor(`${'x, '.repeat(90)}gzip;q=0`, ['gzip'])).toBe(null);
    expect(await codingFor(`${'x, '.repeat(90)}GZIP`, ['gzip'])).toBe('gzip');
  });

  it('compresses with gzip alone in runtimes without the zlib of Node', async () => {
    const builtin = vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined);
    onTestFinished(() => builtin.mockRestore());
    const response = await respond(get({ 'accept-encoding': 'gzip, br' }), text, { compression: true });
    expect(response.headers.get('content-encoding')).toBe('gzip');
    expect(JSON.parse(gunzipSync(await response.arrayBuffer()).toString())).toBe(text);
  });

  it('prefers the compression that is given first', async () => {
    expect(await codingFor('br, gzip', ['gzip', 'br'])).toBe('gzip');
  });

  it('leaves bodies uncompressed by default, and short ones always', async () => {
    expect(await codingFor('gzip', false)).toBe(null);
    expect(await codingFor('gzip', true, 'short')).toBe(null);
  });
});

describe('conditional requests', () => {
  it('answers 304 if the client has the version in the same format', async () => {
    const options: RespondOptions = { etag: 'v7', headers: { 'Cache-Control': 'no-cache' } };
    const first = await respond(get(), trips, options);
    const tag = first.headers.get('etag')!;
    expect(tag).toBe('W/"v7-json"');
    const again = await respond(get({ 'if-none-match': `"other", ${tag}` }), trips, options);
    expect([again.status, again.body, again.headers.get('etag'), again.headers.get('vary'), again.headers.get('cache-control')]).toEqual([
      304,
      null,
      tag,
      'Accept',
      'no-cache',
    ]);
    expect(again.headers.has('content-type')).toBe(false);
    expect((await respond(get({ accept: 'application/cbor', 'if-none-match': tag }), trips, options)).status).toBe(200);
    expect((await respond(get({ 'if-none-match': tag }), trips, { etag: 'v8' })).status).toBe(200);
    expect((await respond(get({ 'if-none-match': tag }, 'POST'), trips, options)).status).toBe(200);
    expect((await respond(get({ 'if-none-match': '*' }), trips, { ...options, status: 404 })).status).toBe(404);
  });

  it('finds a version with commas or other characters of entity tags', async () => {
    for (const etag of ['a,b', ',', 'a,W/b', '', "!#'*", '\u00e9']) {
      const tag = (await respond(get(), trips, { etag })).headers.get('etag')!;
      for (const known of [tag, tag.slice(2), `"x", ${tag}`, `${tag},"a,b"`, '*']) {
        expect((await respond(get({ 'if-none-match': known }), trips, { etag })).status, known).toBe(304);
      }
      expect((await respond(get({ 'if-none-match': '"b-json", "a", "-json2", b-json' }), trips, { etag })).status).toBe(200);
    }
  });

  it('hashes the bytes for the entity tag with etag: true', async () => {
    const tagOf = async (value: unknown): Promise<string> => (await respond(get(), value, { etag: true })).headers.get('etag')!;
    const tag = await tagOf(trips);
    expect(tag).toMatch(/^W\/"[\da-f]{32}-json"$/);
    expect(await tagOf(structuredClone(trips))).toBe(tag);
    expect(await tagOf(trips.slice(1))).not.toBe(tag);
    expect((await respond(get({ 'if-none-match': tag }), trips, { etag: true })).status).toBe(304);
    await expect(respond(get(), [][Symbol.iterator](), { etag: true })).rejects.toThrow('set etag to a version');
  });

  it('rejects versions that an entity tag cannot hold', async () => {
    await expect(respond(get(), 1, { etag: 'a"b' })).rejects.toThrow('entity tags cannot have');
  });

  it('answers HEAD with the headers alone', async () => {
    const response = await respond(get({ accept: 'application/cbor' }, 'HEAD'), trips, { etag: 'v1' });
    expect([response.status, response.body, response.headers.get('content-type'), response.headers.get('etag')]).toEqual([
      200,
      null,
      'application/cbor',
      'W/"v1-cbor"',
    ]);
  });
});
