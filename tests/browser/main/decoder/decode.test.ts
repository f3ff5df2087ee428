import { describe, expect, test } from 'vitest';
import type { DecodeReport } from '../../../../main/index.ts';
import { makeRows, openDecoder, pack, type Row } from './support.ts';

const rows = makeRows(5_000);
const packed = pack(rows);
const small = makeRows(3);

describe('the route', () => {
  test('decodes in a worker on request', async () => {
    const decoder = openDecoder();
    const reports: DecodeReport[] = [];
    decoder.addEventListener('decode', ({ detail }) => reports.push(detail));
    expect(await decoder.decode(packed, { format: 'messagepack', route: 'worker' })).toEqual(rows);
    expect(reports).toMatchObject([{ route: 'worker', format: 'messagepack', rows: 5_000, bytes: packed.length }]);
    expect(decoder.stats()).toMatchObject({ workers: 1, running: 0, queued: 0, pending: 0, succeeded: 1, failed: 0 });
  });

  test('decodes a small payload on the page without starting a worker', async () => {
    const decoder = openDecoder();
    expect(await decoder.decode(pack(small))).toEqual(small);
    expect(await decoder.decode(pack(small))).toEqual(small);
    expect(decoder.stats()).toMatchObject({ workers: 0, succeeded: 2 });
  });

  test('follows the choice of the caller', async () => {
    const decoder = openDecoder();
    expect(await decoder.decode(pack(small), { route: 'worker' })).toEqual(small);
    expect(decoder.stats().workers).toBe(1);
    expect(await decoder.decode(packed, { route: 'page' })).toEqual(rows);
  });

  test.each(['page', 'worker', 'auto'] as const)('accepts empty input only in formats with empty messages (%s)', async (route) => {
    const proto = 'syntax = "proto3"; message Point { double x = 1; repeated string names = 2; }';
    const decoder = openDecoder({ schemas: { point: { format: 'protobuf', schema: { proto, message: 'Point' } } } });
    const point = { x: 0, names: [] };
    expect(await decoder.decode(new Uint8Array(), { route, schema: 'point' })).toEqual(point);
    expect(await decoder.decode(new Uint8Array(), { route, schema: 'point', as: 'rows' })).toMatchObject({ x: 0, names: { length: 0 } });
    const none = decoder.decode(new Uint8Array(), { route, format: 'messagepack' });
    await expect(none).rejects.toMatchObject({ name: 'DecodeError', code: 'empty', format: 'messagepack' });
  });

  test.each(['page', 'worker'] as const)('decodes a format with an optional schema without one (%s)', async (route) => {
    const decoder = openDecoder();
    const bytes = Uint8Array.of(8, 5);
    const found = [{ field: 1, wire: 'varint', guess: 'uint64', value: 5 }];
    expect(await decoder.decode(bytes, { route, format: 'protobuf', options: { schemaless: true } })).toEqual(found);
    const without = decoder.decode(bytes, { route, format: 'protobuf' });
    await expect(without).rejects.toMatchObject({ name: 'SchemaError', format: 'protobuf', reason: 'a schema is required: set the option schema' });
  });

  test.each(['page', 'worker'] as const)('returns rows and columns (%s)', async (route) => {
    const decoder = openDecoder();
    const bytes = pack({ page: 1, items: rows });
    const result = await decoder.decode<{ page: number; items: Row[] }>(bytes, { route, as: 'rows' });
    expect(result.page).toBe(1);
    expect(result.items.length).toBe(5_000);
    expect(result.items.at(-1)).toEqual(rows.at(-1));
    const columns = await decoder.decode<{ items: Row[] }>(bytes, { route, as: 'columns' });
    expect(columns.items.id).toBeInstanceOf(Int32Array);
    expect(columns.items.name?.[17]).toBe('row 17');
  });

  test.each(['page', 'worker'] as const)('rejects columns of records that have few keys in common (%s)', async (route) => {
    const bytes = pack(Array.from({ length: 5_000 }, (_, at) => ({ [`key${at}`]: at })));
    const decoding = openDecoder().decode(bytes, { route, as: 'columns' });
    await expect(decoding).rejects.toMatchObject({ name: 'LimitError', limit: 'expansion' });
  });
});

