import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createEncoder } from '../../../main/encode.ts';
import { createDecoder } from '../../../main/index.ts';
import { createRegistry } from '../../../main/registry.ts';
import { serveRegistry } from '../../setup/servers/schema-registry.node.ts';

const address = { type: 'record', name: 'Address', namespace: 'shop', fields: [{ name: 'city', type: 'string' }] };
const order = { type: 'record', name: 'Order', namespace: 'shop', fields: [{ name: 'to', type: 'Address' }] };
const latest = { ...order, fields: [...order.fields, { name: 'note', type: 'string', default: 'none' }] };
const proto = `
  syntax = "proto3";
  package shop;
  import "units/money.proto";
  message Ignored {}
  message Basket {
    map<string, int32> counts = 1;
    message Ignored {}
    message Item { string name = 1; units.Money price = 2; }
  }
`;
const money = 'syntax = "proto3"; package units; import "units/currency.proto"; message Money { int32 cents = 1; Currency in = 2; }';
const currency = 'syntax = "proto3"; package units; enum Currency { EUR = 0; UAH = 1; }';
const GUID = '89791762-2336-4186-9674-299b90a802e2';

const decoder = createDecoder();
const encoder = createEncoder();
let server: Awaited<ReturnType<typeof serveRegistry>>;

beforeAll(async () => {
  server = await serveRegistry([
    { id: 1, subject: 'addresses', version: 4, schema: JSON.stringify(address) },
    {
      id: 300,
      subject: 'orders',
      version: 1,
      guid: GUID,
      schema: JSON.stringify(order),
      references: [{ name: 'shop.Address', subject: 'addresses', version: 4 }],
    },
    { id: 3, subject: 'units/currency', version: 1, schemaType: 'PROTOBUF', schema: currency },
    {
      id: 4,
      subject: 'units/money',
      version: 2,
      schemaType: 'PROTOBUF',
      schema: money,
      references: [{ name: 'units/currency.proto', subject: 'units/currency', version: 1 }],
    },
    {
      id: 5,
      subject: 'baskets',
      version: 1,
      schemaType: 'PROTOBUF',
      schema: proto,
      references: [{ name: 'units/money.proto', subject: 'units/money', version: 2 }],
    },
    { id: 6, subject: 'events', version: 1, schemaType: 'JSON', schema: '{"type":"object"}' },
    { id: 7, subject: 'texts', version: 1, schema: '"string"' },
    { id: 8, subject: 'odd', version: 1, schemaType: 'PROTOBUF', schema: 'syntax = "proto3"; enum E { A = 0; }' },
    { id: 9, subject: 'broken', version: 1, schema: '{' },
  ]);
});
afterAll(() => {
  server.close();
  decoder.close();
});
beforeEach(() => {
  server.requests.length = 0;
});

/** A frame: a zero byte and the number, in 4 or 8 bytes. */
function framed(id: number, payload: Iterable<number>, idBytes = 4): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array([...new Uint8Array(1 + idBytes), ...payload]);
  new DataView(bytes.buffer).setUint32(idBytes - 3, id);
  return bytes;
}

const orderBytes = [4, ...new TextEncoder().encode('Ky')];
const guidBytes = Buffer.from(GUID.replaceAll('-', ''), 'hex');

test('decodes Avro by the number in its frame, and asks for each schema once', async () => {
  const registry = createRegistry({ url: `${server.url}/` });
  const message = framed(300, orderBytes);
  const all = await Promise.all([1, 2, 3].map(() => registry.decode(decoder, message)));
  expect(all).toEqual([1, 2, 3].map(() => ({ to: { city: 'Ky' } })));
  expect(await registry.decode(decoder, new Blob([message]))).toEqual({ to: { city: 'Ky' } });
  expect(await registry.decode(decoder, new Response(message))).toEqual({ to: { city: 'Ky' } });
  expect(await registry.decode(decoder, message.buffer)).toEqual({ to: { city: 'Ky' } });
  expect(server.requests).toEqual(['/schemas/ids/300', '/subjects/addresses/versions/4?deleted=true']);
  const [one, other] = [await registry.open(message), await registry.open(framed(300, []))];
  expect(one.schema).toBe(other.schema);
  expect(await registry.decode(decoder, framed(7, orderBytes))).toBe('Ky');
});

test('reads Avro as the schema of the reader', async () => {
  const reader = { schema: latest, references: [address] };
  const registry = createRegistry({ url: server.url, readers: { 'shop.Order': reader } });
  expect(await registry.decode(decoder, framed(300, orderBytes))).toEqual({ to: { city: 'Ky' }, note: 'none' });
});

test.each([
  ['a number of 8 bytes', framed(300, orderBytes, 8), undefined, 8],
  ['a guid', Uint8Array.of(1, ...guidBytes, ...orderBytes), undefined, 4],
  ['a guid in a header', Uint8Array.from(orderBytes), { __value_schema_id: Uint8Array.of(1, ...guidBytes), other: 'x' }, 4],
  ['a number in a header', Uint8Array.from(orderBytes), { __value_schema_id: framed(300, []) }, 4],
  ['a global id in a header', Uint8Array.from(orderBytes), { 'apicurio.value.globalId': framed(300, [], 8).subarray(1) }, 4],
  ['a content id in a header', Uint8Array.from(orderBytes), { 'apicurio.value.contentId': Buffer.from(framed(300, [], 8).subarray(1)) }, 4],
] as const)('finds the schema by %s', async (_, message, headers, idBytes) => {
  const registry = createRegistry({ url: server.url, idBytes });
  expect(await registry.decode(decoder, message, { headers })).toEqual({ to: { city: 'Ky' } });
});

