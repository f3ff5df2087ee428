import { once } from 'node:events';
import { Readable } from 'node:stream';
import { afterAll, describe, expect, test } from 'vitest';
import { createDecoder, type Decoder, type DecodeSource } from '../../../../main/index.ts';

const reason = new Error('not wanted any longer');
const aborted = AbortSignal.abort(reason);

// The calls fail while this code is on its way.
afterAll(() => Promise.all([import('../../../../main/streams/growing-rows.ts'), import('../../../../main/rows/form.ts')]));

/** A body that never ends, and the reason for which it was cancelled. */
function endless(): { body: ReadableStream<Uint8Array<ArrayBuffer>>; cancelled: Promise<unknown> } {
  let cancel: (reason: unknown) => void = () => {};
  const cancelled = new Promise<unknown>((resolve) => (cancel = resolve));
  return { body: new ReadableStream({ pull: (to) => to.enqueue(Uint8Array.of(0x5b)), cancel }), cancelled };
}

const CALLS: [string, (decoder: Decoder, source: DecodeSource, signal?: AbortSignal) => Promise<unknown>][] = [
  ['decode', (decoder, source, signal) => decoder.decode(source, { format: 'json', signal })],
  ['decode as rows', (decoder, source, signal) => decoder.decode(source, { format: 'json', signal, as: 'rows' })],
  ['batches', (decoder, source, signal) => decoder.batches(source, { format: 'json', signal }).next()],
  ['growingRows', (decoder, source, signal) => decoder.growingRows(source, { format: 'json', signal })],
];

describe.each(CALLS)('%s with a signal that has aborted', (_, call) => {
  test('cancels the body of a response, and a stream', async () => {
    for (const isResponse of [true, false]) {
      const { body, cancelled } = endless();
      await expect(call(createDecoder(), isResponse ? new Response(body) : body, aborted)).rejects.toBe(reason);
      expect(await cancelled).toBe(reason);
    }
  });

  test('ends an iterator, and a stream of Node', async () => {
    let isEnded = false;
    const iterator = (function* () {
      try {
        for (;;) yield Uint8Array.of(0x5b);
      } finally {
        isEnded = true;
      }
    })();
    iterator.next();
    await expect(call(createDecoder(), iterator, aborted)).rejects.toBe(reason);
    await expect.poll(() => isEnded).toBe(true);
    const stream = new Readable({ read() {} });
    const closed = once(stream, 'close');
    await expect(call(createDecoder(), stream, aborted)).rejects.toBe(reason);
    await closed;
  });

  test('leaves a clone, and a body that someone else reads', async () => {
    const response = new Response('[1]', { headers: { 'content-type': 'application/json' } });
    const copy = response.clone();
    await expect(call(createDecoder(), response, aborted)).rejects.toBe(reason);
    expect(await copy.json()).toEqual([1]);
    const other = new Response('[1]');
    const reader = other.body!.getReader();
    await expect(call(createDecoder(), other, aborted)).rejects.toBe(reason);
    expect((await reader.read()).done).toBe(false);
  });

  test('also cancels it if the decoder is closed', async () => {
    const decoder = createDecoder();
    decoder.close();
    const { body, cancelled } = endless();
    await expect(call(decoder, new Response(body))).rejects.toThrow('The decoder is closed');
    expect(await cancelled).toMatchObject({ name: 'AbortError' });
  });
});

test.each<[string, (decoder: Decoder, source: DecodeSource, options: object) => Promise<unknown>]>([
  ['decode', (decoder, source, options) => decoder.decode(source, options)],
  ['batches', (decoder, source, options) => decoder.batches(source, options).next()],
  ['growingRows', (decoder, source, options) => decoder.growingRows(source, options)],
])('%s names a compression that is not undone, and cancels the source', async (_, call) => {
  const options = { format: 'json', compression: 'gzip' };
  const error = new TypeError('invalid option compression: gzip; expected one of zstd');
  for (const isResponse of [true, false]) {
    const { body, cancelled } = endless();
    await expect(call(createDecoder(), isResponse ? new Response(body) : body, options)).rejects.toEqual(error);
    expect(await cancelled).toEqual(error);
  }
  await expect(call(createDecoder(), new TextEncoder().encode('[1]'), options)).rejects.toEqual(error);
});
