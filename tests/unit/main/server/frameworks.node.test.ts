/** Servers of Hono, Express, Fastify and Node's `http`, each with a cursor of SQLite, over real sockets. */
import { EventEmitter, once } from 'node:events';
import { createServer, get, type IncomingHttpHeaders, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { connect, createServer as createHttp2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import { Database } from 'node-sqlite3-wasm';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createDecoder, createEncoder } from './decoders.ts';
import { receive, respond, type RespondOptions, send } from '../../../../main/server.ts';

// Hono's server replaces these globals, which other test files of the process use too.
const { Request: NativeRequest, Response: NativeResponse } = globalThis;
afterAll(() => {
  Object.defineProperty(globalThis, 'Request', { value: NativeRequest });
  Object.defineProperty(globalThis, 'Response', { value: NativeResponse });
});

const ROWS = 8_000;
const BIG_ROWS = 500;
const options: RespondOptions = { compression: true, etag: 'v1' };

const database = new Database(':memory:');
/** Emits the SQL of queries that end. */
const queries = new EventEmitter();

/** The rows of a query while they are asked for; the query ends with the loop over them. */
function* cursor(sql: string): Generator<unknown, void> {
  const query = database.prepare(sql);
  try {
    yield* query.iterate() as Iterable<unknown>;
  } finally {
    query.finalize();
    queries.emit('end', sql);
  }
}

const SMALL_ROWS = 'SELECT id, name FROM trips';
const LARGE_ROWS = 'SELECT id, text FROM large';
/** Joins the table with itself, so that it does not end. */
const ENDLESS_ROWS = 'SELECT a.id, b.id AS other, c.id AS another FROM trips a, trips b, trips c';

/** Most bytes that a response of Node's `http` had buffered while rows were asked for. */
let buffered = 0;

function* watched(rows: Iterable<unknown>, response: ServerResponse): Generator<unknown, void> {
  for (const row of rows) {
    buffered = Math.max(buffered, response.writableLength);
    yield row;
  }
}

async function listening(server: Server): Promise<Server> {
  if (!server.listening) await once(server, 'listening');
  return server;
}

const servers: Record<string, () => Promise<Server>> = {
  hono: async () => {
    const app = new Hono();
    app.get('/trips', (c) => respond(c.req.raw, cursor(SMALL_ROWS), options));
    app.get('/endless', (c) => respond(c.req.raw, cursor(ENDLESS_ROWS)));
    app.get('/late', (c) => respond(c.req.raw, late()));
    app.post('/echo', async (c) => respond(c.req.raw, await receive(c.req.raw)));
    return await listening(serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }) as Server);
  },
  express: async () => {
    const app = express();
    app.get('/trips', (request, response) => send(request, response, cursor(SMALL_ROWS), options));
    app.get('/endless', (request, response) => send(request, response, cursor(ENDLESS_ROWS)));
    app.get('/late', (request, response) => send(request, response, late()));
    // oxlint-disable-next-line oxc/no-async-endpoint-handlers -- Express 5 handles rejections
    app.post('/echo', async (request, response) => send(request, response, await receive(request)));
    // Keeps the error of the body out of the output.
    app.use((error: Error & { status?: number }, _request: express.Request, response: express.Response, _next: express.NextFunction) => {
      if (!response.headersSent) response.status(error.status ?? 500).end();
    });
    return await listening(app.listen(0, '127.0.0.1'));
  },
  fastify: async () => {
    const app = fastify();
    // Fastify's own HEAD routes fail for a `Response`.
    app.route({
      method: ['GET', 'HEAD'],
      url: '/trips',
      exposeHeadRoute: false,
      handler: (request) => respond(request, cursor(SMALL_ROWS), options),
    });
    app.get('/endless', (request) => respond(request, cursor(ENDLESS_ROWS)));
    app.get('/late', (request) => respond(request, late()));
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', (_request: unknown, payload: IncomingMessage) => receive(payload));
    app.post('/echo', (request) => respond(request, request.body));
    await app.listen({ port: 0, host: '127.0.0.1' });
    return app.server;
  },
  http: async () => {
    const server = createServer((request, response) => {
      const answer = async (): Promise<void> => {
        if (request.url === '/trips') return await send(request, response, cursor(SMALL_ROWS), options);
        if (request.url === '/endless') return await send(request, response, cursor(ENDLESS_ROWS));
        if (request.url === '/large') return await send(request, response, watched(cursor(LARGE_ROWS), response));
        if (request.url === '/late') return await send(request, response, late());
        return await send(request, response, await receive(request));
      };
      answer().catch((error: { status?: number }) => response.headersSent || response.writeHead(error.status ?? 500).end());
    });
    return await listening(server.listen(0, '127.0.0.1'));
  },
};

async function httpHeaders(port: number, path: string): Promise<IncomingHttpHeaders> {
  const [response] = (await once(get({ port, host: '127.0.0.1', path, agent: false }), 'response')) as [IncomingMessage];
  response.resume();
  return response.headers;
}

async function http2Headers(port: number, path: string): Promise<IncomingHttpHeaders> {
  const session = connect(`http://127.0.0.1:${port}`);
  const [headers] = (await once(session.request({ ':path': path }), 'response')) as [IncomingHttpHeaders];
  session.destroy();
  return headers;
}

/** Items whose source fails after its first megabytes. */
async function* late(): AsyncGenerator {
  for (let id = 0; id < 5_000; id += 1) yield { id, text: 'x'.repeat(1_000) };
  throw new Error('the database is gone');
}

