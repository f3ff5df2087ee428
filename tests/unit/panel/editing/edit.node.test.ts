import { gunzipSync, gzipSync } from 'node:zlib';
import { BSON, ObjectId } from 'bson';
import { Encoder, Tag } from 'cbor-x';
import { Packr } from 'msgpackr';
import { describe, expect, test } from 'vitest';
import { detectFormat } from '../../../../devtools-extension/reading/detect/detect-format.ts';
import { editableBody, writeBody } from '../../../../devtools-extension/reading/edit/edit-body.ts';
import type { ReadRequest } from '../../../../devtools-extension/reading/protocol.ts';
import { unwrap } from '../../../../devtools-extension/reading/framings/unwrap.ts';
import type { FormatId } from '../../../../core/format/format-id.ts';
import { labelledPayloads } from '../detection/labelled.ts';

const packr = new Packr({ useRecords: false });
const pack = (value: unknown): Uint8Array => Uint8Array.from(packr.pack(value));
const unpack = (bytes: Uint8Array): unknown => packr.unpack(bytes);

async function requestOf(bytes: Uint8Array, contentType = '', given: Partial<ReadRequest> = {}): Promise<ReadRequest> {
  const body = await unwrap(bytes, { contentType });
  const detected = await detectFormat(body.content, contentType, true, body.wrappings, body.framing?.format);
  return { bytes, contentType, detected, ...given };
}

/** Editable text of a body. */
async function textOf(request: ReadRequest): Promise<string> {
  const editable = await editableBody(request);
  if ('reason' in editable) throw new Error(editable.reason);
  return editable.text;
}

/** Bytes after an edit. */
async function edit(request: ReadRequest, change: (text: string) => string): Promise<Uint8Array> {
  const written = await writeBody({ ...request, text: change(await textOf(request)) });
  if ('problem' in written) throw new Error(written.problem.reason);
  return written.bytes;
}

/** Problem of an edit, and the part of the text that it refers to. */
async function problemOf(request: ReadRequest, change: (text: string) => string): Promise<[reason: string, at: string]> {
  const text = change(await textOf(request));
  const written = await writeBody({ ...request, text });
  if (!('problem' in written)) throw new Error('it was written');
  const { reason, from, end } = written.problem;
  return [reason, text.slice(from, end)];
}

