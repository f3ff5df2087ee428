import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { messageLabel } from '../../../../devtools-extension/panel/messages/message-label.ts';
import { graphqlOperation, operationOf } from '../../../../devtools-extension/panel/requests/operation.ts';
import { OpenBody } from '../../../../devtools-extension/panel/body/open-body.ts';
import { createPageAdapter } from '../../../../devtools-extension/adapter/page.ts';
import { detectFormat } from '../../../../devtools-extension/reading/detect/detect-format.ts';
import { readFramed } from '../../../../devtools-extension/reading/framings/framed-tree.ts';
import type { FramingHints } from '../../../../devtools-extension/reading/framings/index.ts';
import type { RpcStatus } from '../../../../devtools-extension/reading/protocol.ts';
import { rpcStatusOf } from '../../../../devtools-extension/reading/rpc/rpc-status.ts';
import { unwrap } from '../../../../devtools-extension/reading/framings/unwrap.ts';
import { namesOf } from '../read.ts';
import { checkTree } from '../values/tree-rules.ts';

interface Call {
  status: number;
  type: string;
  headers: [string, string][];
  body: string;
}

/**
 * Output of real libraries: socket.io 4.8.4 (a server, over polling), @microsoft/signalr 10.0.11 and its MessagePack
 * protocol, @connectrpc/connect-node 2.1.2 (a server with a unary method and a stream).
 */
const recorded = JSON.parse(readFileSync(new URL('recorded.json', import.meta.url), 'utf8')) as Record<string, string & Call>;
const bytesOf = (hex: string): Uint8Array => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const SOCKET = 'https://a.test/socket.io/?EIO=4&transport=polling';

async function open(bytes: Uint8Array, hints: FramingHints, schema?: unknown): Promise<OpenBody> {
  const { bytes: body, content, framing, wrappings } = await unwrap(bytes, hints);
  if (!framing) throw new Error('There is no framing');
  const detection = await detectFormat(content, hints.contentType, true, wrappings, framing.format);
  const reading = await readFramed(body, framing, { format: detection.format!, schema });
  checkTree(reading.data);
  return new OpenBody({ detection, bytes: body, content, isPart: false, ...reading }, { lossy: false, received: body.length, schema: undefined });
}

/** Text of a value, by its path. */
function textAt({ tree }: OpenBody, path: string): string | undefined {
  for (let node = 1; node < tree!.count; node += 1) if (tree!.path(node).join('.') === path) return tree!.text(node);
  return undefined;
}

describe('Socket.IO framing', () => {
  test('splits packets, namespaces, acknowledgements and attachments, each with its JSON', async () => {
    const body = await open(bytesOf(recorded['polled']!), { contentType: 'text/plain', url: SOCKET });
    expect(body.detection.wrappings).toEqual(['Socket.IO packets']);
    expect(namesOf(body).filter((name) => /^\d: /.test(name))).toEqual(['0: CONNECT', '1: EVENT', '2: BINARY_EVENT', '3: binary']);
    expect(textAt(body, '1.data.0')).toBe('price');
    expect(namesOf(body)).toContain('1.data.1.value: number, frac');
    expect(textAt(body, '3.data')).toBe('kwECAw==');
    const other = await open(bytesOf(recorded['namespace']!), { contentType: '', url: SOCKET });
    expect(textAt(other, '1.namespace')).toBe('/admin');
    expect(textAt(other, '1.data.0')).toBe('hello');
    const answer = await open(bytesOf(recorded['acked']!), { contentType: '', url: SOCKET });
    expect(namesOf(answer)[0]).toBe(': ACK');
    expect(namesOf(answer)).toContain('data.0.got.n: number, int');
  });

  test('recognises the Engine.IO handshake', async () => {
    const body = await open(bytesOf(recorded['engineOpen']!), { contentType: '', url: SOCKET });
    expect(body.detection.wrappings).toEqual(['Engine.IO packets']);
    expect(textAt(body, 'data.upgrades.0')).toBe('websocket');
  });

  test.each(['flatbuffers', 'capnproto', 'arrow'] as const)(
    'contains its packets if they are read as %s, whose values may lie anywhere',
    async (format) => {
      const body = utf8('451-["raw",{"_placeholder":true,"num":0}');
      const { bytes, framing } = await unwrap(body, { contentType: 'text/plain', url: SOCKET });
      const { data } = await readFramed(bytes, framing!, { format });
      checkTree(data);
      expect(data.ends[1]).toBe(body.length);
    },
  );

  test('applies only at its own addresses', async () => {
    expect((await unwrap(utf8('42["a"]'), { contentType: '', url: 'https://a.test/other' })).framing).toBeUndefined();
  });
});

