import { describe, expect, test } from 'vitest';
import { gzipSync } from 'fflate';
import { OpenBody } from '../../../../devtools-extension/panel/body/open-body.ts';
import { measure } from '../../../../devtools-extension/panel/size/size.ts';
import { readFramed } from '../../../../devtools-extension/reading/framings/framed-tree.ts';
import type { RpcStatus } from '../../../../devtools-extension/reading/protocol.ts';
import { rpcStatusOf } from '../../../../devtools-extension/reading/rpc/rpc-status.ts';
import { type Unwrapped, unwrap } from '../../../../devtools-extension/reading/framings/unwrap.ts';
import type { FormatId } from '../../../../core/format/format-id.ts';
import { finish } from '../open.ts';
import { namesOf } from '../read.ts';
import { checkTree } from '../values/tree-rules.ts';

const utf8 = new TextEncoder();
const WEB = 'application/grpc-web+proto';

function frame(flags: number, message: Uint8Array): number[] {
  return [flags, 0, 0, message.length >> 8, message.length & 0xff, ...message];
}

const trailers = (text: string): number[] => frame(0x80, utf8.encode(text));
const off = (bytes: readonly number[], contentType = WEB): Promise<Unwrapped> => unwrap(Uint8Array.from(bytes), { contentType });

async function status(
  bytes: readonly number[],
  { contentType = WEB, http = 200, headers = [] as { name: string; value: string }[] } = {},
): Promise<RpcStatus | undefined> {
  return rpcStatusOf({ body: await off(bytes, contentType), status: http, contentType, headers });
}

/** Length-delimited field (wire type 2). */
const field = (number: number, content: Uint8Array | readonly number[]): number[] => [(number << 3) | 2, content.length, ...content];
const detail = (type: string, value: readonly number[]): number[] => [...field(1, utf8.encode(`type.googleapis.com/${type}`)), ...field(2, value)];
const INFO = detail('google.rpc.ErrorInfo', [...field(1, utf8.encode('STOCKOUT')), ...field(2, utf8.encode('shop.test'))]);
const STATUS = btoa(String.fromCharCode(8, 5, ...field(2, utf8.encode('gone')), ...field(3, INFO))).replace(/=+$/, '');

async function openFramed(bytes: readonly number[], contentType: string, format: FormatId): Promise<OpenBody> {
  const { bytes: body, content, framing, wrappings } = await off(bytes, contentType);
  const reading = await readFramed(body, framing!, { format });
  const detection = { format, confidence: 1, reasons: [], sequence: true, wrappings };
  return new OpenBody({ detection, bytes: body, content, isPart: false, ...reading }, { lossy: false, received: body.length, schema: undefined });
}

describe('statusOf', () => {
  test('reads the trailers of gRPC-web, with message and details', async () => {
    const found = await status([
      ...frame(0, Uint8Array.of(8, 1)),
      ...trailers(`grpc-status: 5\r\ngrpc-message: no%20bike%C3%A9\r\ngrpc-status-details-bin: ${STATUS}\r\nx-trace: 7\r\n`),
    ]);
    expect(found).toMatchObject({ protocol: 'gRPC', code: 5, name: 'NOT_FOUND', message: 'no bikeé' });
    expect(found!.details).toMatchObject([{ type: 'google.rpc.ErrorInfo', value: { reason: 'STOCKOUT', domain: 'shop.test' } }]);
    expect(found!.trailers.at(-1)).toEqual({ name: 'x-trace', value: '7' });
  });

  test('reads the headers if there is no body', async () => {
    expect(
      await status([], {
        headers: [
          { name: 'Grpc-Status', value: '16' },
          { name: 'grpc-message', value: 'log in' },
        ],
      }),
    ).toMatchObject({ code: 16, name: 'UNAUTHENTICATED', message: 'log in' });
  });

  test('returns OK for a successful call', async () => {
    expect(await status([...frame(0, Uint8Array.of(8, 1)), ...trailers('grpc-status:0\r\n')])).toMatchObject({ code: 0, name: 'OK' });
  });

  test('reads the end of a Connect stream', async () => {
    const end = {
      error: {
        code: 'resource_exhausted',
        message: 'slow down',
        details: [{ type: 'google.rpc.RetryInfo', value: btoa(String.fromCharCode(0x0a, 2, 8, 3)) }],
      },
      metadata: { 'x-a': ['1', '2'] },
    };
    const found = await status([...frame(0, Uint8Array.of(8, 1)), ...frame(2, utf8.encode(JSON.stringify(end)))], {
      contentType: 'application/connect+proto',
    });
    expect(found).toMatchObject({
      protocol: 'Connect',
      code: 8,
      name: 'RESOURCE_EXHAUSTED',
      message: 'slow down',
      trailers: [
        { name: 'x-a', value: '1' },
        { name: 'x-a', value: '2' },
      ],
    });
    expect(found!.details[0]!.value).toMatchObject({ retry_delay: { seconds: 3 } });
  });

  test('reads the body of a unary Connect error, and no other JSON', async () => {
    const error = [...utf8.encode('{"code":"invalid_argument","message":"no"}')];
    expect(await status(error, { contentType: 'application/json', http: 400 })).toMatchObject({ protocol: 'Connect', code: 3, message: 'no' });
    expect(await status(error, { contentType: 'application/json', http: 200 })).toBeUndefined();
    expect(await status([...utf8.encode('{"code":"E42","message":"no"}')], { contentType: 'application/json', http: 400 })).toBeUndefined();
  });

  test('returns a status even if its details are damaged', async () => {
    expect(await status(trailers('grpc-status: 13\r\ngrpc-message: %zz\r\ngrpc-status-details-bin: CAX/\r\n'))).toMatchObject({
      code: 13,
      message: '%zz',
      details: [{ type: 'grpc-status-details-bin' }],
    });
  });
});

