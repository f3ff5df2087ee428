import { getEventListeners } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { NetworkError } from '../../../core/errors.ts';
import json from '../../../core/formats/json/index.ts';
import jsonWriter from '../../../core/formats/json/writer.ts';
import messagepack from '../../../core/formats/messagepack/index.ts';
import writer from '../../../core/formats/messagepack/writer.ts';
import { createDecoder, type Decoder, type DecoderOptions } from '../../../main/index.ts';
import { receive, respond, send } from '../../../main/server.ts';
import { decodeSync, encodeSync } from '../../../main/sync.ts';
import { serveSockets } from '../../setup/servers/socket-server.ts';
import { localWorker } from '../../setup/stand-ins/local-workers.ts';
import { reactive } from '../../setup/values/reactive.ts';
import type { Report } from './report.ts';

/** Calls with a decoder, which is closed after it. */
async function withDecoder<T>(use: (decoder: Decoder) => Promise<T>, options: DecoderOptions = {}): Promise<T> {
  const decoder = createDecoder({ createWorker: localWorker, ...options });
  try {
    return await use(decoder);
  } finally {
    decoder.close();
  }
}

/** The name of the error that a promise rejects with. */
const nameOf = async (promise: Promise<unknown>): Promise<unknown> => await promise.then(String, (error: unknown) => (error as Error).name);

/** Decodes a response as a worker with copied headers gives it. */
const decode = async (body: BodyInit | null, init: ResponseInit, options = {}): Promise<unknown> =>
  await withDecoder((decoder) => decoder.decode(new Response(body, init), { format: 'json', ...options }));

/** The messages of a socket that the server closes with a code, or breaks; and how the loop ends. */
async function messagesUntil(close: (socket: { close: (code: number) => void; terminate: () => void }) => void): Promise<unknown> {
  const server = await serveSockets();
  const { client, server: end } = await server.connect();
  const got: unknown[] = [];
  const loop = withDecoder(async (decoder) => {
    for await (const message of decoder.messages(client)) {
      got.push(message);
      close(end);
    }
  });
  end.send('1');
  const how = await loop.then(
    () => 'end',
    (error: unknown) => (error instanceof NetworkError ? 'NetworkError' : String(error)),
  );
  await server.close();
  return [...got, how];
}

