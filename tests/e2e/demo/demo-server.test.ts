import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { unpack } from 'msgpackr';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { CALLS, recordedAnswer } from '../../../demo/server/data/answer.mjs';
import { itinerary } from '../../../demo/server/data/itinerary.mjs';
import { ticks as expected } from '../../../demo/server/data/ticks.mjs';
import { type AnswerParts, createDecoder } from '../../../main/index.ts';
import { trips } from '../../../demo/server/data/trips.mjs';
import { CONTENT_SECURITY_POLICY, createServer } from '../../../demo/server/index.mjs';

const SCRIPT = fileURLToPath(new URL('../../../demo/server/index.mjs', import.meta.url));

let directory: string;
let server: ReturnType<typeof createServer>;
let origin: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'demo-'));
  const root = join(directory, 'site');
  await mkdir(join(root, 'assets'), { recursive: true });
  await mkdir(join(root, 'empty'));
  await writeFile(join(root, 'index.html'), '<!doctype html><title>Demo</title>');
  await writeFile(join(root, 'assets/app 1.js'), 'export {};');
  await writeFile(join(root, 'assets/module.wasm'), 'x');
  await writeFile(join(directory, 'secret.txt'), 'secret');
  await symlink(join(directory, 'secret.txt'), join(root, 'link.txt'));
  server = createServer({ root, payloads: join(directory, 'payloads'), headers: { 'X-Extra': 'yes' } });
  origin = await server.listen({ port: 0 });
});

afterAll(async () => {
  await server.close();
  await rm(directory, { recursive: true });
});

/** Sends a request without normalizing its path. */
const raw = (path: string, method = 'GET') =>
  new Promise<{ status: number; body: string }>((resolve, reject) => {
    const { hostname, port } = new URL(origin);
    http
      .request({ hostname, port, path, method }, (response) => {
        let body = '';
        response.on('data', (chunk) => (body += chunk)).on('end', () => resolve({ status: response.statusCode ?? 0, body }));
      })
      .on('error', reject)
      .end();
  });

const payload = (query: string, init?: RequestInit) => fetch(`${origin}payload?${query}`, init);