describe('tree of frames', () => {
  const BODY = [...frame(0, Uint8Array.of(8, 1, 0x10, 2)), ...trailers('grpc-status:0\r\n')];

  test('hides flags and lengths until they are wanted, or one is selected', async () => {
    const { tree, view } = await openFramed(BODY, WEB, 'protobuf');
    const rows = (): string[] => Array.from(view!.rows.value, (node) => tree!.path(node).join('.'));
    const folded = ['', '0', '0.message', '0.message.1', '0.message.2', '1', '1.grpc-status'];
    const all = ['', '0', '0.flags', '0.length', '0.message', '0.message.1', '0.message.2', '1', '1.flags', '1.length', '1.grpc-status'];
    expect(view!.hasFrames).toBe(true);
    expect(rows()).toEqual(folded);
    view!.showFrames(true);
    expect(rows()).toEqual(all);
    view!.showFrames(false);
    expect(rows()).toEqual(folded);
    view!.reveal(tree!.nodeAt(0));
    expect(rows()).toEqual(all);
  });

  test('previews a closed frame by its message', async () => {
    const { tree, view } = await openFramed(BODY, WEB, 'protobuf');
    const at = (path: string): number => Array.from({ length: tree!.count }, (_, node) => node).find((node) => tree!.path(node).join('.') === path)!;
    expect(view!.previewed(at('0'))).toBe(at('0.message'));
    expect(view!.previewed(at('1'))).toBe(at('1'));
  });
});

describe('reader of frames', () => {
  const BODY = [
    ...frame(0, Uint8Array.of(8, 1, 0x12, 2, 0x68, 0x69)),
    ...frame(0, Uint8Array.of(8, 2)),
    ...trailers('grpc-status:0\r\ngrpc-message:fine\r\n'),
  ];

  test('shows frames in place, each message with its own tree', async () => {
    const body = await openFramed(BODY, WEB, 'protobuf');
    checkTree(body.tree!.data);
    expect(body.bytes.length).toBe(BODY.length);
    expect(namesOf(body)).toEqual([
      ': gRPC-web frames',
      '0: message frame',
      '0.flags: uint8',
      '0.length: uint32',
      '0.message: message',
      '0.message.1: field 1, varint',
      '0.message.2: field 2, len',
      '1: message frame',
      '1.flags: uint8',
      '1.length: uint32',
      '1.message: message',
      '1.message.1: field 1, varint',
      '2: trailers frame',
      '2.flags: uint8',
      '2.length: uint32',
      '2.grpc-status: header',
      '2.grpc-message: header',
    ]);
    const text = body.tree!.nodeAt(5 + 4);
    expect(body.tree!.path(text)).toEqual([0, 'message', '2']);
    expect(body.tree!.text(text)).toBe('hi');
  });

  test('measures sizes that add up to the body', async () => {
    const body = await openFramed(BODY, WEB, 'protobuf');
    expect(finish(measure(body)).byPath.reduce((sum, { total }) => sum + total, 0)).toBe(BODY.length);
  });

  test('shows frames even if one is damaged, with the position of the fault', async () => {
    const body = await openFramed(
      [...frame(0, Uint8Array.of(8, 1)), ...frame(0, Uint8Array.of(0x12, 9, 1)), ...frame(0, Uint8Array.of(8, 3))],
      WEB,
      'protobuf',
    );
    expect(body.error).toMatchObject({ offset: 7 + 5 + 1 });
    expect(namesOf(body).filter((name) => name.endsWith(': message'))).toHaveLength(3);
    expect(namesOf(body).at(-1)).toBe('2.message.1: field 1, varint');
    checkTree(body.tree!.data);
  });

  test('marks and inflates compressed frames', async () => {
    const packed = gzipSync(Uint8Array.of(8, 1));
    const body = await openFramed(frame(1, packed), WEB, 'protobuf');
    expect(namesOf(body).at(-1)).toContain('0.message: ');
    expect([...body.content]).toEqual([2, 8, 1]);
  });

  test('shows trees of JSON for Connect in JSON', async () => {
    const json = utf8.encode('{"a":[1,"x"]}');
    const body = await openFramed([...frame(0, json), ...frame(0, json), ...frame(2, utf8.encode('{}'))], 'application/connect+json', 'json');
    checkTree(body.tree!.data);
    expect(namesOf(body).slice(0, 8)).toEqual([
      ': Connect envelopes',
      '0: message frame',
      '0.flags: uint8',
      '0.length: uint32',
      '0.message: object',
      '0.message.a: array',
      '0.message.a.0: number, int',
      '0.message.a.1: string 1',
    ]);
  });
});
