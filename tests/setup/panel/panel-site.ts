import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { brotliCompressSync, constants, deflateRawSync, gzipSync } from 'node:zlib';
import { Encoder, Tag } from 'cbor-x';
import { Packr } from 'msgpackr';
import { REPOSITORY } from '../sources/imports.ts';

/** Response to a request. */
export interface SiteResponse {
  type: string | undefined;
  body: Uint8Array | string;
  encoding?: string;
}

export interface PanelSite {
  url: string;
  close: () => Promise<void>;
}

export const trips = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    ride_id: `R${(i * 7919).toString(16).padStart(10, '0')}`,
    rideable_type: i % 3 === 0 ? 'electric_bike' : 'classic_bike',
    started_at: `2024-05-0${1 + (i % 9)} 08:${10 + (i % 50)}:07.311`,
    start_station: `W ${20 + (i % 70)} St & ${1 + (i % 11)} Ave`,
    end_station: `E ${10 + (i % 80)} St & ${1 + (i % 9)} Ave`,
    distance: (i * 37) % 9_000,
    lat: 40.7 + (i % 1000) / 10_000,
    lng: -74.0 + (i % 777) / 10_000,
    member: i % 4 !== 0,
    note: null,
  }));

const maps = new Packr({ useRecords: false });
const records = new Packr({ useRecords: true });
const cbor = new Encoder({ useRecords: false });

/** A PNG of 2 × 1 pixels. */
const DOT = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAADUlEQVR4nGP4z8AARAAI/gH/xp559wAAAABJRU5ErkJggg==', 'base64');

/** A font with the same box for every character, made with fontTools. */
const BOXES = Buffer.from(
  'd09GRgABAAAAAAJUAAoAAAAAA0gAAQAAAAAAAAAAAAAAAAAAAAAAAAAAAABPUy8yAAABZAAAACQAAABgQRdBtmNtYXAAAAGQAAAALgAAAPIAXwG+Z2x5ZgAAAcgAAAAlAAAANBvYG9ZoZWFkAAAA9AAAADYAAAA2L10ZvGhoZWEAAAEsAAAAIAAAACQFFgFgaG10eAAAAYgAAAAGAAAABgImADJsb2NhAAABwAAAAAYAAAAGABoADW1heHAAAAFMAAAAFgAAACAABAAGbmFtZQAAAfAAAABOAAAAWkIPNddwb3N0AAACQAAAABQAAAAqcH4DYgABAAAAAQAAGHMxD18PPPUAAwPoAAAAAOcpaxAAAAAA5ylrEAAyAAABwgK8AAAAAwACAAAAAAAAeJxjYGRgYFb4b8HAwPiFwYjBiPEQA1AEBTACAFfTA3p4nGNgZGBgYGJgYQDRIBYaAAABEgALAAB4nGNgZvzCOIGBlYGFgTBgRObYAwGQUmCow6legYEBAMfLA04B9AAyADIAAHicY2BgYGJgYGAGYhEgyQimWRjuAWkWIATx6/7/B5IKYJIRKAYihzAEAMKYBhsAAAAAAA0AGgAAeJxjYGQwYmBgPMS0h4GZgcFYUFHQiHEC056/LkBBXDIA4RoJ3wAAAHicLYhBCoAgFAXnmxFFtOwoHcAjeAMX4kYQFMHj941mMbx5gOVBmAjr54lh01oQu+tzcP7bcHG7MmLzMfUcKo7CINLw6kQnE6gv9QEKVgAAeJxjYGLAD4DyjEzMSfkVAAMmAVQ=',
  'base64',
);

/** A zlib stream of `megabytes` million zeros: one block repeated, and the Adler-32 of zeros. */
function deflateOf(megabytes: number): Uint8Array {
  const chunk = new Uint8Array(1e6);
  // Ends at a byte boundary, so that it can be repeated.
  const block = deflateRawSync(chunk, { finishFlush: constants.Z_FULL_FLUSH, level: 9 });
  const parts = [Uint8Array.of(0x78, 0xda), ...Array.from({ length: megabytes }, () => block), deflateRawSync(new Uint8Array(0))];
  const length = megabytes * 1e6;
  const adler = new Uint8Array(4);
  new DataView(adler.buffer).setUint32(0, ((length % 65_521) << 16) | 1);
  return Buffer.concat([...parts, adler]);
}

