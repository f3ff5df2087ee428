import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createEncoder, type EncodeOptions } from '../../../../main/encode.ts';
import { respond } from '../../../../main/server.ts';

const encoder = createEncoder();
const options: EncodeOptions = { format: 'json' };

type Call = (value: unknown, signal?: AbortSignal) => Promise<unknown>;

const CALLS: readonly [string, Call][] = [
  ['encode', (value, signal) => encoder.encode(value, { ...options, signal })],
  ['body', (value, signal) => encoder.body(value, { ...options, signal })],
  ['stream', (value, signal) => new Response(encoder.stream(value, { ...options, signal })).text()],
  ['encode of an object with it', (rows, signal) => encoder.encode({ rows }, { ...options, signal })],
  ['respond', async (value, signal) => (await respond({ headers: {}, signal }, value)).text()],
  ['respond of an object with it', async (rows, signal) => (await respond({ headers: {}, signal }, { rows })).text()],
];

/** A stream of items, such as a database's cursor, that then waits for ever, ends or fails. */
function cursor(items: readonly unknown[], end: 'wait' | 'end' | 'fail') {
  const left = [...items];
  let isWaiting!: () => void;
  const waiting = new Promise<void>((resolve) => (isWaiting = resolve));
  const stream = new Readable({
    objectMode: true,
    highWaterMark: 1,
    read() {
      if (left.length > 0) this.push(left.shift());
      else if (end === 'end') this.push(null);
      else if (end === 'fail') this.destroy(new Error('the query failed'));
      else isWaiting();
    },
  });
  return { stream, waiting };
}

describe.each(CALLS)('a Node stream as the source of %s', (name, call) => {
  it('is written item by item', async () => {
    const { stream } = cursor([1, { a: 2 }], 'end');
    const result = await call(stream);
    const bytes = result instanceof Blob ? await result.text() : typeof result === 'string' ? result : new TextDecoder().decode(result as Uint8Array);
    expect(JSON.parse(bytes)).toEqual(name.includes('object') ? { rows: [1, { a: 2 }] } : [1, { a: 2 }]);
  });

  it('is destroyed if the call is aborted while an item is pending', async () => {
    const { stream, waiting } = cursor([1], 'wait');
    const control = new AbortController();
    const running = call(stream, control.signal);
    await waiting;
    control.abort(new Error('enough'));
    await expect(running).rejects.toThrow('enough');
    expect(stream.destroyed).toBe(true);
  });

  it('is destroyed after an invalid item', async () => {
    const { stream } = cursor([1, new Blob()], 'end');
    await expect(call(stream)).rejects.toMatchObject({ name: 'EncodeError', code: 'unsupported' });
    expect(stream.destroyed).toBe(true);
  });

  it('gives its error as the cause of an EncodeError', async () => {
    const cause = expect.objectContaining({ message: 'the query failed' }) as Error;
    await expect(call(cursor([1], 'fail').stream)).rejects.toMatchObject({ name: 'EncodeError', code: 'thrown', cause });
  });
});

describe('a Node stream that is not read', () => {
  it('is destroyed if the call was aborted before', async () => {
    for (const [name, call] of CALLS.filter(([name]) => !name.includes('object'))) {
      const { stream } = cursor([1], 'wait');
      await expect(call(stream, AbortSignal.abort(new Error('early')))).rejects.toThrow('early');
      expect(stream.destroyed, name).toBe(true);
    }
  });

  it('is destroyed if the stream of its bytes is cancelled', async () => {
    const { stream } = cursor([1], 'wait');
    await encoder.stream(stream, options).cancel();
    expect(stream.destroyed).toBe(true);
  });

  it('is destroyed if the client has the version, or accepts no format', async () => {
    const etag = 'v1';
    const known = (await respond({ headers: {} }, cursor([], 'end').stream, { etag })).headers.get('etag')!;
    for (const [headers, expected] of [
      [{ 'if-none-match': known }, 304],
      [{ accept: 'image/png' }, 406],
    ] as const) {
      const { stream } = cursor([1], 'wait');
      expect((await respond({ headers }, stream, { etag })).status).toBe(expected);
      expect(stream.destroyed).toBe(true);
    }
  });
});

it('an iterable with a method destroy that is no stream is only closed', async () => {
  const called: string[] = [];
  const source = {
    destroy: () => called.push('destroy'),
    [Symbol.asyncIterator]: () => ({
      next: () => Promise.resolve({ done: false, value: 1n }),
      return: () => Promise.resolve({ done: true, value: called.push('return') }),
    }),
  };
  await expect(encoder.encode(source, options)).rejects.toMatchObject({ code: 'unsupported' });
  expect(called).toEqual(['return']);
});
