import { Packr } from 'msgpackr';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { createDecoder } from '../../../../main/decoder/create-decoder.ts';
import type { ChunkSource } from '../../../../main/live/chunks.ts';
import type { PartialDecodeOptions } from '../../../../main/live/partial.ts';

const decoder = createDecoder();
const encoder = new TextEncoder();

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function all(source: ChunkSource, options?: PartialDecodeOptions): Promise<unknown[]> {
  const values: unknown[] = [];
  for await (const value of decoder.partial(source, options)) values.push(value);
  return values;
}

/** A stream that a test feeds. */
function fed<T>(): {
  stream: ReadableStream<T>;
  push: (chunk: T) => void;
  end: () => void;
  fail: (error: unknown) => void;
  cancelled: () => unknown;
  isRead: () => boolean;
} {
  let controller!: ReadableStreamDefaultController<T>;
  let reason: unknown;
  const stream = new ReadableStream<T>({
    start: (made) => void (controller = made),
    cancel: (why) => void (reason = why),
  });
  return {
    stream,
    push: (chunk) => controller.enqueue(chunk),
    end: () => controller.close(),
    fail: (error) => controller.error(error),
    cancelled: () => reason,
    isRead: () => controller.desiredSize === 1,
  };
}

/** Frames that a test draws. */
function heldFrames(): { draw: () => void; waiting: () => number } {
  const waiting: (() => void)[] = [];
  vi.stubGlobal('requestAnimationFrame', (call: () => void) => waiting.push(call));
  vi.stubGlobal('cancelAnimationFrame', () => {});
  return { draw: () => waiting.splice(0).forEach((call) => call()), waiting: () => waiting.length };
}

