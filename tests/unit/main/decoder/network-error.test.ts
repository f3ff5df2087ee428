import { afterEach, describe, expect, it } from 'vitest';
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