describe('editor', () => {
  test('writes a value in its original format, with nothing else changed', async () => {
    const value = { id: 7, name: 'Oak', list: [1, 2.5, null, true], nested: { deep: [{}] } };
    const bytes = await edit(await requestOf(pack(value)), (text) => text.replace('"Oak"', '"Elm"'));
    expect(unpack(bytes)).toEqual({ ...value, name: 'Elm' });
  });

  test('edits a Protocol Buffers message without a schema, by the numbers of its fields', async () => {
    // { 1: 150, 2: 'Oak', 3: [{ 1: 1 }, { 1: 2 }], 4: 2.5, 5: bytes, 6: double }
    const bytes = Uint8Array.from([
      0x08, 0x96, 0x01, 0x12, 3, 0x4f, 0x61, 0x6b, 0x1a, 2, 0x08, 1, 0x1a, 2, 0x08, 2, 0x25, 0, 0, 0x20, 0x40, 0x2a, 2, 0xff, 0, 0x31, 0, 0, 0, 0, 0,
      0, 0xf8, 0x3f,
    ]);
    const request = await requestOf(bytes, 'application/x-protobuf');
    expect(JSON.parse(await textOf(request))).toEqual({ 1: 150, 2: 'Oak', 3: [{ 1: 1 }, { 1: 2 }], 4: 2.5, 5: { $base64: '/wA=' }, 6: 1.5 });
    expect(await editableBody(request)).toMatchObject({ isSame: true });
    const written = await edit(request, (text) => text.replace('"Oak"', '"Birch"').replace('150', '-1'));
    expect(Array.from(written.subarray(0, 18))).toEqual([0x08, ...Array<number>(9).fill(0xff), 1, 0x12, 5, ...Buffer.from('Birch')]);
    expect(Array.from(written.subarray(18))).toEqual(Array.from(bytes.subarray(8)));
  });

  test('gives the reason why other bytes are no message to edit', async () => {
    const request = await requestOf(Uint8Array.of(0x0b, 0x08, 1, 0x0c), 'application/x-protobuf');
    expect(await editableBody(request)).toEqual({ reason: expect.stringContaining('groups') as string });
  });

  test('preserves values that JSON lacks', async () => {
    const value = {
      big: 2n ** 60n,
      raw: Uint8Array.of(0, 255),
      at: new Date('2026-01-31T12:00:00.123Z'),
      none: NaN,
      far: -Infinity,
      gone: undefined,
      some: new Set([1, 'a']),
      floats: Float32Array.of(1.5, 2),
      pattern: /a+/gi,
      $date: 'a key like a mark',
      id: 1,
    };
    const packrOfAll = new Packr({ useRecords: false, moreTypes: true });
    const bytes = await edit(await requestOf(Uint8Array.from(packrOfAll.pack(value))), (text) => text.replace('"id": 1', '"id": {"$number": "-0"}'));
    expect(packrOfAll.unpack(bytes)).toEqual({ ...value, id: -0 });
  });

  test('preserves tags of CBOR, and ids and long integers of BSON', async () => {
    const cbor = new Encoder({ useRecords: false, mapsAsObjects: true });
    const tagged = await edit(await requestOf(Uint8Array.from(cbor.encode({ a: new Tag([1, 'x'], 4711), b: 1 }))), (text) =>
      text.replace('"b": 1', '"b": 2'),
    );
    expect(cbor.decode(tagged)).toEqual({ a: new Tag([1, 'x'], 4711), b: 2 });
    const document = { _id: new ObjectId('0123456789abcdef01234567'), long: BSON.Long.fromNumber(5), note: 'a' };
    const bytes = await edit(await requestOf(BSON.serialize(document)), (text) => text.replace('"a"', '"b"'));
    expect(BSON.deserialize(bytes, { promoteLongs: false })).toEqual({ ...document, note: 'b' });
  });

  test('preserves records, whose keys are written once', async () => {
    const records = new Packr({ useRecords: true });
    const value = [
      { a: 1, b: 'x' },
      { a: 2, b: 'y' },
    ];
    const bytes = await edit(await requestOf(Uint8Array.from(records.pack(value))), (text) => text.replace('"y"', '"z"'));
    expect(records.unpack(bytes)).toEqual([value[0], { a: 2, b: 'z' }]);
    expect(bytes.length).toBe(records.pack(value).length);
  });

  test('preserves cyclic containers', async () => {
    const loops = new Packr({ structuredClone: true });
    const node: { name: string; self?: unknown } = { name: 'a' };
    node.self = node;
    const bytes = await edit(await requestOf(Uint8Array.from(loops.pack(node))), (text) => text.replace('"a"', '"b"'));
    const again = loops.unpack(bytes) as typeof node;
    expect(again.name).toBe('b');
    expect(again.self).toBe(again);
  });

  test('preserves large JSON integers', async () => {
    const request = await requestOf(new TextEncoder().encode('{"id":12345678901234567890,"n":1}'), 'application/json');
    const bytes = await edit(request, (text) => text.replace('"n": 1', '"n": 9007199254740993'));
    expect(new TextDecoder().decode(bytes)).toBe('{"id":12345678901234567890,"n":9007199254740993}');
  });

  test('preserves frames and compression', async () => {
    const proto = { format: 'protobuf' as FormatId, name: 'a', input: { proto: 'syntax = "proto3"; message A { string name = 1; }', message: 'A' } };
    const frame = Uint8Array.of(0, 0, 0, 0, 3, 0x0a, 1, 0x61);
    const framed = await requestOf(frame, 'application/grpc-web+proto', { schema: proto });
    expect([...(await edit(framed, (text) => text.replace('"a"', '"bcd"')))]).toEqual([0, 0, 0, 0, 5, 0x0a, 3, 0x62, 0x63, 0x64]);
    const two = await requestOf(Uint8Array.of(...frame, ...frame), 'application/grpc-web+proto', { schema: proto });
    expect([...(await edit(two, (text) => text.replace(/"a"(?![\s\S]*"a")/, '"ef"')))]).toEqual([...frame, 0, 0, 0, 0, 4, 0x0a, 2, 0x65, 0x66]);
    const zipped = await edit(await requestOf(gzipSync(pack({ a: 1 }))), (text) => text.replace('1', '2'));
    expect(unpack(gunzipSync(zipped))).toEqual({ a: 2 });
  });

  test('preserves a compressed frame, and the bytes of the adjacent frame', async () => {
    const proto = { format: 'protobuf' as FormatId, name: 'a', input: { proto: 'syntax = "proto3"; message A { string name = 1; }', message: 'A' } };
    const message = gzipSync(Uint8Array.of(0x0a, 1, 0x61));
    const frame = Uint8Array.of(1, 0, 0, 0, message.length, ...message);
    const request = await requestOf(Uint8Array.of(...frame, ...frame), 'application/grpc-web+proto', { schema: proto });
    const bytes = await edit(request, (text) => text.replace(/"a"(?![\s\S]*"a")/, '"ef"'));
    expect([...bytes.subarray(0, frame.length)]).toEqual([...frame]);
    const second = bytes.subarray(frame.length);
    expect(new DataView(second.buffer, second.byteOffset).getUint32(1)).toBe(second.length - 5);
    expect([second[0], ...gunzipSync(second.subarray(5))]).toEqual([1, 0x0a, 2, 0x65, 0x66]);
  });

  test('rejects a frame whose compression cannot be written', async () => {
    const frame = Uint8Array.of(1, 0, 0, 0, 4, 0x28, 0xb5, 0x2f, 0xfd);
    const request = await requestOf(frame, 'application/grpc-web+proto');
    expect(await editableBody(request)).toEqual({ reason: 'Only messages compressed with gzip can be edited.' });
  });

  test('accepts other keys, more items and fewer', async () => {
    const bytes = await edit(await requestOf(pack({ a: [1, 2, 3] })), () => '{"b": [], "c": {"$map": [1, "one"]}, "$$date": 1}');
    expect(unpack(bytes)).toEqual({ b: [], c: { 1: 'one' }, $date: 1 });
  });
});

