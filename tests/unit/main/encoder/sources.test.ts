import { describe, expect, it } from 'vitest';
import { createEncoder, EncodeError, type EncodeOptions } from '../../../../main/encode.ts';

type Call = (value: unknown, options: EncodeOptions) => Promise<unknown>;

/** Reads a stream to its end. */
async function drain(stream: ReadableStream<Uint8Array>): Promise<string> {
  return await new Response(stream).text();
}

const encoder = createEncoder();
const CALLS: readonly [string, Call][] = [
  ['encode', async (value, options) => await encoder.encode(value, options)],
  ['body', async (value, options) => await encoder.body(value, options)],
  ['stream', async (value, options) => await drain(encoder.stream(value, options))],
];
const CASES = CALLS.flatMap(([name, call]) => (['json', 'messagepack'] as const).map((format) => [name, format, call] as const));

/** A promise that never settles. */
const never = new Promise<never>(() => {});

/** Source that blocks after its items. Reports when it is awaited and whether it was closed. */
function waiting(items: readonly unknown[]) {
  const closed: unknown[] = [];
  let isWaitedFor = (): void => {};
  const asked = new Promise<void>((resolve) => (isWaitedFor = resolve));
  const left = [...items];
  const next = async (): Promise<IteratorResult<unknown>> => {
    if (left.length > 0) return { done: false, value: left.shift() };
    isWaitedFor();
    return await never;
  };
  const iterable = {
    [Symbol.asyncIterator]: () => ({
      next,
      async return() {
        closed.push('return');
        return await never;
      },
    }),
  };
  const stream = new ReadableStream<unknown>(
    {
      async pull(controller) {
        controller.enqueue((await next()).value);
      },
      cancel: (reason) => void closed.push(reason),
    },
    { highWaterMark: 0 },
  );
  return { iterable, stream, asked, closed };
}

/** Generator that records whether its `finally` has run. */
function generated(...items: unknown[]) {
  const state = { closed: false };
  async function* source(): AsyncGenerator {
    try {
      yield* items;
      await never;
    } finally {
      state.closed = true;
    }
  }
  return { source: source(), state };
}

describe.each(CASES)('%s of %s', (_name, format, call) => {
  const options = { format, options: { sequence: true } } as EncodeOptions;

  it.each(['iterable', 'stream'] as const)('rejects with the reason of the signal while its %s is pending, and closes it', async (kind) => {
    const source = waiting([1, 2]);
    const control = new AbortController();
    const running = call(source[kind], { ...options, signal: control.signal });
    await source.asked;
    control.abort('no more');
    await expect(running).rejects.toBe('no more');
    expect(source.closed).toEqual([kind === 'stream' ? 'no more' : 'return']);
  });

  it('rejects if the encoder is closed while the source is pending', async () => {
    const own = createEncoder();
    const source = waiting([1]);
    const calls: Record<string, () => Promise<unknown>> = {
      encode: () => own.encode(source.iterable, options),
      body: () => own.body(source.iterable, options),
      stream: () => drain(own.stream(source.iterable, options)),
    };
    const running = calls[_name]!();
    await source.asked;
    own.close();
    await expect(running).rejects.toMatchObject({ name: 'AbortError' });
    expect(source.closed).toEqual(['return']);
  });

  it('closes its source after an invalid item', async () => {
    const bad = format === 'json' ? { a: 1n } : { a: Symbol('no') };
    const { source, state } = generated(1, bad, 3);
    await expect(call(source, options)).rejects.toMatchObject({ code: 'unsupported', path: [1, 'a'] });
    expect(state.closed).toBe(true);
    const { stream, closed } = waiting([1, bad, 3]);
    const error = await call(stream, options).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(EncodeError);
    expect(closed).toEqual([error]);
  });

  it('closes a source before it is read', async () => {
    const early = waiting([1]);
    await expect(call(early.stream, { ...options, signal: AbortSignal.abort('early') })).rejects.toBe('early');
    expect(early.closed).toEqual(['early']);
    const unknown = waiting([1]);
    await expect(call(unknown.iterable, { format: 'avro', schema: 'trip' })).rejects.toThrow('the schema trip is not registered');
    expect(unknown.closed).toEqual(['return']);
  });

  it('rejects with an EncodeError if its source throws, without closing it', async () => {
    const cause = new Error('the source broke');
    let closed = 0;
    const broken = (next: () => Promise<IteratorResult<unknown>>) => ({
      [Symbol.asyncIterator]: () => ({ next, return: () => ((closed += 1), Promise.resolve({ done: true, value: 1 })) }),
    });
    let count = 0;
    const later = broken(() => (count++ === 0 ? Promise.resolve({ done: false, value: 1 }) : Promise.reject(cause)));
    await expect(call(later, options)).rejects.toMatchObject({ name: 'EncodeError', code: 'thrown', format, path: [1], cause });
    const atOnce = broken(() => {
      throw cause;
    });
    await expect(call(atOnce, options)).rejects.toMatchObject({ name: 'EncodeError', code: 'thrown', format, path: [0], cause });
    const stream = new ReadableStream({ start: (controller) => controller.error(cause) });
    await expect(call(stream, options)).rejects.toMatchObject({ name: 'EncodeError', code: 'thrown', format, path: [0], cause });
    expect(closed).toBe(0);
  });
});

