import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import avro from 'avsc';
import { Encoder } from 'cbor-x';
import { Packr } from 'msgpackr';
import { CONTENT_SECURITY_POLICY } from '../../../demo/server/index.mjs';
import { type RespondOptions, send } from '../../../main/server.ts';
import { avroSchema, protobufSchema } from './app/schema.js';

const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.json': 'application/json' };
const CHUNK = 16 * 1024;

const packr = new Packr({ useRecords: false });
const cbor = new Encoder({ useRecords: false });
const avroType = avro.Type.forSchema(avroSchema as avro.Schema);

/** Value of the payloads. */
export function tripsOf(rows: number): { trips: { id: number; name: string; at: number[] }[] } {
  return { trips: Array.from({ length: rows }, (_, id) => ({ id, name: `trip ${id} ↦`, at: [id / 8, id / 3] })) };
}

/** An object container with compressed blocks, which need lazily loaded code. */
async function container(value: unknown): Promise<Uint8Array> {
  const encoder = new avro.streams.BlockEncoder(avroType, { codec: 'deflate' });
  const chunks: Buffer[] = [];
  encoder.on('data', (chunk: Buffer) => chunks.push(chunk));
  encoder.end(value);
  await once(encoder, 'end');
  return Buffer.concat(chunks);
}

const encoders: Record<string, { type: string; encode: (value: unknown) => Uint8Array | Promise<Uint8Array> }> = {
  msgpack: { type: 'application/vnd.msgpack', encode: (value) => packr.pack(value) },
  cbor: { type: 'application/cbor', encode: (value) => cbor.encode(value) },
  avro: { type: 'application/avro', encode: (value) => avroType.toBuffer(value) },
  container: { type: 'application/vnd.apache.avro', encode: container },
  json: { type: 'application/json', encode: (value) => Buffer.from(JSON.stringify(value)) },
  png: { type: 'image/png', encode: () => Buffer.from([1, 2, 3]) },
  broken: { type: 'application/cbor', encode: (value) => cbor.encode(value).subarray(0, -10) },
};

/** Answers in the format that a request accepts. */
const negotiated: RespondOptions = {
  schemas: { avro: { format: 'avro', schema: avroSchema }, protobuf: { format: 'protobuf', schema: protobufSchema } },
  compression: true,
  etag: 'v1',
};

/**
 * Serves a folder, payloads at `…/trips.<encoder>?rows=…&hold=…`, an echo of requests at `…/echo`, and
 * payloads of the format that the request accepts at `…/negotiated/…`.
 */
export class Site {
  /** Requested payloads. */
  readonly requests: string[] = [];
  /** Headers of payloads. */
  headers: Record<string, string> = {};
  /** Appended to the service worker's script to create a new version. */
  version = '';
  /** Continue paused payloads. */
  readonly #paused: (() => void)[] = [];
  readonly #root: string;
  readonly #server = http.createServer((request, response) => {
    this.#answer(request, response).catch(() => response.destroy());
  });
  #url = '';

  constructor(root: string) {
    this.#root = root;
  }

  /** Resumes payloads that `hold` has paused. */
  goOn(): void {
    for (const resume of this.#paused.splice(0)) resume();
  }

  get url(): string {
    return this.#url;
  }

  async start(port = 0): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(port, '127.0.0.1', resolve));
    this.#url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  async stop(): Promise<void> {
    const stopped = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await stopped;
  }

  async #answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url!, this.#url);
    response.setHeader('Content-Security-Policy', CONTENT_SECURITY_POLICY);
    if (pathname.endsWith('/echo')) {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { method, headers } = request;
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end(
        JSON.stringify({ method, type: headers['content-type'], token: headers['x-token'], body: Buffer.concat(chunks).toString('base64') }),
      );
      return;
    }
    if (pathname.includes('/negotiated/')) {
      await send(request, response, tripsOf(Number(searchParams.get('rows') ?? 100)), negotiated);
      return;
    }
    const encoder = encoders[/\/trips\.(\w+)$/.exec(pathname)?.[1] ?? ''];
    if (encoder) {
      this.requests.push(pathname + new URL(request.url!, this.#url).search);
      const bytes = await encoder.encode(tripsOf(Number(searchParams.get('rows') ?? 100)));
      const length = searchParams.has('chunked') ? {} : { 'Content-Length': bytes.length };
      response.writeHead(Number(searchParams.get('status') ?? 200), { 'Content-Type': encoder.type, ...length, ...this.headers });
      const hold = Number(searchParams.get('hold') ?? Infinity);
      for (let at = 0; at < bytes.length && !response.destroyed; at += CHUNK) {
        response.write(bytes.subarray(at, at + CHUNK));
        if (at < hold && at + CHUNK >= hold) await new Promise<void>((resolve) => this.#paused.push(resolve));
      }
      response.end();
      return;
    }
    const name = pathname === '/' ? 'index.html' : pathname.slice(1);
    const file = await readFile(join(this.#root, name)).catch(() => undefined);
    response.setHeader('Cache-Control', 'no-store');
    response.writeHead(file ? 200 : 404, { 'Content-Type': TYPES[extname(name)] ?? 'text/plain' });
    response.end(file && name === 'service-worker.js' ? Buffer.concat([file, Buffer.from(this.version)]) : file);
  }
}