describe('the server', () => {
  it('sends files with their types and a strict policy', async () => {
    const page = await fetch(origin);
    expect(await page.text()).toContain('<title>Demo</title>');
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toBe(CONTENT_SECURITY_POLICY);
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
    expect(page.headers.get('x-extra')).toBe('yes');
    expect((await fetch(`${origin}assets/app%201.js?v=2`)).headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect((await fetch(`${origin}assets/module.wasm`)).headers.get('content-type')).toBe('application/wasm');
  });

  it.each(['streaming', 'refetching', 'live', 'service-worker', 'panel'])('sends the shared document for /%s', async (page) => {
    const response = await fetch(origin + page);
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('<title>Demo</title>');
  });

  it('answers HEAD without a body', async () => {
    const head = await fetch(origin, { method: 'HEAD' });
    expect(head.headers.get('content-length')).toBe('34');
    expect(await head.text()).toBe('');
  });

  it.each([
    '/missing.js',
    '/empty',
    '/index.html/more',
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/link.txt',
    '/assets/..%5c..%5csecret.txt',
    '/%00',
    '/%ff',
    '//secret.txt',
  ])('responds with 404 outside of the folder and for missing files: %s', async (path) => {
    const { status, body } = await raw(path);
    expect(status).toBe(404);
    expect(body).toMatch(/^There is no /);
  });

  it('responds with 404 for impossible names', async () => {
    expect((await raw(`/${'a'.repeat(300)}`)).status).toBe(404);
  });

  it('rejects other methods', async () => {
    const response = await fetch(origin, { method: 'POST', body: 'x' });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('GET, HEAD');
  });
});

describe('a payload', () => {
  it.each([
    ['json', 'application/json', (bytes: Buffer) => JSON.parse(bytes.toString())],
    ['messagepack', 'application/vnd.msgpack', (bytes: Buffer) => unpack(bytes)],
    ['messagepack-records', 'application/vnd.msgpack', (bytes: Buffer) => unpack(bytes)],
    ['messagepack-records-bundled', 'application/vnd.msgpack', (bytes: Buffer) => unpack(bytes)],
  ])('arrives complete as %s', async (format, mediaType, read) => {
    const response = await payload(`dataset=trips&rows=300&format=${format}`);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe(mediaType);
    expect(response.headers.get('content-length')).toBe(String(bytes.length));
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('server-timing')).toMatch(/^generate;dur=/);
    expect(read(bytes)).toEqual(trips(300));
    expect((await payload(`rows=300&format=${format}`, { method: 'HEAD' })).headers.get('server-timing')).toBeNull();
  });

  it('allows any name in its path', async () => {
    const query = 'format=cbor&rows=3';
    const named = await fetch(`${origin}payload/any-name?${query}`);
    expect(named.headers.get('content-type')).toBe('application/cbor');
    expect(await named.bytes()).toEqual(await (await payload(query)).bytes());
    expect((await fetch(`${origin}payload/any/name?${query}`)).status).toBe(404);
  });

  it('reports its size on HEAD before its first request', async () => {
    const head = await payload('rows=123&format=json', { method: 'HEAD' });
    expect(Number(head.headers.get('content-length'))).toBe(Buffer.byteLength(JSON.stringify(trips(123))));
  });

  it.each([
    ['rows=many', 'rows must be a whole number from 0 to 2,000,000, not "many".'],
    ['format=yaml', 'No format is named "yaml".'],
    ['dataset=__proto__', 'No dataset is named "__proto__".'],
    ['rows=1&rows=2', 'rows is given more than once.'],
    ['row=1', 'Unknown parameter row. Use one of dataset, rows,'],
    ['throttle=-1', 'throttle must be a number of Mbit/s up to 100,000, or 0 for none, not "-1".'],
    ['latency=forever', 'latency must be a whole number from 0 to 60,000, not "forever".'],
    ['damage=fire', 'damage must be one of none, cut, byte, reset, not "fire".'],
  ])('with ?%s is rejected with a reason', async (query, reason) => {
    const response = await payload(query);
    expect(response.status).toBe(400);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await response.text()).toContain(reason);
  });

  it('breaks after three fifths on request, also when throttled', async () => {
    const whole = Buffer.from(JSON.stringify(trips(2000)));
    const at = Math.floor(whole.length * 0.6);
    for (const line of ['', '&throttle=1000']) {
      const cut = await payload(`rows=2000&format=json&damage=cut${line}`);
      expect(Number(cut.headers.get('content-length'))).toBe(at);
      expect(Buffer.from(await cut.arrayBuffer()).equals(whole.subarray(0, at))).toBe(true);
      const bytes = Buffer.from(await (await payload(`rows=2000&format=json&damage=byte${line}`)).arrayBuffer());
      const wrong = [...bytes.keys()].filter((index) => bytes[index] !== whole[index]);
      expect(wrong).toHaveLength(1);
      expect(wrong[0]).toBeGreaterThanOrEqual(at);
      expect(bytes[wrong[0]!]).toBe(0xc1);
      const reset = await payload(`rows=2000&format=json&damage=reset${line}`);
      await expect(reset.arrayBuffer()).rejects.toThrow();
    }
  });

  it('allows caching under /api/trips', async () => {
    const response = await fetch(`${origin}api/trips?rows=2000&format=json`);
    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(await response.json()).toEqual(trips(2000));
    expect((await payload('rows=2000&format=json', { method: 'HEAD' })).headers.get('cache-control')).toBe('no-store');
  });

  it('of orders changes with its version as requested', async () => {
    const ordersOf = async (query: string): Promise<{ id: number }[]> =>
      ((await (await fetch(`${origin}api/orders?rows=1000&${query}`)).json()) as { orders: { id: number }[] }).orders;
    const before = await ordersOf('version=4&changed=10&added=2');
    const after = await ordersOf('version=5&changed=10&added=2');
    expect(after.map(({ id }) => id).slice(2)).toEqual(before.map(({ id }) => id).slice(0, -2));
    const changed = after.slice(2).filter((order, index) => JSON.stringify(order) !== JSON.stringify(before[index])).length;
    expect(changed).toBeGreaterThan(50);
    expect(changed).toBeLessThan(150);
    expect(await ordersOf('version=4&changed=10&added=2')).toEqual(before);
    const refused = await fetch(`${origin}api/orders?rows=0`);
    expect([refused.status, await refused.text()]).toEqual([400, 'rows must be a whole number from 1 to 200,000, not "0".\n']);
  });

  it('arrives late and slowly on request', async () => {
    await payload('rows=1000&format=json', { method: 'HEAD' });
    const started = performance.now();
    const response = await payload('rows=1000&format=json&latency=200&throttle=8');
    expect(performance.now() - started).toBeGreaterThan(195);
    const { byteLength } = await response.arrayBuffer();
    // At most a megabyte a second, after a fifth of one.
    expect(performance.now() - started).toBeGreaterThan(195 + byteLength / 1_100);
  });

  it('leaves the server responsive during its generation, which happens once', async () => {
    const large = Promise.all([1, 2, 3].map(() => payload('rows=60000&format=messagepack-records', { method: 'HEAD' })));
    const first = await Promise.race([large.then(() => 'the payload'), fetch(origin).then((response) => response.text())]);
    expect(first).toContain('<title>');
    const timings = (await large).map((response) => response.headers.get('server-timing'));
    expect(new Set(timings).size).toBe(1);
    expect(Number(timings[0]?.split('dur=')[1])).toBeGreaterThan(0);
  });

  it('stops silently when the client disconnects', async () => {
    const reported = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    await payload('rows=20000&format=json', { method: 'HEAD' });
    const begun: string[] = [];
    const cut: string[] = [];
    const watch = (request: http.IncomingMessage, response: http.ServerResponse) => {
      begun.push(request.url ?? '');
      response.once('close', () => response.writableFinished || cut.push(request.url ?? ''));
    };
    server.http.on('request', watch);
    const early = new AbortController();
    const waiting = payload('rows=20000&latency=60000', { signal: early.signal }).catch((error: Error) => error.name);
    const late = new AbortController();
    const slow = await payload('rows=20000&throttle=1', { signal: late.signal });
    const reading = slow.arrayBuffer().catch((error: Error) => error.name);
    await expect.poll(() => begun).toHaveLength(2);
    early.abort();
    late.abort();
    expect(await Promise.all([waiting, reading])).toEqual(['AbortError', 'AbortError']);
    await expect.poll(() => cut).toHaveLength(2);
    server.http.off('request', watch);
    expect((await fetch(origin)).status).toBe(200);
    expect(reported).not.toHaveBeenCalled();
    reported.mockRestore();
  });
});

