import { once } from 'node:events';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { createEncoder, type Encoder } from '../../../../main/encode.ts';

const reason = new Error('not wanted any longer');
const signal = AbortSignal.abort(reason);
const UNKNOWN = new TypeError('invalid option compression: gzp; did you mean gzip? expected one of gzip, deflate');

/** A stream that never ends, and the reason for which it was cancelled. */
function endless(chunk: unknown): { stream: ReadableStream; cancelled: Promise<unknown> } {
  let cancel: (reason: unknown) => void = () => {};
  const cancelled = new Promise<unknown>((resolve) => (cancel = resolve));
  return { stream: new ReadableStream({ pull: (to) => to.enqueue(chunk), cancel }), cancelled };
}

const read = (stream: ReadableStream): Promise<unknown> => new Response(stream).arrayBuffer();
type Transcode = (encoder: Encoder, source: Response | ReadableStream | Readable, to: object) => Promise<unknown>;
const transcode: Transcode = (encoder, source, to) => read(encoder.transcode(source as Response, { from: { format: 'json' }, to: to as never }));

describe('a transcode that cannot begin', () => {
  test.each<[string, object, unknown]>([
    ['whose signal has aborted', { format: 'cbor', signal }, reason],
    ['with an unknown option', { format: 'cbor', signle: signal }, expect.any(TypeError)],
    ['with an unknown compression', { format: 'cbor', compression: 'gzp' }, UNKNOWN],
    ['to an unknown format', { format: 'xml' }, expect.any(TypeError)],
  ])('cancels its source: one %s', async (_, to, error) => {
    for (const isResponse of [true, false]) {
      const { stream, cancelled } = endless(Uint8Array.of(0x5b));
      await expect(transcode(createEncoder(), isResponse ? new Response(stream) : stream, to)).rejects.toEqual(error);
      expect(await cancelled).toEqual(error);
    }
    const node = new Readable({ read() {} });
    const closed = once(node, 'close');
    await expect(transcode(createEncoder(), node, to)).rejects.toEqual(error);
    await closed;
  });

  test('cancels its source: one that would leave the option invalidText out', async () => {
    const { stream, cancelled } = endless(Uint8Array.of(0x5b));
    const from = { format: 'json', invalidText: 'replace' } as const;
    const error = 'the option invalidText is not for transcode: decode the payload with it, then encode the value';
    await expect(read(createEncoder().transcode(stream, { from, to: { format: 'cbor' } }))).rejects.toThrow(error);
    expect(await cancelled).toBeInstanceOf(TypeError);
  });

  test('cancels its source if the encoder is closed, and if its result is cancelled unread', async () => {
    const encoder = createEncoder();
    const unread = endless(Uint8Array.of(0x5b));
    await encoder.transcode(unread.stream, { to: { format: 'cbor', signal } }).cancel('unread');
    expect(await unread.cancelled).toBe(reason);
    encoder.close();
    const { stream, cancelled } = endless(Uint8Array.of(0x5b));
    await expect(transcode(encoder, stream, { format: 'cbor' })).rejects.toThrow('The encoder was closed');
    expect(await cancelled).toMatchObject({ name: 'AbortError' });
  });
});

describe.each<[string, (encoder: Encoder, value: never, options: never) => Promise<unknown>]>([
  ['encode', (encoder, value, options) => encoder.encode(value, options)],
  ['body', (encoder, value, options) => encoder.body(value, options)],
  ['stream', (encoder, value, options) => read(encoder.stream(value, options))],
])('%s of sources that cannot begin', (_, encode) => {
  test.each<[string, object, unknown]>([
    ['whose signal has aborted', { format: 'json', signal }, reason],
    ['with an unknown option', { format: 'json', signle: signal }, expect.any(TypeError)],
    ['with an unknown compression', { format: 'json', compression: 'gzp' }, UNKNOWN],
  ])('cancels them: one %s', async (__, options, error) => {
    for (const wrap of [(stream: unknown) => stream, (stream: unknown) => ({ list: stream, other: 1 })]) {
      const { stream, cancelled } = endless(1);
      await expect(encode(createEncoder(), wrap(stream) as never, options as never)).rejects.toEqual(error);
      expect(await cancelled).toEqual(error);
    }
  });
});