/** Fetches from a server that answers like this. */
async function served<T>(answer: Parameters<typeof createServer>[1] & object, use: (url: string) => Promise<T>): Promise<T> {
  const server: Server = createServer(answer);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const records = Array.from({ length: 3000 }, (_, id) => ({ id, name: `name ${id % 40}` }));
const packed = encodeSync(writer, records);
const cookies = ['a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT', 'b=2'];

/** The status for a request that knows the entity tag of the answer, in the form of `known`. */
async function statusKnowing(etag: string, known: (strong: string) => string): Promise<number> {
  const first = await respond(new Request('http://a'), 1, { etag });
  const strong = first.headers.get('etag')!.replace(/^W\//, '');
  return (await respond(new Request('http://a', { headers: { 'If-None-Match': known(strong) } }), 1, { etag })).status;
}

const Resizable = ArrayBuffer as unknown as new (length: number, options: { maxByteLength: number }) => ArrayBuffer;

/** Bytes of a shared or resizable buffer. */
function inBuffer(buffer: ArrayBufferLike, bytes: Uint8Array): Uint8Array {
  const view = new Uint8Array(buffer, 0, bytes.length);
  view.set(bytes);
  return view;
}

const text = new TextEncoder().encode(JSON.stringify({ text: 'x'.repeat(300) }));
const long = { text: 'x'.repeat(300) };

/** Listeners that calls with the same signal leave on it. */
async function listenersLeft(): Promise<number> {
  const { signal } = new AbortController();
  await withDecoder(async (decoder) => {
    for (let call = 0; call < 20; call += 1) {
      await decoder.decode(packed.slice(), { format: 'messagepack', signal, route: call % 2 === 0 ? 'page' : 'worker' });
      await decoder.decode(new Response(packed), { format: 'messagepack', signal, as: 'rows' });
      for await (const batch of decoder.batches(new Response(packed), { format: 'messagepack', signal })) if (batch.length > 0) break;
      for await (const value of decoder.partial(new Response('[1]'), { signal })) void value;
    }
  });
  return getEventListeners(signal, 'abort').length;
}

/** A request with a body in gzip. */
const gzipped = (...bodies: Uint8Array[]): Request =>
  new Request('http://a', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
    body: Buffer.concat(bodies),
  });

export const SEAMS: readonly Report[] = [
  {
    report: 'sindresorhus/ky#193',
    was: 'An answer without content, 204, ends in a SyntaxError',
    tried: () => decode(null, { status: 204 }),
    rejects: 'empty',
  },
  { report: 'sindresorhus/ky#415', was: 'An empty answer, 202, ends in a SyntaxError', tried: () => decode('', { status: 202 }), rejects: 'empty' },
  {
    report: 'whatwg/fetch#67',
    was: 'The Content-Length of a compressed body is less than its bytes',
    tried: () => decode(JSON.stringify(long), { headers: { 'Content-Length': '40' } }),
    gives: long,
  },
  {
    report: 'cloudflare/miniflare#406',
    was: 'A part of a body has the Content-Length of the whole',
    tried: () => nameOf(decode('[1,2', { status: 206, headers: { 'Content-Length': '1000' } })),
    gives: 'NetworkError',
    note: 'rejected: a NetworkError with both lengths',
  },
  {
    report: 'nodejs/undici#4799',
    was: 'Reading a clone after an abort ends in a TypeError',
    tried: () =>
      served(
        (_, response) => void response.writeHead(200, { 'Content-Type': 'application/json' }).write('[1,'),
        (url) =>
          withDecoder(async (decoder) => {
            const controller = new AbortController();
            const response = await decoder.fetch(url, { signal: controller.signal });
            response.clone();
            controller.abort();
            return await nameOf(response.json());
          }),
      ),
    gives: 'AbortError',
  },
  {
    report: 'nodejs/undici#5358',
    was: 'Two clones share the bytes of their chunks',
    tried: async () =>
      await withDecoder(
        async (decoder) => {
          const response = new Response(packed);
          const copy = response.clone();
          const rows = await decoder.decode<object[]>(response, { format: 'messagepack', as: 'rows' });
          return [rows.length, new Uint8Array(await copy.arrayBuffer()).length];
        },
        { route: 'worker' },
      ),
    gives: [3000, packed.length],
  },
  {
    report: 'better-auth/better-call#119',
    was: 'The last of several cookies replaces the others',
    tried: async () =>
      (await respond(new Request('http://a'), 1, { headers: new Headers(cookies.map((cookie) => ['Set-Cookie', cookie])) })).headers.getSetCookie(),
    gives: cookies,
  },
  {
    report: 'johannschopplich/nuxt-api-party#58',
    was: 'Several cookies become one',
    tried: () =>
      served(
        (request, response) => {
          response.setHeader('Set-Cookie', 'z=0');
          void send(request, response, 1, { headers: { 'Set-Cookie': cookies } });
        },
        async (url) => (await fetch(url)).headers.getSetCookie(),
      ),
    gives: ['z=0', ...cookies],
  },
  {
    report: 'jshttp/fresh#11',
    was: 'Weak entity tags do not match strong ones',
    tried: () => statusKnowing('1', (strong) => `"x", W/${strong}`),
    gives: 304,
  },
  {
    report: 'apache/tomcat#325',
    was: 'An entity tag with a comma does not match in a list',
    tried: () => statusKnowing('a,b', (strong) => `"x", ${strong}`),
    gives: 304,
  },
  {
    report: 'aio-libs/aiohttp#8462',
    was: 'A weak entity tag never gives 304',
    tried: () => statusKnowing('1', (strong) => `W/${strong}`),
    gives: 304,
  },
  {
    report: 'websockets/ws#1520',
    was: 'A server that goes away, 1001, counts as a normal end',
    tried: () => messagesUntil((socket) => socket.close(1001)),
    gives: [1, 'NetworkError'],
    note: 'rejected after the last message: a NetworkError with the code',
  },
  {
    report: 'websockets/ws#1513',
    was: 'A connection that breaks, 1006',
    tried: () => messagesUntil((socket) => socket.terminate()),
    gives: [1, 'NetworkError'],
    note: 'rejected after the last message: a NetworkError with the code',
  },
  {
    report: 'python-websockets/websockets#877',
    was: 'A server that fails has no code',
    tried: () => messagesUntil((socket) => socket.close(1011)),
    gives: [1, 'NetworkError'],
    note: 'rejected after the last message: a NetworkError with the code',
  },
  {
    report: 'facebookincubator/SocketRocket#605',
    was: 'A connection that is lost has the code of a server that goes away',
    tried: () => messagesUntil((socket) => socket.terminate()),
    gives: [1, 'NetworkError'],
    note: 'rejected after the last message: a NetworkError with the code',
  },
  {
    report: 'rancher/dashboard#11541',
    was: 'Proxies cannot be posted to a worker',
    tried: () => withDecoder((decoder) => decoder.decode(packed.slice(), reactive({ format: 'messagepack', pick: ['name'] })), { route: 'worker' }),
    gives: records.map(({ name }) => ({ name })),
  },
  {
    report: 'vuejs/core#1970',
    was: 'The same of reactive options inside of others',
    tried: () =>
      withDecoder((decoder) => decoder.decode(packed.slice(), reactive({ format: 'messagepack', options: { valueExtensions: [1, 2] } })), {
        route: 'worker',
      }),
    gives: records,
  },
  {
    report: 'vercel/ai#4761',
    was: 'Reactive values cannot be cloned',
    tried: () => decodeSync(messagepack, encodeSync(writer, reactive({ a: [{ b: 1 }] }))),
    gives: { a: [{ b: 1 }] },
  },
  {
    report: 'nodejs/node#32199',
    was: 'Bytes of a SharedArrayBuffer are refused',
    tried: () => decodeSync(json, inBuffer(new SharedArrayBuffer(400), text)),
    gives: long,
  },
  {
    report: 'chung-leong/zigar#523',
    was: 'Text in shared memory ends in a TypeError',
    tried: () => decodeSync(messagepack, inBuffer(new SharedArrayBuffer(400), encodeSync(writer, long))),
    gives: long,
  },
  {
    report: 'whatwg/encoding#344',
    was: 'Buffers that can be resized are refused',
    tried: () => decodeSync(json, inBuffer(new Resizable(400, { maxByteLength: 800 }), text)),
    gives: long,
  },
  {
    report: 'sanity-io/get-it#654',
    was: 'Bytes of another realm are no bytes',
    tried: () => decodeSync(messagepack, runInNewContext('Uint8Array.of(0x92, 1, 0xc0)') as Uint8Array),
    gives: [1, null],
  },
  {
    report: 'storacha/w3up#277',
    was: '`toJSON` of a Buffer comes before the option for bytes',
    tried: () => new TextDecoder().decode(encodeSync(jsonWriter, { a: Buffer.from([1, 2]) }, { options: { bytes: 'base64' } })),
    gives: '{"a":"AQI="}',
  },
  {
    report: 'samchon/typia#117',
    was: 'Bytes become an object of indices, Buffers one of their own',
    tried: () => new TextDecoder().decode(encodeSync(jsonWriter, [Buffer.from([1]), Uint8Array.of(1)])),
    gives: JSON.stringify([Buffer.from([1]), Uint8Array.of(1)]),
    note: 'as `JSON.stringify`; `bytes: "base64"` writes both as text',
  },
  {
    report: 'emberjs/ember.js#13743',
    was: 'Enumerable properties of a prototype are found in every object',
    tried: () => {
      const prototype = Object.prototype as unknown as Record<string, unknown>;
      prototype['extend'] = (): void => {};
      try {
        return [decodeSync(json, text, { options: {} }), [...encodeSync(writer, { a: 1 })]];
      } finally {
        delete prototype['extend'];
      }
    },
    gives: [long, [0x81, 0xa1, 0x61, 1]],
  },
  { report: 'nodejs/undici#3157', was: 'Each call leaves a listener on a signal that lives long', tried: listenersLeft, gives: 0 },
  {
    report: 'capricorn86/happy-dom#1294',
    was: 'A clone of a clone locks both',
    tried: () =>
      withDecoder(async (decoder) => {
        const clone = new Response('{"foo":"bar"}').clone();
        const again = clone.clone();
        return await Promise.all([clone, again].map((response) => decoder.decode(response, { format: 'json' })));
      }),
    gives: [{ foo: 'bar' }, { foo: 'bar' }],
  },
  {
    report: 'sindresorhus/ky#394',
    was: 'The status and the headers are lost where progress is watched',
    tried: () =>
      served(
        (_, response) => void response.writeHead(201, { 'Content-Type': 'application/json', 'X-A': '1' }).end('[1]'),
        (url) =>
          withDecoder(async (decoder) => {
            const response = await decoder.fetch(url);
            return [response.status, response.headers.get('x-a'), await response.json({ onProgress: () => {} })];
          }),
      ),
    gives: [201, '1', [1]],
  },
  {
    report: 'sile/libflate#75',
    was: 'Bytes after a body in gzip',
    tried: () => nameOf(receive(gzipped(gzipSync('{"a":1}'), Buffer.from('junk')))),
    gives: 'RequestError',
    note: 'rejected: a RequestError',
  },
];
