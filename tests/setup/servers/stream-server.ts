import events from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Connect, Plugin } from 'vite';
import { Packr } from 'msgpackr';
import { STREAM, STREAM_CYCLE, type StreamEncoding, type StreamRow, type StreamState, streamRow } from './stream-rows.ts';

/** Query parameters of the stream server. */
interface Request {
  /** Identifies the response for `state=<id>`. */
  id: string;
  encoding: StreamEncoding;
  rows: number;
  /** Mbit/s; 0 for no limit. */
  rate: number;
  /** Bytes of each write. */
  chunk: number;
  /** Bytes after which the response stalls, and after which the connection is reset; 0 for never. */
  stall: number;
  reset: number;
  /** Bytes after which the response waits for `go=<id>`; 0 for never. */
  hold: number;
  /** Announced Content-Length; 0 for none. With `hold`, the connection ends when the response resumes. */
  length: number;
  status: number;
  type: string | undefined;
}

/** Size of blocks, which are then cut into chunks. */
const BLOCK_BYTES = 256 * 1024;
/** Delay before a reset, which discards bytes in transit. */
const ARRIVAL_MS = 150;

const TYPES: Record<StreamEncoding, string> = {
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  messagepack: 'application/vnd.msgpack',
};

const states = new Map<string, StreamState>();
/** Resume functions of paused responses. */
const held = new Map<string, () => void>();

/**
 * Serves payloads of `streamRow`s, as `{"trips": […]}` or a sequence, of any size, at any rate and in chunks of any size, that
 * may stall, break off, or announce a wrong Content-Length.
 */
export function serveStreams(): Plugin {
  return {
    name: 'serve-streams',
    configureServer(server) {
      server.middlewares.use(STREAM, (message, response) => {
        const query = new URL(message.url ?? '/', 'http://localhost').searchParams;
        if (query.has('state')) {
          response.setHeader('Content-Type', 'application/json');
          response.end(JSON.stringify(states.get(query.get('state')!) ?? null));
        } else if (query.has('go')) {
          held.get(query.get('go')!)?.();
          response.end();
        } else if (query.has('echo')) void echo(message, response);
        else if (query.has('redirect')) response.writeHead(302, { Location: query.get('redirect')! }).end();
        else void send(requestOf(query), message, response).catch(() => response.destroy());
      });
    },
  };
}

function requestOf(query: URLSearchParams): Request {
  const number = (name: string, otherwise: number): number => Number(query.get(name) ?? otherwise);
  return {
    id: query.get('id') ?? '',
    encoding: (query.get('encoding') ?? 'json') as StreamEncoding,
    rows: number('rows', 1000),
    rate: number('rate', 0),
    chunk: number('chunk', 64 * 1024),
    stall: number('stall', 0),
    reset: number('reset', 0),
    hold: number('hold', 0),
    length: number('length', 0),
    status: number('status', 200),
    type: query.get('type') ?? undefined,
  };
}

/** Answers with the request itself. */
async function echo(message: Connect.IncomingMessage, response: ServerResponse): Promise<void> {
  const body = Buffer.concat(await message.toArray()).toString();
  response.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store', 'X-Answer': 'echo' });
  response.end(JSON.stringify({ method: message.method, url: message.originalUrl, headers: message.headers, body }));
}

async function send(request: Request, { socket }: Connect.IncomingMessage, response: ServerResponse): Promise<void> {
  const state: StreamState = { written: 0, closed: false, ended: false };
  states.set(request.id, state);
  response.once('close', () => (state.closed = true));
  let hold = request.hold;
  const may = hold > 0 ? goesOn(request.id, socket) : undefined;
  response.writeHead(request.status, {
    'Content-Type': request.type ?? TYPES[request.encoding],
    'Cache-Control': 'no-store',
    ...(request.length > 0 && { 'Content-Length': request.length }),
  });
  const started = performance.now();
  for (const block of blocks(request)) {
    for (let at = 0; at < block.length; at += request.chunk) {
      const piece = block.subarray(at, at + request.chunk);
      if (hold > 0 && state.written >= hold) {
        hold = 0;
        await may;
      }
      if (request.stall > 0 && state.written >= request.stall) {
        await new Promise((resolve) => response.once('close', resolve));
        return;
      }
      if (request.reset > 0 && state.written >= request.reset) {
        if (request.hold === 0) await wait(ARRIVAL_MS);
        socket.resetAndDestroy();
        return;
      }
      if (state.closed) return;
      const free = response.write(piece);
      state.written += piece.length;
      if (!free) await drained(response);
      const ahead = request.rate > 0 ? started + (state.written * 8) / request.rate / 1000 - performance.now() : 0;
      if (ahead > 1) await wait(ahead);
    }
  }
  state.ended = true;
  response.end();
  // Ends the connection, as the client would wait for more bytes.
  if (request.length > 0) void (may ?? wait(ARRIVAL_MS)).then(() => socket.end());
}

/** Resolves when a response may resume or its connection closes. */
function goesOn(id: string, socket: Connect.IncomingMessage['socket']): Promise<void> {
  return new Promise((resolve) => {
    held.set(id, resolve);
    socket.once('close', () => resolve());
  });
}

/** Resolves when the response accepts more bytes or closes. */
async function drained(response: ServerResponse): Promise<void> {
  const over = new AbortController();
  const once = { signal: over.signal };
  await Promise.race([events.once(response, 'drain', once), events.once(response, 'close', once)]).catch(() => {});
  over.abort();
}

/** The payload, in blocks of about BLOCK_BYTES. */
function* blocks({ encoding, rows }: Request): Generator<Buffer> {
  let pieces: Buffer[] = [];
  let length = 0;
  for (const piece of encoding === 'messagepack' ? messagePack(rows) : json(rows, encoding === 'ndjson')) {
    pieces.push(piece);
    length += piece.length;
    if (length < BLOCK_BYTES) continue;
    yield Buffer.concat(pieces);
    pieces = [];
    length = 0;
  }
  yield Buffer.concat(pieces);
}

function* json(rows: number, lines: boolean): Generator<Buffer> {
  if (!lines) yield Buffer.from('{"kind":"trips","trips":[');
  for (let index = 0; index < rows; index += 1) {
    const row = encoded(lines ? 'ndjson' : 'json', index);
    yield !lines && index === 0 ? row.subarray(1) : row;
  }
  if (!lines) yield Buffer.from(`],"count":${rows}}`);
}

function* messagePack(rows: number): Generator<Buffer> {
  const header = Buffer.from([0xdd, 0, 0, 0, 0]);
  header.writeUInt32BE(rows, 1);
  yield Buffer.concat([Buffer.from([0x83]), ...['kind', 'trips', 'trips'].map((text) => packr.pack(text)), header]);
  for (let index = 0; index < rows; index += 1) yield encoded('messagepack', index);
  yield Buffer.concat([packr.pack('count'), packr.pack(rows)]);
}

/** Encoded records, cached by encoding. */
const known: Record<StreamEncoding, Buffer[]> = { json: [], ndjson: [], messagepack: [] };
const packr = new Packr({ useRecords: false });

/** A record, in JSON with the comma before it. */
function encoded(encoding: StreamEncoding, index: number): Buffer {
  return (known[encoding][index % STREAM_CYCLE] ??= encode(encoding, streamRow(index)));
}

function encode(encoding: StreamEncoding, row: StreamRow): Buffer {
  if (encoding === 'messagepack') return Buffer.from(packr.pack(row));
  return Buffer.from(encoding === 'json' ? `,${JSON.stringify(row)}` : `${JSON.stringify(row)}\n`);
}
