import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createDecoder, type Decoder } from '../../../../main/index.ts';
import { localWorker } from '../../../setup/stand-ins/local-workers.ts';
import { ENDS_EARLY } from '../../../setup/ways/ends-early.ts';

const ROWS = 20_000;
const text = JSON.stringify({ kind: 'trips', trips: Array.from({ length: ROWS }, (_, id) => ({ id, name: `trip ${id}`, at: id * 1000 })) });
const FIRST = 300_000;

/** Sends the first bytes of the text, and the others once `arrive` is called. */
let server: Server;
let origin = '';
let arrive = (): void => {};
let decoder: Decoder;

beforeAll(async () => {
  server = createServer((_, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.write(text.slice(0, FIRST));
    arrive = () => response.end(text.slice(FIRST));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());
beforeEach(() => (decoder = createDecoder({ createWorker: localWorker })));
afterEach(() => decoder.close());

test.each(ENDS_EARLY)('a clone can be read to its end where %s', async (_, end) => {
  const response = await decoder.fetch(origin);
  const copy = response.clone();
  await end(response, decoder);
  arrive();
  expect(await copy.text()).toBe(text);
});

test.each(ENDS_EARLY)('the response can be read to its end where a clone is read and %s', async (_, end) => {
  const response = await decoder.fetch(origin);
  await end(response.clone(), decoder);
  arrive();
  expect(await response.text()).toBe(text);
});

test('a branch of a body of own chunks keeps them where a worker decodes the other branch', async () => {
  const bytes = new TextEncoder().encode(text);
  const chunks = Array.from({ length: Math.ceil(bytes.length / 65_536) }, (_, index) => bytes.slice(index * 65_536, (index + 1) * 65_536));
  const own = [...chunks];
  const body = new ReadableStream({ pull: (to) => (own.length > 0 ? to.enqueue(own.shift()) : to.close()) });
  const response = new Response(body, { headers: { 'Content-Type': 'application/json' } });
  const copy = response.clone();
  const { trips } = await decoder.decode<{ trips: unknown[] }>(response, { route: 'worker' });
  expect(trips).toHaveLength(ROWS);
  expect(await copy.text()).toBe(text);
});