describe('what never ends', () => {
  it('sends the pieces of an itinerary as server-sent events', async () => {
    const decoder = createDecoder();
    let text = '';
    for await (const { data } of decoder.events<{ delta: string }>(await fetch(`${origin}itinerary?days=2&rate=100000`), { end: '[DONE]' })) {
      expect(data.delta.length).toBeLessThanOrEqual(16);
      text += data.delta;
    }
    expect(JSON.parse(text)).toEqual(itinerary(2));
    expect((await fetch(`${origin}itinerary?days=0`)).status).toBe(400);
  });

  it('sends a recorded answer whose two calls interleave, piece by piece', async () => {
    const decoder = createDecoder();
    const recorded = recordedAnswer();
    const sent: string[] = [];
    const calls: number[] = [];
    for await (const { data } of decoder.events(await fetch(`${origin}answer?speed=100`), { end: '[DONE]', data: 'text' })) {
      sent.push(data);
      const { choices } = JSON.parse(data) as { choices: { delta: { tool_calls?: { index: number }[] } }[] };
      const index = choices[0]?.delta.tool_calls?.[0]!.index;
      if (index !== undefined && index !== calls.at(-1)) calls.push(index);
    }
    expect(sent).toEqual(recorded.map(({ data }) => data));
    expect(calls.length).toBeGreaterThan(10);
    const times = recorded.map(({ at }) => at);
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    let last: AnswerParts | undefined;
    for await (const answer of decoder.partial(await fetch(`${origin}answer?speed=100`), { delta: 'openai', parts: true })) last = answer;
    expect(last!.calls).toEqual(CALLS.map((call) => ({ ...call, complete: true })));
    expect((await fetch(`${origin}answer?speed=0`)).status).toBe(400);
  });

  it('sends ticks over a socket, and refuses other sockets', async () => {
    const socket = new WebSocket(`${origin.replace('http', 'ws')}ticks?rate=10000`);
    const ticks: unknown[] = [];
    for await (const tick of createDecoder().messages(socket, { format: 'messagepack' })) if (ticks.push(tick) === 50) break;
    socket.terminate();
    const source = expected(1);
    expect(ticks).toEqual(Array.from({ length: 50 }, () => source.next().value));
    for (const path of ['ticks?rate=0', 'ticks?rate=x', 'other']) {
      const refused = new WebSocket(`${origin.replace('http', 'ws')}${path}`);
      await expect(once(refused, 'open')).rejects.toThrow('400');
    }
  });
});

describe('the port', () => {
  it('falls back to the next free one if it is in use', async () => {
    const taken = Number(new URL(origin).port);
    const other = createServer({ root: directory });
    const port = Number(new URL(await other.listen({ port: taken })).port);
    expect(port).toBeGreaterThan(taken);
    await other.close();
  });
});

describe('command', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)('prints one line with the URL and ends cleanly on %s', async (signal) => {
    const child = spawn(process.execPath, [SCRIPT, '--port', '0'], { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stderr.on('data', (chunk) => (output += chunk));
    await new Promise((resolve) => child.stdout.on('data', (chunk) => resolve((output += chunk))));
    const [, url = ''] = /^Unspool demo: (http:\/\/127\.0\.0\.1:\d+\/)\n$/.exec(output) ?? [];
    expect((await fetch(`${url}payload?rows=x`)).status).toBe(400);
    const ended = new Promise((resolve) => child.once('exit', (code) => resolve(code)));
    child.kill(signal);
    expect(await ended).toBe(0);
    expect(output.split('\n')).toHaveLength(2);
  });

  it.each(['--port=http', '--port=70000', '--colour'])('refuses %s with a usage line', async (option) => {
    const run = promisify(execFile)(process.execPath, [SCRIPT, option]);
    await expect(run).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('Usage: node demo/server/index.mjs') });
  });
});