/** Payloads by path, created on demand. */
export const RESPONSES: Readonly<Record<string, () => SiteResponse>> = {
  '/trips.msgpack': () => ({ type: 'application/vnd.msgpack', body: maps.pack(trips(2_000)) }),
  '/records.bin': () => ({ type: 'application/octet-stream', body: records.pack({ page: 1, trips: trips(400) }) }),
  '/stations.cbor': () => ({ type: 'application/cbor', body: cbor.encode({ stations: trips(60), made: new Date(0), raw: new Uint8Array(40) }) }),
  '/status.json': () => ({ type: 'application/json', body: JSON.stringify({ ok: true, count: 3, tags: ['a', 'b'], price: 1.5 }) }),
  '/person.pb': () => ({
    type: 'application/x-protobuf',
    body: Uint8Array.of(0x0a, 5, 0x41, 0x6c, 0x69, 0x63, 0x65, 0x10, 0x96, 1, 0x1a, 4, 8, 1, 0x10, 2, 0x22, 3, 1, 2, 3),
  }),
  // An envelope with an Any that holds a person.
  '/any.pb': () => ({
    type: 'application/x-protobuf',
    body: Buffer.concat([
      Buffer.of(0x0a, 42, 0x0a, 31),
      Buffer.from('type.googleapis.com/test.Person'),
      Buffer.of(0x12, 7, 0x0a, 3, 0x41, 0x64, 0x61, 0x10, 7),
    ]),
  }),
  // COSE_Sign1 (RFC 9052, section 4.2): protected and unprotected headers, the payload, a signature.
  '/cose.cbor': () => ({
    type: 'application/cbor',
    body: cbor.encode(new Tag([Buffer.of(0xa1, 1, 0x26), {}, Buffer.from(cbor.encode({ station: 'Oak', docks: [7, 9] })), Buffer.alloc(64, 7)], 18)),
  }),
  '/untyped': () => ({ type: undefined, body: maps.pack({ greeting: 'hello', list: [1, 2, 3] }) }),
  '/zipped.msgpack': () => ({ type: 'application/vnd.msgpack', body: gzipSync(maps.pack(trips(300))), encoding: 'gzip' }),
  '/brotli.msgpack': () => ({ type: 'application/vnd.msgpack', body: brotliCompressSync(maps.pack(trips(300))), encoding: 'br' }),
  '/packed.bin': () => ({ type: 'application/octet-stream', body: gzipSync(maps.pack(trips(50))) }),
  '/broken.msgpack': () => ({ type: 'application/vnd.msgpack', body: maps.pack({ trips: trips(20) }).subarray(0, 1_777) }),
  '/mislabelled.json': () => ({ type: 'application/json', body: maps.pack({ price: 1.5, list: [200, 300] }) }),
  // 1 MB, 10.2 MB, and 20 MB with items of 1 MB.
  '/megabyte.msgpack': () => ({ type: 'application/vnd.msgpack', body: maps.pack(trips(5_200)) }),
  '/large.msgpack': () => ({ type: 'application/vnd.msgpack', body: maps.pack(trips(52_000)) }),
  '/huge.msgpack': () => ({
    type: 'application/vnd.msgpack',
    body: maps.pack(Array.from({ length: 20 }, (_, i) => ({ part: i, raw: Buffer.alloc(1_000_000, i) }))),
  }),
  // MessagePack in base64, CBOR in gzip in base64, JSON in a string; and CBOR in CBOR.
  '/nested.json': () => ({
    type: 'application/json',
    body: JSON.stringify({
      packed: Buffer.from(maps.pack({ station: 'Oak', docks: [7, 9] })).toString('base64'),
      zipped: gzipSync(cbor.encode({ inner: Buffer.from(cbor.encode({ deep: [1, 2, 3] })) })).toString('base64'),
      text: '{"a":{"b":[true]}}',
    }),
  }),
  '/tiles/14/4823/6160.pbf': () => ({
    type: 'application/octet-stream',
    body: Uint8Array.of(0x1a, 21, 0x0a, 5, 0x72, 0x6f, 0x61, 0x64, 0x73, 0x12, 7, 0x18, 2, 0x22, 3, 9, 50, 34, 0x28, 0x80, 0x20, 0x78, 2).subarray(
      0,
      23,
    ),
  }),
  '/words.json': () => ({
    type: 'application/json',
    body: JSON.stringify(
      Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`${i === 1 ? 'long' : 'word'}${i}`, 'ab '.repeat(i === 1 ? 300 : i + 1)])),
    ),
  }),
  // 1.5 MB that expand to 1.5 GB, and 243 kB that expand to 250 MB.
  '/bomb.bin': () => ({ type: 'application/octet-stream', body: deflateOf(1_500) }),
  '/small-bomb.bin': () => ({ type: 'application/octet-stream', body: gzipSync(new Uint8Array(250e6)) }),
  '/dot.png': () => ({ type: 'application/octet-stream', body: DOT }),
  '/with-image.msgpack': () => ({ type: 'application/vnd.msgpack', body: maps.pack({ name: 'dot', icon: DOT }) }),
  '/boxes.woff': () => ({ type: 'font/woff', body: BOXES }),
  '/feed.xml': () => ({
    type: 'application/rss+xml',
    body: '<?xml version="1.0"?><rss version="2.0"><channel><title>Stations</title><item><title>Oak &amp; Elm</title><link>https://a.test/1</link></item></channel></rss>',
  }),
  '/app.js': () => ({
    type: 'text/javascript',
    body: 'const docks=[1,2,3];for(const dock of docks){if(dock>1)console.log(`dock ${dock}`)}export{docks}',
  }),
  '/style.css': () => ({ type: 'text/css', body: 'body { margin: 0 }' }),
};