describe('SignalR framing', () => {
  test('splits JSON messages at their separators', async () => {
    const body = await open(bytesOf(recorded['signalrTwo']!), { contentType: '', message: 'text' });
    expect(namesOf(body).filter((name) => /^\d: /.test(name))).toEqual(['0: Invocation', '1: Ping']);
    expect(textAt(body, '0.message.target')).toBe('Moved');
  });

  test('splits MessagePack messages by their lengths', async () => {
    const body = await open(bytesOf(recorded['signalrPack']!), { contentType: '', message: 'binary' });
    expect(body.detection).toMatchObject({ format: 'messagepack', wrappings: ['SignalR messages'] });
    expect(namesOf(body).slice(0, 3)).toEqual([': Invocation', 'length: varint', 'message: fixarray 5']);
    expect(textAt(body, 'message.3')).toBe('Moved');
  });
});

describe('gRPC-web and Connect framing', () => {
  const statusOf = async (name: string): Promise<RpcStatus | undefined> => {
    const { status, type, headers, body } = recorded[name]!;
    return rpcStatusOf({
      body: await unwrap(bytesOf(body), { contentType: type }),
      status,
      contentType: type,
      headers: headers.map(([key, value]) => ({ name: key, value })),
    });
  };

  test.each([
    ['grpcWeb', 0, ''],
    ['grpcWebError', 5, 'no such bike: é'],
    ['grpcWebStream', 10, 'stolen'],
    ['connectStream', 10, 'stolen'],
    ['connectJson', 0, ''],
    ['connectError', 5, 'no such bike: é'],
  ])('ends %s with the status %d', async (name, code, message) => {
    expect(await statusOf(name)).toMatchObject({ code, message });
  });

  test('reports the details of errors', async () => {
    for (const name of ['grpcWebError', 'connectError'])
      expect((await statusOf(name))!.details, name).toMatchObject([{ type: 'google.protobuf.BoolValue', bytes: Uint8Array.of(8, 1) }]);
    expect((await statusOf('grpcWebError'))!.trailers).toContainEqual({ name: 'x-trace', value: '7' });
  });

  test('shows a tree for each message of a stream', async () => {
    const body = await open(bytesOf(recorded['connectStream']!.body), { contentType: recorded['connectStream']!.type });
    expect([textAt(body, '0.message.1'), textAt(body, '1.message.1')]).toEqual(['one', 'two']);
    const json = await open(bytesOf(recorded['connectJson']!.body), { contentType: recorded['connectJson']!.type });
    expect([textAt(json, '0.message'), textAt(json, '1.message')]).toEqual(['one', 'two']);
  });
});

