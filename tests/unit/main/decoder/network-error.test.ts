import { afterEach, describe, expect, it, test, vi } from 'vitest';
import { createDecoder, type Decoder, NetworkError } from '../../../../main/index.ts';

const decoders: Decoder[] = [];

afterEach(() => {
  for (const decoder of decoders.splice(0)) decoder.close();
});

function decode(body: BodyInit, headers: Record<string, string>): Promise<unknown> {
  const decoder = createDecoder({ route: 'page' });
  decoders.push(decoder);
  const response = new Response(body, { status: 203, headers: { 'Content-Type': 'application/json', ...headers } });
  return decoder.decode(response).catch((error: unknown) => error);
}

/** Body that fails midway, as after a lost connection. */
function broken(): ReadableStream<Uint8Array> {
  let pulls = 0;
  return new ReadableStream({
    pull(controller) {
      pulls += 1;
      if (pulls === 1) controller.enqueue(new TextEncoder().encode('{"trips": ['));
      else controller.error(new TypeError('reset'));
    },
  });
}

describe('decode of an interrupted response', () => {
  it.each([
    ['a long body', {}],
    ['a body that is known to be short', { 'Content-Length': '400' }],
  ])('rejects with a NetworkError with the status of the response, for %s', async (_, headers) => {
    const error = await decode(broken(), headers);
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({ code: 'network', status: 203, message: 'the payload could not be read to its end: reset' });
  });

  it('reports the status and both lengths if the body is shorter than its Content-Length', async () => {
    const error = await decode('[1, 2]', { 'Content-Length': '2000000' });
    expect(error).toBeInstanceOf(NetworkError);
    expect(error).toMatchObject({ status: 203, receivedBytes: 6, message: 'received 6 bytes of 2000000 announced' });
  });
});

describe('a short body that is shorter than its Content-Length', () => {
  const respond = (headers: Record<string, string>, body: BodyInit | null = '[1,2]', status = 203): Response =>
    new Response(body, { status, headers: { 'content-type': 'application/json', 'content-length': '25', ...headers } });

  test.each<[string, object]>([
    ['in one step', {}],
    ['chunk by chunk', { onProgress() {} }],
    ['as rows', { as: 'rows' }],
    ['for a panel', { keepBodies: true }],
  ])('is a NetworkError where it is read %s', async (_, { keepBodies, ...options }: { keepBodies?: boolean }) => {
    const decoding = createDecoder({ keepBodies: keepBodies ?? false }).decode(respond({}), options as never);
    await expect(decoding).rejects.toMatchObject({
      name: 'NetworkError',
      status: 203,
      receivedBytes: 5,
      message: 'received 5 bytes of 25 announced',
    });
  });

  test.each<[string, Response, unknown]>([
    ['compressed', respond({ 'content-encoding': 'gzip' }), [1, 2]],
    ['longer', respond({ 'content-length': '3' }), [1, 2]],
    ['of another origin', Object.defineProperty(respond({}), 'url', { value: 'https://other.invalid/' }), [1, 2]],
  ])('is decoded where it is %s', async (_, response, value) => {
    // A page has an origin.
    if (response.url) vi.stubGlobal('origin', 'https://page.invalid');
    expect(await createDecoder().decode(response)).toEqual(value);
    vi.unstubAllGlobals();
  });

  test('is empty where nothing comes, as for HEAD and 304', async () => {
    await expect(createDecoder().decode(respond({}, null))).rejects.toMatchObject({ code: 'empty' });
    await expect(createDecoder().decode(respond({}, null, 304))).rejects.toMatchObject({ code: 'empty' });
  });
});