describe('decoder.partial', () => {
  test.each<[string, () => ChunkSource]>([
    ['a response', () => new Response('{"a":[1,"x"]}')],
    ['a response of bytes in a stream', () => new Response(new Blob(['{"a":[1,', '"x"]}']).stream())],
    ['bytes', () => encoder.encode('{"a":[1,"x"]}')],
    ['a blob', () => new Blob(['{"a":[1,"x"]}'])],
    [
      'an async iterable of text',
      () =>
        (async function* () {
          yield* ['{"a":', '[1,"x', '"]}'];
        })(),
    ],
    ['a stream of text', () => new Blob(['{"a":[1,"x"]}']).stream().pipeThrough(new TextDecoderStream())],
  ])('ends with the whole value of %s', async (_, source) => {
    expect((await all(source())).at(-1)).toEqual({ a: [1, 'x'] });
  });

  test('takes the format from the type of a response, and from the option', async () => {
    const bytes = Uint8Array.from(new Packr({ useRecords: false }).pack({ a: 'text' }));
    const response = (): Response => new Response(bytes, { headers: { 'content-type': 'application/vnd.msgpack' } });
    expect((await all(response())).at(-1)).toEqual({ a: 'text' });
    expect((await all(bytes, { format: 'messagepack' })).at(-1)).toEqual({ a: 'text' });
  });

  test('gives at most one value a frame, and the latest', async () => {
    const frames = heldFrames();
    const { stream, push, isRead } = fed<string>();
    const values = decoder.partial<string[]>(stream);
    push('["a');
    expect((await values.next()).value).toEqual(['a']);
    const second = values.next();
    push('b');
    await vi.waitFor(() => expect(frames.waiting()).toBe(1));
    push('c');
    await vi.waitFor(() => expect(isRead()).toBe(true));
    frames.draw();
    expect((await second).value).toEqual(['abc']);
    await values.return();
  });

  test('gives the whole value without a frame, which a hidden page does not draw', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const frames = heldFrames();
    const { stream, push, end } = fed<string>();
    const values = decoder.partial<string[]>(stream);
    push('["a');
    expect((await values.next()).value).toEqual(['a']);
    const last = values.next();
    push('b"]');
    await new Promise(setImmediate);
    expect(frames.waiting()).toBe(1);
    end();
    expect((await last).value).toEqual(['ab']);
    expect(await values.next()).toEqual({ done: true, value: undefined });
    expect(vi.getTimerCount()).toBe(0);
  });

  test('ends at once if it is aborted while no frames are drawn', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    heldFrames();
    const { stream, push } = fed<string>();
    const stop = new AbortController();
    const values = decoder.partial(stream, { signal: stop.signal });
    push('[1,');
    await values.next();
    const next = values.next();
    stop.abort(new Error('enough'));
    await expect(next).rejects.toThrow('enough');
    expect(vi.getTimerCount()).toBe(0);
    // The source ends in microtasks, and ends the wait for a frame once more, which needs the stand-ins.
    await new Promise(setImmediate);
  });

  test('gives a value without a further chunk, once there is one', async () => {
    const { stream, push } = fed<string>();
    const values = decoder.partial(stream);
    push('{"a":1,"b');
    expect((await values.next()).value).toEqual({ a: 1 });
    const next = values.next();
    push('":"x');
    expect((await next).value).toEqual({ a: 1, b: 'x' });
    await values.return();
  });

  test('keeps finished parts as they are', async () => {
    const { stream, push, end } = fed<string>();
    const values = decoder.partial<object[]>(stream);
    push('[{"a":1},{"b":"x');
    const first = (await values.next()).value as object[];
    push('y"}]');
    end();
    let last: object[] = [];
    for await (const value of values) last = value;
    expect(last).toEqual([{ a: 1 }, { b: 'xy' }]);
    expect(last[0]).toBe(first[0]);
    expect(first).toEqual([{ a: 1 }, { b: 'x' }]);
  });

  test('picks the text out of server-sent events', async () => {
    const body = ['{"na', 'me": "An', 'na"}'].map((text) => `data: ${JSON.stringify({ delta: text })}\n\n`).join('');
    const values = await all(
      new Response(`event: start\ndata: {}\n\n${body}data: [DONE]\n\n`, { headers: { 'content-type': 'text/event-stream' } }),
      {
        delta: ({ type, data }) => (type === 'start' || data === '[DONE]' ? undefined : (JSON.parse(data) as { delta: string }).delta),
      },
    );
    expect(values.at(-1)).toEqual({ name: 'Anna' });
  });

  test('reads JSON in prose, and numbers that grow', async () => {
    const values = await all(
      (async function* () {
        yield 'Sure:\n```json\n{"n": 12';
        yield '3}\n```';
      })(),
      { prose: true, numbers: 'growing' },
    );
    expect(values.at(-1)).toEqual({ n: 123 });
  });

  test('rejects with the error of a decode, after the value before it', async () => {
    const values: unknown[] = [];
    const loop = (async () => {
      for await (const value of decoder.partial(
        (async function* () {
          yield '{"a":1,"b":tru';
          yield 'x}';
        })(),
      ))
        values.push(value);
    })();
    await expect(loop).rejects.toThrow(expect.objectContaining({ code: 'malformed', format: 'json', offset: 14, path: ['b'] }));
    expect(values.at(-1)).toEqual({ a: 1 });
  });

  test('rejects with what the source rejects with', async () => {
    const { stream, push, fail } = fed<string>();
    const values = decoder.partial(stream);
    push('[1,');
    expect((await values.next()).value).toEqual([1]);
    fail(new RangeError('broken'));
    await expect(values.next()).rejects.toThrow('broken');
    expect(await values.next()).toEqual({ done: true, value: undefined });
  });

  test("rejects with the signal's reason, and cancels the source", async () => {
    const { stream, push, cancelled } = fed<string>();
    const stop = new AbortController();
    const values = decoder.partial(stream, { signal: stop.signal });
    push('[1,');
    await values.next();
    const next = values.next();
    stop.abort(new Error('enough'));
    await expect(next).rejects.toThrow('enough');
    await vi.waitFor(() => expect(cancelled()).toBeInstanceOf(Error));
    await expect(all(fed<string>().stream, { signal: AbortSignal.abort(new Error('before')) })).rejects.toThrow('before');
  });

  test('ends with the decoder', async () => {
    const own = createDecoder();
    const { stream, push } = fed<string>();
    const values = own.partial(stream);
    push('[1,');
    await values.next();
    const next = values.next();
    own.close();
    await expect(next).rejects.toThrow('The decoder is closed');
    await expect(own.partial(new Response('1')).next()).rejects.toThrow('The decoder is closed');
    expect(own.stats().pending).toBe(0);
  });

  test('cancels the source if the loop is left, or throws', async () => {
    const { stream, push, cancelled } = fed<string>();
    push('[1,');
    await expect(
      (async () => {
        for await (const value of decoder.partial(stream)) throw new Error(`used ${JSON.stringify(value)}`);
      })(),
    ).rejects.toThrow('used [1]');
    await vi.waitFor(() => expect(cancelled()).toMatchObject({ name: 'AbortError' }));
    expect(decoder.stats().pending).toBe(0);
  });

  test('rejects with the error that delta throws, after the value before it, and cancels the source', async () => {
    const { stream, push, cancelled } = fed<string>();
    const delta = ({ data }: { data: string }): string => {
      if (data === 'bad') throw new RangeError('thrown by delta');
      return data;
    };
    const values = decoder.partial(stream, { delta });
    push('data: [1,\n\n');
    expect((await values.next()).value).toEqual([1]);
    const next = values.next();
    push('data: 2,\n\ndata: bad\n\n');
    await expect(next.then(() => values.next())).rejects.toThrow('thrown by delta');
    await vi.waitFor(() => expect(cancelled()).toBeInstanceOf(Error));
    expect(decoder.stats().pending).toBe(0);
  });

  test.each<[string, string, object]>([
    ['delta throws', 'data: bad\n\n', {}],
    ['an event exceeds the limit', `data: ${'x'.repeat(200)}\n\n`, { limits: { stringLength: 100 } }],
  ])('gives what came before an error in the same chunk, if %s', async (_, bad, options) => {
    const delta = ({ data }: { data: string }): string => {
      if (data === 'bad') throw new RangeError('an event of over 100 characters is bad');
      return data;
    };
    const values: unknown[] = [];
    const loop = (async () => {
      for await (const value of decoder.partial(new Response(`data: [1,\n\ndata: 2,\n\n${bad}`), { ...options, format: 'json', delta }))
        values.push(value);
    })();
    await expect(loop).rejects.toThrow('an event of over 100 characters');
    expect(values.at(-1)).toEqual([1, 2]);
  });

  test('ends with what a schema makes of the whole value, or rejects with its issues after the value', async () => {
    const Plan = z.object({ day: z.string().transform((text) => new Date(text)), stops: z.array(z.string()) });
    const texts = async function* (text: string): AsyncGenerator<string> {
      for (const piece of text.match(/.{1,8}/g)!) yield piece;
    };
    const values: unknown[] = [];
    for await (const value of decoder.partial(texts('{"day":"2026-01-02","stops":["a","b"]}'), { validate: Plan })) values.push(value);
    expect(values.slice(-2)).toEqual([
      { day: '2026-01-02', stops: ['a', 'b'] },
      { day: new Date('2026-01-02'), stops: ['a', 'b'] },
    ]);
    const seen: unknown[] = [];
    const loop = (async () => {
      for await (const value of decoder.partial(texts('{"day":"2026-01-02","stops":["a",5]}'), { validate: Plan, label: 'plan' })) seen.push(value);
    })();
    await expect(loop).rejects.toThrow(
      expect.objectContaining({ name: 'ValidationError', label: 'plan', issues: [expect.objectContaining({ path: ['stops', 1] })] }),
    );
    expect(seen.at(-1)).toEqual({ day: '2026-01-02', stops: ['a', 5] });
    await expect(all(new Response('[1'), { validate: z.array(z.number()) } as object)).rejects.toMatchObject({ code: 'truncated' });
    expect(decoder.stats().pending).toBe(0);
  });

  test.each<[string, object]>([
    ['the value of an option', { numbers: 'all' }],
    ['an option that does not exist', { growing: true }],
    ['a format that does not exist', { format: 'xml' }],
    ['a format without a schema', { format: 'protobuf' }],
    ['a signal that has aborted', { signal: AbortSignal.abort(new Error('aborted')) }],
    ['an option that the format does not have', { format: 'messagepack', numbers: 'growing' }],
  ])('cancels the source if it refuses %s', async (_, options) => {
    const { stream, cancelled } = fed<string>();
    const error: unknown = await all(stream, options).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    expect(cancelled()).toBe(error);
    expect(decoder.stats().pending).toBe(0);
  });

  test('refuses a text, and options that do not exist', async () => {
    await expect(all('{}' as never)).rejects.toThrow('cannot decode a string');
    await expect(all(new Response('{}'), { numbers: 'all' as 'growing' })).rejects.toThrow('invalid option numbers');
    await expect(all(new Response('{}'), { format: 'xml' as 'json' })).rejects.toThrow('invalid option format: xml');
    expect(decoder.stats().pending).toBe(0);
  });
});