/** Handles `/worker/…`, and passes on requests with `through` in their query. */
const SERVICE_WORKER = `
  addEventListener('install', () => skipWaiting());
  addEventListener('activate', (event) => event.waitUntil(clients.claim()));
  addEventListener('fetch', (event) => {
    const { pathname, searchParams } = new URL(event.request.url);
    if (searchParams.has('through')) event.respondWith(fetch(event.request));
    if (pathname === '/worker/made') event.respondWith(new Response(Uint8Array.of(0x93, 1, 2, 3), { headers: { 'content-type': 'application/msgpack' } }));
    if (pathname === '/worker/fetched') event.respondWith(fetch('/stations.cbor?by-worker'));
  });
`;

/** Handlers of paths that need more than a body. */
const HANDLERS: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => void>> = {
  '/': (_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>Site</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/style.css"><h1>Site</h1>');
  },
  // Requests data while it loads, and has loaded once the data is there.
  '/loading.html': (_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(
      '<!doctype html><title>Loading</title><link rel="icon" href="data:,"><script>fetch("/status.json?loading").then((response) => response.json()).then(() => (document.querySelector("img").src = "/dot.png"))</script><img src="/hanging.png">',
    );
  },
  // Does not end.
  '/hanging.png': () => undefined,
  '/page.html': (_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>Stations</title><h1 id="head">Stations</h1><ul><li>Oak St</li><li>Elm St</li></ul>');
  },
  '/service-worker.js': (_, response) => {
    response.setHeader('content-type', 'text/javascript');
    response.end(SERVICE_WORKER);
  },
  '/echo': (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      response.setHeader('content-type', request.headers['content-type'] ?? 'application/octet-stream');
      response.end(Buffer.concat(chunks));
    });
  },
  '/echo/multipart': (request, response) => HANDLERS['/echo']!(request, response),
  // Returns the request as JSON.
  '/mirror': (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { cookie = '', origin = '', 'content-type': type = '', 'x-mark': mark = '' } = request.headers;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ method: request.method, cookie, origin, type, mark, body: Buffer.concat(chunks).toString('base64') }));
    });
  },
  // Sends two events and does not end.
  '/events': (_, response) => {
    response.setHeader('content-type', 'text/event-stream');
    response.write('data: {"hello": 1}\n\nevent: price\ndata: 2.5\n\n');
  },
  '/hanging.msgpack': (_, response) => {
    response.setHeader('content-type', 'application/vnd.msgpack');
    response.write(Uint8Array.of(0x93, 1));
  },
};

/** Frames of WebSocket messages of about 100 bytes each. */
function floodOf(count: number): Uint8Array {
  const frames = Array.from({ length: count }, (_, n) => {
    const text = JSON.stringify({ n, station: `W ${n % 70} St`, docks: n % 31, note: 'x'.repeat(50) });
    return Buffer.concat([Buffer.of(0x81, text.length), Buffer.from(text)]);
  });
  return Buffer.concat(frames);
}

/** Serves the built library. */
async function serveLibrary(path: string, response: ServerResponse): Promise<void> {
  try {
    const body = await readFile(join(REPOSITORY, path));
    response.setHeader('content-type', 'text/javascript');
    response.end(body);
  } catch {
    response.statusCode = 404;
    response.end();
  }
}

/** Starts the test site, with further payloads by path. */
export async function startPanelSite(more: Readonly<Record<string, () => SiteResponse>> = {}): Promise<PanelSite> {
  const made = new Map<string, SiteResponse>();
  const server: Server = createServer((request, response) => {
    const path = new URL(request.url!, 'http://site').pathname;
    const handle = HANDLERS[path];
    if (handle) return handle(request, response);
    if (/^\/dist\/[\w./-]+\.js$/.test(path) && !path.includes('..')) return void serveLibrary(path, response);
    const make = more[path] ?? RESPONSES[path.replace(/^\/again/, '')];
    if (!make) {
      response.statusCode = 404;
      response.end('not here');
      return;
    }
    const found = made.get(path) ?? make();
    made.set(path, found);
    if (found.type) response.setHeader('content-type', found.type);
    if (found.encoding) response.setHeader('content-encoding', found.encoding);
    response.end(found.body);
  });
  // Echoes WebSocket messages of up to 125 bytes (RFC 6455). `/flood` sends as many messages as a message says.
  const sockets = new Set<Duplex>();
  server.on('upgrade', (request, socket) => {
    sockets.add(socket);
    const accept = createHash('sha1').update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
    socket.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`);
    socket.on('data', (frame: Buffer) => {
      const length = frame[1]! & 0x7f;
      const mask = frame.subarray(2, 6);
      const payload = frame.subarray(6, 6 + length).map((byte, i) => byte ^ mask[i & 3]!);
      if (request.url === '/flood') socket.write(floodOf(Number(payload.toString())));
      else if ((frame[0]! & 15) < 8) socket.write(Buffer.from([frame[0]!, length, ...payload]));
    });
    socket.on('error', () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