describe('framing', () => {
  test.each([")]}'\n", ")]}',\n", 'for(;;);', 'while(1);'])('finds JSON after %j, with its offset', async (guard) => {
    const body = await open(utf8(`${guard}{"a":"b"}`), { contentType: 'application/json' });
    expect(textAt(body, 'value.a')).toBe('b');
    expect(textAt(body, 'guard')).toBe(guard);
    expect(body.tree!.path(body.tree!.nodeAt(guard.length + 6))).toEqual(['value', 'a']);
  });

  test('ignores text that merely begins like a guard', async () => {
    for (const text of ['for(;;) { run() }', 'while(1);', ')]}'])
      expect((await unwrap(utf8(text), { contentType: 'text/javascript' })).framing, text).toBeUndefined();
  });

  test('finds Avro after the number of its schema', async () => {
    const { default: avro } = await import('../../../../core/formats/avro/index.ts');
    const schema = await avro.compileSchema!(
      {
        type: 'record',
        name: 'Ride',
        fields: [
          { name: 'station', type: 'string' },
          { name: 'docks', type: 'int' },
        ],
      },
      '',
    );
    const body = await open(Uint8Array.of(0, 0, 0, 0, 42, 6, 0x4f, 0x61, 0x6b, 14), { contentType: 'application/vnd.apache.avro' }, schema);
    expect(body.error).toBeUndefined();
    expect(namesOf(body)).toEqual([
      ': message of a registered schema',
      'magic: uint8',
      'schema id: uint32',
      'value: record Ride',
      'value.station: string 3',
      'value.docks: zigzag varint int',
    ]);
    expect(body.note(5)).toBe('Ride.station: string');
  });

  test('finds the headers and values of multipart bodies', async () => {
    const text =
      '--x\r\nContent-Disposition: form-data; name="meta"\r\nContent-Type: application/json\r\n\r\n{"n":1}\r\n--x\r\nContent-Disposition: form-data; name="note"\r\n\r\nhello\r\n--x--\r\n';
    const body = await open(utf8(text), { contentType: 'multipart/form-data; boundary=x' });
    expect(namesOf(body).filter((name) => /^\d: /.test(name))).toEqual(['0: part meta', '1: part note']);
    expect(namesOf(body)).toContain('0.value.n: number, int');
    expect(textAt(body, '1.value')).toBe('hello');
    expect(textAt(body, '0.content-type')).toBe('application/json');
  });

  test('finds each field of forms', async () => {
    const body = await open(utf8('name=Oak+St&docks=7&empty='), { contentType: 'application/x-www-form-urlencoded' });
    expect([textAt(body, 'name'), textAt(body, 'docks'), textAt(body, 'empty')]).toEqual(['Oak St', '7', '']);
  });
});

describe('graphqlOperation', () => {
  test.each<[unknown, string | undefined]>([
    [{ operationName: 'GetUser', query: 'query GetUser { me { id } }' }, 'GetUser'],
    [{ query: 'mutation Add($a: Int) { add(a: $a) }' }, 'Add'],
    [{ query: '{ me { id } }' }, 'query me'],
    [{ query: 'subscription { moved }' }, 'subscription moved'],
    [[{ query: '{ a }' }, { query: 'query B { b }' }], 'query a, B'],
    [{ query: 'select 1' }, undefined],
    [{ name: 'x' }, undefined],
  ])('reads %j as %j', (request, name) => {
    expect(graphqlOperation(request)).toBe(name);
  });

  test("reads a request's body or address", async () => {
    const adapter = createPageAdapter();
    const type = (value: string) => [{ name: 'Content-Type', value }];
    const posted = adapter.add({
      url: 'https://a.test/graphql',
      requestHeaders: type('application/json'),
      requestBody: () => Promise.resolve({ bytes: utf8('{"query":"query Q { a }"}') }),
    });
    expect(await operationOf(posted)).toBe('Q');
    expect(await operationOf(adapter.add({ url: 'https://a.test/graphql?query=%7B%20a%20%7D' }))).toBe('query a');
    expect(await operationOf(adapter.add({ url: 'https://a.test/shop.v1.Bikes/Find', requestHeaders: type('application/grpc-web+proto') }))).toBe(
      'Bikes/Find',
    );
    expect(await operationOf(adapter.add({ url: 'https://a.test/a/b' }))).toBeUndefined();
  });

  test.each<[string, boolean, string, string | undefined]>([
    ['42["moved",{}]', true, 'wss://a.test/socket.io/?EIO=4', 'moved'],
    ['2', true, 'wss://a.test/socket.io/?EIO=4', 'ping'],
    ['{"type":1,"target":"Move","arguments":[]}\u001e', true, 'wss://a.test/hub', 'Invocation Move'],
    ['{"id":"1","type":"subscribe","payload":{"query":"subscription S { s }"}}', true, 'wss://a.test/graphql', 'subscribe #1 S'],
    ['{"type":"next"}', true, 'wss://a.test/graphql', 'next'],
    ['{"type":"other"}', true, 'wss://a.test/', undefined],
    ['plain', true, 'wss://a.test/', undefined],
  ])('labels the message %j', (text, isText, url, label) => {
    expect(messageLabel({ direction: 'sent', time: 0, bytes: utf8(text), isText }, url)).toBe(label);
  });
});