describe('stream of a source', () => {
  it('closes it if cancelled while it is pending', async () => {
    for (const kind of ['iterable', 'stream'] as const) {
      const source = waiting([]);
      const reader = encoder.stream(source[kind], { format: 'json' }).getReader();
      const read = reader.read();
      await source.asked;
      await reader.cancel('enough');
      expect(await read).toEqual({ done: true, value: undefined });
      expect(source.closed).toEqual([kind === 'stream' ? 'enough' : 'return']);
    }
  });

  it('closes it if cancelled before it is read', async () => {
    const source = waiting([1]);
    await encoder.stream(source.stream, { format: 'json' }).cancel('enough');
    expect(source.closed).toEqual(['enough']);
  });

  it('closes it if aborted between two reads', async () => {
    const control = new AbortController();
    const { source, state } = generated('x'.repeat(100_000), 'y'.repeat(100_000));
    const reader = encoder.stream(source, { format: 'json', signal: control.signal }).getReader();
    await reader.read();
    control.abort('between');
    await expect(reader.read()).rejects.toBe('between');
    expect(state.closed).toBe(true);
  });

  it('waits for a generator to close if cancelled', async () => {
    let closed = false;
    async function* slow(): AsyncGenerator {
      try {
        for (;;) yield 'x'.repeat(100_000);
      } finally {
        await Promise.resolve();
        closed = true;
      }
    }
    const reader = encoder.stream(slow(), { format: 'json' }).getReader();
    await reader.read();
    await reader.cancel();
    expect(closed).toBe(true);
  });
});

describe.each(CASES)('%s of %s', (_name, format, call) => {
  it('rejects with an EncodeError if its source throws an object that cannot be converted to a string', async () => {
    const cause: unknown = Object.create(null);
    const source = { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(cause) }) };
    await expect(call(source, { format, options: { sequence: true } })).rejects.toMatchObject({
      name: 'EncodeError',
      code: 'thrown',
      cause,
    });
  });
});

describe.each(CASES)('a list inside a value, by %s to %s', (_, format, call) => {
  it('may be an iterator, an async iterable or a stream, whose items are collected', async () => {
    const items = [{ id: 1 }, { id: 2 }];
    async function* later(): AsyncGenerator {
      yield* items;
    }
    const value = { total: 2, now: items.values(), page: { later: later(), stream: streamOf(items) }, none: [].values() };
    const expected = { total: 2, now: items, page: { later: items, stream: items }, none: [] };
    expect(await read(await call(value, { format }))).toEqual(await read(await call(expected, { format })));
  });

  it('is closed, with the others, after an error or an abort', async () => {
    const [first, second] = [waiting([1]), waiting([2])];
    const controller = new AbortController();
    const writing = call({ first: first.iterable, second: second.iterable }, { format, signal: controller.signal });
    await first.asked;
    controller.abort(new Error('enough'));
    await expect(writing).rejects.toThrow('enough');
    expect([first.closed, second.closed]).toEqual([['return'], ['return']]);
    const failing = {
      [Symbol.iterator]: () => ({
        next(): never {
          throw new Error('no more');
        },
      }),
    };
    const error = {
      name: 'EncodeError',
      code: 'thrown',
      format,
      message: expect.stringContaining('a source inside the value threw: Error: no more') as string,
    };
    await expect(call({ failing }, { format })).rejects.toMatchObject(error);
  });
});

function streamOf(items: readonly unknown[]): ReadableStream<unknown> {
  return new ReadableStream({
    start(controller) {
      for (const item of items) controller.enqueue(item);
      controller.close();
    },
  });
}

/** The text or bytes of a result. */
async function read(result: unknown): Promise<unknown> {
  return result instanceof Blob ? new Uint8Array(await result.arrayBuffer()) : result;
}
