import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import type { Adapter, PageRequest } from '../../../../devtools-extension/adapter/adapter.ts';
import { fromBase64 } from '../../../../devtools-extension/adapter/bytes.ts';
import { askServer, servicesAddress } from '../../../../devtools-extension/panel/schemas/reflection.ts';
import type { ReadingClient } from '../../../../devtools-extension/reading/protocol.ts';
import { typesInSchema } from '../../../../devtools-extension/reading/schemas/schema-types.ts';
import { methodsInDescriptors } from '../../../../devtools-extension/reading/schemas/services.ts';
import { reflectedIn } from '../../../../devtools-extension/reading/schemas/reflection.ts';
import { SHOP } from '../../../setup/panel/generated-apps.ts';
import { startReflectionServer } from '../../../setup/panel/reflection-server.ts';

let server: Server | undefined;
afterEach(() => server?.close());

const client = {
  call: (_: string, { bytes }: { bytes: Uint8Array }) => typesInSchema('protobuf', bytes),
} as unknown as ReadingClient;

/** Sends requests as a page does: the whole body, then the whole answer. */
const sent: string[] = [];
const adapter = {
  async ask({ url, headers, body }: PageRequest) {
    sent.push(headers[0]!.value);
    const response = await fetch(url, {
      method: 'POST',
      headers: headers.map(({ name, value }) => [name, value] as [string, string]),
      body: body! as never,
    });
    return { bytes: new Uint8Array(await response.arrayBuffer()) };
  },
} as unknown as Adapter;

async function ask(protocols: { grpcWeb?: boolean; connect?: boolean }): Promise<Awaited<ReturnType<typeof askServer>>> {
  sent.length = 0;
  server = await startReflectionServer(SHOP, protocols);
  return askServer(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, 'http://127.0.0.1', { adapter, client });
}

describe('server reflection', () => {
  test.each([
    ['gRPC-Web', { connect: false }, 'application/grpc-web+proto'],
    ['Connect', { grpcWeb: false }, 'application/connect+proto'],
  ] as const)('gives the messages and services of a server that speaks %s', async (_, protocols, contentType) => {
    const file = await ask(protocols);
    if ('problem' in file) throw new Error(file.problem);
    expect(file.types).toContain('shop.v1.Order');
    expect(sent.at(-1)).toBe(contentType);
    expect(methodsInDescriptors(fromBase64(file.base64!))).toContainEqual({
      path: 'shop.v1.OrderService/Get',
      request: 'shop.v1.GetRequest',
      response: 'shop.v1.Order',
    });
  });

  test('says so if a server does not answer it', async () => {
    expect(await ask({ grpcWeb: false, connect: false })).toEqual({
      problem: expect.stringMatching(/^The server at http.* does not answer reflection over gRPC-Web or Connect\./) as string,
    });
  });

  test('is asked at the prefix of the services of a call', () => {
    expect(servicesAddress('https://a.test/api/shop.v1.OrderService/Get?x=1')).toBe('https://a.test/api/');
    expect(servicesAddress('https://a.test/orders/1')).toBeUndefined();
  });

  test('takes any number of names and files from an answer', () => {
    // Each of a response, a service or file, and a name is a length-delimited field.
    const body = (one: readonly number[]): Uint8Array => {
      const bytes = new Uint8Array(5 + 150_000 * one.length);
      new DataView(bytes.buffer).setUint32(1, 150_000 * one.length);
      for (let at = 0; at < 150_000; at += 1) bytes.set(one, 5 + at * one.length);
      return bytes;
    };
    expect(reflectedIn(body([0x32, 5, 0x0a, 3, 0x0a, 1, 0x61])).services).toHaveLength(150_000);
    expect(reflectedIn(body([0x22, 3, 0x0a, 1, 0x61])).files).toHaveLength(150_000);
  });

  test('takes nothing from an answer that is damaged or something else', () => {
    for (const bytes of [[], [0, 0, 0, 0], [0, 255, 255, 255, 255, 1], [0x3c, 0x68, 0x74, 0x6d, 0x6c, 0x3e], [1, 0, 0, 0, 1, 9]])
      expect(reflectedIn(Uint8Array.from(bytes))).toEqual({ services: [], files: [] });
  });
});