test('takes the headers of a key', async () => {
  const registry = createRegistry({ url: server.url });
  const headers = { __key_schema_id: framed(7, []), __value_schema_id: framed(300, []) };
  expect(await registry.decode(decoder, Uint8Array.from(orderBytes), { headers, isKey: true })).toBe('Ky');
});

test('decodes Protocol Buffers by the indexes of the message, and its imports', async () => {
  const registry = createRegistry({ url: server.url });
  const imports = { 'units/money.proto': money, 'units/currency.proto': currency };
  const payload = await encoder.encode(
    { name: 'tea', price: { cents: 250, in: 1 } },
    { format: 'protobuf', schema: { proto, imports, message: 'shop.Basket.Item' } },
  );
  const options = { options: { enums: 'name' } } as const;
  // The second message of the file, and the second one nested in it: the entry of the map does not count.
  const message = framed(5, [4, 2, 2, ...payload]);
  expect(await registry.decode(decoder, message, options)).toEqual({ name: 'tea', price: { cents: 250, in: 'UAH' } });
  const headers = { __value_schema_id: framed(5, [4, 2, 2]) };
  expect(await registry.decode(decoder, payload, { headers, ...options })).toEqual({ name: 'tea', price: { cents: 250, in: 'UAH' } });
  // One byte stands for the first message.
  expect(await registry.decode(decoder, framed(5, [0]))).toEqual({});
  expect(await registry.decode(decoder, framed(5, [2, 2]))).toEqual({ counts: {} });
  expect(new Set(server.requests).size).toBe(server.requests.length);
});

test('decodes JSON in a frame, in any form', async () => {
  const registry = createRegistry({ url: server.url });
  const message = framed(6, new TextEncoder().encode('[{"a":1}]'));
  expect(await registry.decode(decoder, message)).toEqual([{ a: 1 }]);
  expect((await registry.decode<{ a: number }[], 'rows'>(decoder, message, { as: 'rows' })).at(0)).toEqual({ a: 1 });
});

test('asks by the function that it is given, and asks again after a failure', async () => {
  let isDown = true;
  const asked: string[] = [];
  const registry = createRegistry({
    fetch: (path, init) => {
      asked.push(path);
      if (isDown) throw new TypeError('fetch failed');
      return fetch(server.url + path, { headers: { ...init.headers, authorization: 'Bearer x' } });
    },
  });
  await expect(registry.decode(decoder, framed(7, orderBytes))).rejects.toMatchObject({
    name: 'NetworkError',
    message: 'the schema registry cannot be reached for /schemas/ids/7',
    cause: new TypeError('fetch failed'),
  });
  isDown = false;
  expect(await registry.decode(decoder, framed(7, orderBytes))).toBe('Ky');
  expect(asked).toEqual(['/schemas/ids/7', '/schemas/ids/7']);
});

test.each([
  [[], 'DecodeError', 'the message is empty'],
  [[0x7b, 0x7d], 'DecodeError', 'the message has no frame of a schema registry: it begins with 7B, not 00 or 01'],
  [[0, 0, 0], 'DecodeError', 'the message ends inside the frame'],
  [framed(99, []), 'SchemaError', 'the schema registry has no /schemas/ids/99: Schema 99 not found'],
  [framed(5, []), 'DecodeError', 'the message ends inside the frame'],
  [framed(5, [1]), 'DecodeError', 'invalid number of message indexes: -1'],
  [framed(5, [0x80, 0x80, 0x80, 0x80, 0x80, 0]), 'DecodeError', 'a message index has more than 5 bytes'],
  [framed(8, [0]), 'SchemaError', 'the .proto text has no message with the index 0'],
  [framed(9, []), 'SchemaError', 'the schema /schemas/ids/9 is not JSON'],
])('rejects %j with a %s', async (bytes, name, message) => {
  const registry = createRegistry({ url: server.url });
  await expect(registry.decode(decoder, Uint8Array.from(bytes))).rejects.toMatchObject({ name, message: expect.stringContaining(message) as string });
});

test('rejects a registry that is no registry, and options that are none', async () => {
  const answer = (body: string, status: number) => createRegistry({ fetch: () => new Response(body, { status }) }).open(framed(1, []));
  await expect(answer('<html>', 200)).rejects.toThrow('the schema registry answered /schemas/ids/1 without a schema');
  await expect(answer('{"message":"no rights"}', 401)).rejects.toMatchObject({ name: 'NetworkError', status: 401 });
  await expect(answer('{"schema":"","schemaType":"XML"}', 200)).rejects.toThrow('unknown type XML; known: AVRO, PROTOBUF, JSON');
  expect(() => createRegistry()).toThrow('a registry needs its address or a function');
  expect(() => createRegistry({ url: server.url, idBytes: 5 as 4 })).toThrow('invalid idBytes: 5; expected 4 or 8');
  const registry = createRegistry({ url: server.url });
  await expect(registry.open('text' as never)).rejects.toThrow('expected the bytes of a message, a Blob or a Response');
  await expect(registry.decode(decoder, framed(7, orderBytes), { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' });
  await expect(registry.open(new Uint8Array(4), { headers: { 'apicurio.value.globalId': new Uint8Array(7) } })).rejects.toThrow(
    'ends inside the frame',
  );
  await expect(createRegistry({ url: server.url, idBytes: 8 }).open(framed(5, [0], 8))).rejects.toThrow('Protocol Buffers of Apicurio 2');
});