describe('a source', () => {
  test.each(['page', 'worker'] as const)('accepts buffers, views, blobs, responses and streams (%s)', async (route) => {
    const decoder = openDecoder();
    const bytes = pack(small);
    const padded = new Uint8Array(bytes.length + 20);
    padded.set(bytes, 9);
    const sources = {
      buffer: bytes.buffer,
      view: bytes,
      part: padded.subarray(9, 9 + bytes.length),
      dataView: new DataView(padded.buffer, 9, bytes.length),
      blob: new Blob([bytes]),
      response: new Response(bytes),
      stream: new Blob([bytes]).stream(),
    };
    for (const [name, source] of Object.entries(sources)) {
      expect(await decoder.decode(source, { route }), name).toEqual(small);
    }
  });

  test('rejects anything else with a TypeError', async () => {
    const decoder = openDecoder();
    for (const source of ['text', 17, null, undefined, {}]) {
      await expect(decoder.decode(source as never)).rejects.toThrow(TypeError);
    }
  });

  test.each([false, true])('accepts memory of WebAssembly, which cannot be transferred (shared: %s)', async (shared) => {
    const decoder = openDecoder();
    const pages = Math.ceil(packed.length / 65_536);
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared });
    const bytes = new Uint8Array(memory.buffer, 0, packed.length);
    bytes.set(packed);
    for (const transfer of [false, true]) expect(await decoder.decode(bytes, { transfer })).toEqual(rows);
    expect(await decoder.decode(bytes, { route: 'page' })).toEqual(rows);
    expect(bytes.length).toBe(packed.length);
  });
});

describe("the caller's buffer", () => {
  test('stays unchanged', async () => {
    const decoder = openDecoder();
    const bytes = packed.slice();
    await decoder.decode(bytes, { route: 'worker' });
    await decoder.decode(bytes, { route: 'page' });
    expect(bytes.length).toBe(packed.length);
    expect(bytes.every((byte, at) => byte === packed[at])).toBe(true);
  });

  test('detaches with `transfer`', async () => {
    const decoder = openDecoder();
    const bytes = packed.slice();
    expect(await decoder.decode(bytes.subarray(0), { route: 'worker', transfer: true })).toEqual(rows);
    expect(bytes.byteLength).toBe(0);
  });

  test('allows other tasks while a large one is copied', async () => {
    const decoder = openDecoder();
    const many = makeRows(250_000);
    const bytes = pack(many);
    expect(bytes.length).toBeGreaterThan(10_000_000);
    const result = await decoder.decode<Row[]>(bytes, { as: 'rows' });
    expect(result.length).toBe(250_000);
    expect(result.at(249_999)).toEqual(many[249_999]);
    expect(bytes.length).toBeGreaterThan(10_000_000);
  });

  test('rejects the call if it is detached during the copy', async () => {
    const decoder = openDecoder();
    const bytes = new Uint8Array(20_000_000);
    const decoding = decoder.decode(bytes, { format: 'messagepack' });
    structuredClone(bytes, { transfer: [bytes.buffer] });
    await expect(decoding).rejects.toMatchObject({ name: 'DecodeError', code: 'detached' });
    expect(await decoder.decode(packed)).toEqual(rows);
  });
});

test('the format follows from the first bytes, the media type, or the caller', async () => {
  const decoder = openDecoder();
  const text = '{"a":[1,2]}';
  expect(await decoder.decode(new TextEncoder().encode(text))).toEqual({ a: [1, 2] });
  const typed = new Response('1', { headers: { 'Content-Type': 'application/vnd.api+json; charset=utf-8' } });
  expect(await decoder.decode(typed)).toBe(1);
  expect(await decoder.decode(new Blob([new Uint8Array([7])], { type: 'application/vnd.msgpack' }))).toBe(7);
  expect(await decoder.decode(new Uint8Array([0x31]), { format: 'messagepack' })).toBe(0x31);
  const lines = new Response('{"a":1}\n{"a":2}\n', { headers: { 'Content-Type': 'application/x-ndjson' } });
  expect(await decoder.decode(lines)).toEqual([{ a: 1 }, { a: 2 }]);
});

test("the options of a call override the decoder's for the same format", async () => {
  const decoder = openDecoder({ formatOptions: { messagepack: { maps: 'map' } } });
  const bytes = pack({ a: 1 });
  for (const route of ['page', 'worker'] as const) {
    expect(await decoder.decode(bytes, { route })).toEqual(new Map([['a', 1]]));
    expect(await decoder.decode(bytes, { route, format: 'messagepack', options: { maps: 'object' } })).toEqual({ a: 1 });
  }
});

test('values of the application are created on this thread', async () => {
  const revive = (tag: string, inner: unknown): unknown => (tag === 'messagepack:ext' ? `ext ${(inner as [number])[0]}` : undefined);
  const decoder = openDecoder({ reviveTag: revive });
  const bytes = new Uint8Array([0x92, 0xd4, 0x2a, 0x01, 0x02]);
  for (const route of ['page', 'worker'] as const) expect(await decoder.decode(bytes, { route })).toEqual(['ext 42', 2]);
});