beforeAll(() => {
  database.run('CREATE TABLE trips (id INTEGER, name TEXT)');
  database.run(`INSERT INTO trips WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n LIMIT ${ROWS}) SELECT i, 'Station ' || i FROM n`);
  database.run('CREATE TABLE large (id INTEGER, text TEXT)');
  database.run(`INSERT INTO large SELECT id, printf('%.*c', 20000, 'x') FROM trips LIMIT ${BIG_ROWS}`);
});

afterAll(() => database.close());

describe.each(Object.keys(servers))('%s', (name) => {
  let server: Server;
  let url: string;

  beforeAll(async () => {
    server = await servers[name]!();
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it('sends JSON to clients that do not ask for a format, such as curl', async () => {
    const response = await fetch(`${url}/trips`, { headers: { accept: '*/*', 'accept-encoding': 'identity' } });
    expect([response.headers.get('content-type'), response.headers.get('vary')]).toEqual(['application/json', 'Accept, Accept-Encoding']);
    const rows = (await response.json()) as unknown[];
    expect([rows.length, rows[0], rows.at(-1)]).toEqual([ROWS, { id: 0, name: 'Station 0' }, { id: ROWS - 1, name: `Station ${ROWS - 1}` }]);
  });

  it('sends a cursor in the format and compression that the decoder accepts', async () => {
    const response = await createDecoder().fetch(`${url}/trips`, {
      headers: { accept: 'application/cbor-seq, application/json;q=0.5', 'accept-encoding': 'gzip, br' },
    });
    expect([response.headers.get('content-type'), response.headers.get('content-encoding')]).toEqual(['application/cbor-seq', 'br']);
    expect(await response.json<unknown[]>()).toHaveLength(ROWS);
  });

  it('answers a conditional request with 304, HEAD without a body, and 406', async () => {
    const tag = 'W/"v1-json"';
    const of = async (init: RequestInit) => {
      const { status, headers, body } = await fetch(`${url}/trips`, init);
      await body?.cancel();
      return [status, headers.get('etag'), headers.get('content-type')];
    };
    expect(await of({ headers: { 'if-none-match': tag } })).toEqual([304, tag, null]);
    expect(await of({ method: 'HEAD' })).toEqual([200, tag, 'application/json']);
    expect(await of({ headers: { accept: 'text/html' } })).toEqual([406, null, 'application/problem+json']);
  });

  it('ends the query when the client leaves', async () => {
    const ended = once(queries, 'end');
    const controller = new AbortController();
    const response = await fetch(`${url}/endless`, { signal: controller.signal });
    const reader = response.body!.getReader();
    await reader.read();
    controller.abort();
    expect(await ended).toEqual([ENDLESS_ROWS]);
  });

  it('breaks the connection if the source fails in the middle', async () => {
    // Hono's server prints the error.
    const printing = vi.spyOn(console, 'error').mockReturnValue();
    onTestFinished(() => printing.mockRestore());
    const response = await fetch(`${url}/late`);
    expect(response.status).toBe(200);
    await expect(response.arrayBuffer()).rejects.toThrow('terminated');
  });

  it('receives what the encoder sends, and sends it back', async () => {
    const orders = [{ id: 1, at: 'x'.repeat(100_000) }];
    const encoder = createEncoder();
    for (const format of ['json', 'messagepack', 'cbor'] as const) {
      const response = await createDecoder().fetch(`${url}/echo`, { method: 'POST', body: await encoder.body(orders, { format }) });
      expect(await response.json()).toEqual(orders);
    }
  });

  it('answers 400, 413 and 415 for bodies that it cannot receive', async () => {
    const statusOf = async (type: string, body: string) => {
      const { status, body: answer } = await fetch(`${url}/echo`, { method: 'POST', body, headers: { 'content-type': type } });
      await answer?.cancel();
      return status;
    };
    expect(await statusOf('application/json', '{"id":')).toBe(400);
    expect(await statusOf('application/json', `"${'x'.repeat(2 ** 20)}"`)).toBe(413);
    expect(await statusOf('application/xml', '<a/>')).toBe(415);
  });
});

describe('send', () => {
  it.each([
    ['http', (answer: RequestListener) => createServer(answer)],
    ['http2', (answer: RequestListener) => createHttp2Server(answer as never) as unknown as Server],
    ['express', (answer: RequestListener) => createServer(express().use(answer))],
  ])('keeps each cookie of the response and of the headers, with %s', async (name, create) => {
    const cookies = ['b=2; Expires=Wed, 21 Oct 2026 07:28:00 GMT', 'c=3'];
    const server = create((request, response) => {
      response.setHeader('Set-Cookie', request.url === '/one' ? 'a=1' : ['a=1', 'x=9']);
      response.setHeader('Vary', ['Origin', 'Cookie']);
      void send(request, response, [1], { headers: { 'Set-Cookie': cookies } });
    });
    await listening(server.listen(0, '127.0.0.1'));
    const { port } = server.address() as AddressInfo;
    for (const [path, before] of [
      ['/one', ['a=1']],
      ['/two', ['a=1', 'x=9']],
    ] as const) {
      const headers = await (name === 'http2' ? http2Headers(port, path) : httpHeaders(port, path));
      expect([headers['set-cookie'], headers['vary']]).toEqual([[...before, ...cookies], 'Origin, Cookie, Accept']);
    }
    server.close();
  });

  it('keeps no more than a chunk for a client that does not read', async () => {
    const server = await servers['http']!();
    const { port } = server.address() as AddressInfo;
    const [response] = (await once(get({ port, host: '127.0.0.1', path: '/large' }), 'response')) as [IncomingMessage];
    let bytes = 0;
    for await (const chunk of response) bytes += (chunk as Buffer).length;
    expect(bytes).toBeGreaterThan(BIG_ROWS * 20_000);
    expect(buffered).toBeLessThan(2 ** 21);
    server.close();
  });
});