describe('editor', () => {
  test('locates a problem in the text', async () => {
    const request = await requestOf(pack({ a: 1, b: [2, 3] }));
    expect(await problemOf(request, (text) => text.replace('2', '2 2'))).toEqual([expect.stringMatching(/expected/), '2']);
    expect(await problemOf(request, (text) => text.replace('2', '{"$date": "yesterday"}'))).toEqual([
      expect.stringContaining('ISO 8601'),
      '"yesterday"',
    ]);
    expect(await problemOf(request, (text) => text.replace('2', '{"$base64": "a"}'))).toEqual(['invalid base64', '"a"']);
    expect(await problemOf(request, (text) => text.replace('2', '{"$bigint": "1", "x": 2}'))).toEqual([
      '$bigint does not allow the key "x"',
      '{"$bigint": "1", "x": 2}',
    ]);
  });

  test('locates a value that the schema forbids in the text', async () => {
    const schema = {
      format: 'protobuf' as FormatId,
      name: 'a',
      input: { proto: 'syntax = "proto3"; message A { repeated B b = 1; message B { int32 id = 1; } }', message: 'A' },
    };
    const request = await requestOf(Uint8Array.of(0x0a, 2, 8, 1, 0x0a, 2, 8, 2), 'application/x-protobuf', { schema });
    expect(await problemOf(request, (text) => text.replace('"id": 2', '"id": "ö, no number"'))).toEqual([
      expect.stringContaining('int32'),
      '"ö, no number"',
    ]);
    const written = await writeBody({ ...request, text: '{"b": [{"id": 5, "idd": 6}]}' });
    expect(written).toMatchObject({ lost: ['$.b[0].idd is omitted'] });
  });

  test('reports values that JSON lacks', async () => {
    const request = await requestOf(new TextEncoder().encode('{"a":1}'), 'application/json');
    expect(await problemOf(request, () => '{"a": {"$date": "2026-01-31T00:00:00Z"}}')).toEqual([
      'JSON has no date',
      '{"$date": "2026-01-31T00:00:00Z"}',
    ]);
  });

  test('reports shared or mutually nested values that make the text too large', async () => {
    let doubled: unknown = ['x'];
    for (let level = 0; level < 40; level += 1) doubled = [doubled, doubled];
    const mutual: unknown[][] = Array.from({ length: 16 }, () => []);
    for (const list of mutual) list.push(...mutual);
    const long = { text: 'x'.repeat(2_000) };
    const encoder = new Encoder({ structuredClone: true, useRecords: false });
    for (const value of [doubled, mutual[0]]) {
      const request = await requestOf(Uint8Array.from(encoder.encode(value)), 'application/cbor');
      expect(await editableBody(request)).toEqual({ reason: expect.stringContaining('expansion limit exceeded') });
    }
    const modest = Array.from({ length: 100 }, () => long);
    expect(await textOf(await requestOf(Uint8Array.from(encoder.encode(modest)), 'application/cbor'))).toContain(long.text);
  });

  test('reports a value that cannot be edited at all', async () => {
    expect(await editableBody(await requestOf(Uint8Array.of(0x02, 0x61), 'avro/binary', { format: 'avro' }))).toEqual({
      reason: expect.stringContaining('drop its .avsc'),
    });
    expect(await editableBody(await requestOf(new TextEncoder().encode('a=1&b=2'), 'application/x-www-form-urlencoded'))).toHaveProperty('reason');
  });
});

test('every labelled payload survives a round trip', async () => {
  const formats = new Set<string>(['json', 'messagepack', 'cbor', 'bson', 'sia']);
  const payloads = (await labelledPayloads()).filter(
    ({ label, wrapped, bytes }) => formats.has(label) && wrapped !== 'zstd' && bytes.length < 200_000,
  );
  expect(payloads.length).toBeGreaterThan(80);
  for (const { name, label, type, bytes } of payloads) {
    const request = await requestOf(bytes, type, { format: label as FormatId });
    const editable = await editableBody(request);
    if ('reason' in editable) throw new Error(`${name}: ${editable.reason}`);
    expect(await writeBody({ ...request, text: editable.text }), name).toMatchObject({ lost: [] });
  }
});
