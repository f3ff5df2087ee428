import { Packr } from 'msgpackr';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { DecodeError, NetworkError } from '../../../../core/errors.ts';
import { createDecoder } from '../../../../main/decoder/create-decoder.ts';
import type { MessageSource } from '../../../../core/messages/listen.ts';
import type { MessageOptions } from '../../../../main/live/messages.ts';
import { type Connection, serveSockets, type SocketServer } from '../../../setup/servers/socket-server.ts';

const decoder = createDecoder();
const packr = new Packr({ useRecords: false });
const pack = (value: unknown): Uint8Array => packr.pack(value);
let server: SocketServer;

beforeAll(async () => {
  server = await serveSockets();
});
afterAll(() => server.close());

const source = ({ client }: Connection): MessageSource => client;

const rethrow = (error: unknown): never => {
  throw error;
};

async function take<T>(messages: AsyncIterable<T>, count = Infinity): Promise<T[]> {
  const taken: T[] = [];
  for await (const message of messages) if (taken.push(message) >= count) break;
  return taken;
}

describe('messages of a WebSocket', () => {
  test('decodes small and large messages in order until the socket closes', async () => {
    const connection = await server.connect();
    const values = Array.from({ length: 200 }, (_, id) => ({ id, text: 'x'.repeat(id % 50 === 7 ? 300_000 : id) }));
    const reading = take(decoder.messages(source(connection), { format: 'messagepack' }));
    for (const value of values) connection.server.send(pack(value));
    connection.server.close(1000);
    expect(await reading).toEqual(values);
  });

  test('decodes text as JSON, and bytes in the format detected from the first ones', async () => {
    const connection = await server.connect();
    const reading = take(decoder.messages(source(connection)));
    connection.server.send('{"a":"é"}');
    connection.server.send(pack({ b: [1, 2, 3], c: 'text' }));
    connection.server.close();
    expect(await reading).toEqual([{ a: 'é' }, { b: [1, 2, 3], c: 'text' }]);
  });

  test('decodes messages with a schema', async () => {
    const own = createDecoder({
      schemas: {
        tick: { format: 'protobuf', schema: { proto: 'syntax = "proto3"; message Tick { int32 id = 1; string name = 2; }', message: 'Tick' } },
      },
    });
    const connection = await server.connect();
    const reading = take(own.messages(source(connection), { schema: 'tick' }));
    for (const id of [1, 2, 3]) connection.server.send(Uint8Array.of(8, id, 18, 1, 0x61));
    connection.server.close();
    expect(await reading).toEqual([1, 2, 3].map((id) => ({ id, name: 'a' })));
  });

  describe.each([
    ['replace', '\uFFFD('],
    ['bytes', Uint8Array.of(0xc3, 0x28)],
  ] as const)('with invalidText %s', (invalidText, text) => {
    test.each([{ policy: 'queue' }, { policy: 'latest', key: 'name' }, { policy: 'latest', key: 'name', batch: true }] as const)(
      'gives messages whose text is not valid UTF-8, also in their keys, by %j',
      async (how) => {
        const connection = await server.connect();
        const reading = take(decoder.messages(source(connection), { format: 'messagepack', invalidText, ...how } as MessageOptions));
        for (const id of [1, 2]) connection.server.send(Uint8Array.of(0x82, ...pack('name'), 0xa2, 0xc3, 0x28, ...pack('id'), id));
        connection.server.close(1000);
        expect((await reading).flat().at(-1)).toEqual({ name: text, id: 2 });
      },
    );
  });

  test('removes its listeners and leaves the socket open if the loop is left', async () => {
    const connection = await server.connect();
    const reading = take(decoder.messages(source(connection)), 1);
    connection.server.send('1');
    expect(await reading).toEqual([1]);
    expect(connection.client.readyState).toBe(WebSocket.OPEN);
    expect(['message', 'close', 'error'].map((type) => connection.client.listenerCount(type))).toEqual([0, 0, 0]);
    expect(decoder.stats().pending).toBe(0);
  });

  test('rejects after the last message if the connection breaks', async () => {
    const connection = await server.connect();
    const messages = decoder.messages(source(connection));
    const first = messages.next();
    connection.server.send('1');
    expect((await first).value).toBe(1);
    const next = messages.next();
    connection.server.terminate();
    await expect(next).rejects.toThrow('the socket was closed with the code 1006');
    await expect(take(decoder.messages(source(connection)))).resolves.toEqual([]);
  });

  test.each<[string, number, string, (connection: Connection) => void]>([
    ['the server goes away', 1001, '', ({ server: end }) => end.close(1001)],
    ['the server refuses a message', 1008, ': policy', ({ server: end }) => end.close(1008, 'policy')],
    ['the server fails', 1011, ': no memory', ({ server: end }) => end.close(1011, 'no memory')],
    ['the server restarts', 1012, '', ({ server: end }) => end.close(1012)],
    ['the server is overloaded', 1013, '', ({ server: end }) => end.close(1013)],
    ['a code of the application', 4001, ': logged out', ({ server: end }) => end.close(4001, 'logged out')],
  ])('rejects after the last message with a NetworkError that names code and reason: %s', async (_, code, reason, close) => {
    for (const batch of [false, true]) {
      const connection = await server.connect();
      const taken: unknown[] = [];
      const reading = (async () => {
        for await (const some of decoder.messages(source(connection), { batch: batch as false })) taken.push(...[some].flat());
      })();
      connection.server.send('1');
      connection.server.send('2');
      close(connection);
      await expect(reading).rejects.toThrow(new NetworkError(`the socket was closed with the code ${code}${reason}`, 0));
      expect(taken).toEqual([1, 2]);
    }
  });

  test('ends normally if either side closes with the code 1000 or without one', async () => {
    const closes: readonly ((connection: Connection) => void)[] = [
      ({ server: end }) => end.close(1000, 'done'),
      ({ server: end }) => end.close(),
      ({ client }) => client.close(1000),
      ({ client }) => client.close(),
    ];
    for (const close of closes) {
      const connection = await server.connect();
      const messages = decoder.messages(source(connection));
      const first = messages.next();
      connection.server.send('1');
      expect((await first).value).toBe(1);
      close(connection);
      expect(await messages.next()).toEqual({ done: true, value: undefined });
    }
  });

  test('connects again in a loop that ends at a normal end alone', async () => {
    const codes = [1001, 1012, 4000, 1000];
    const ticks: unknown[] = [];
    let connections = 0;
    for (;;) {
      const connection = await server.connect();
      const reading = (async () => {
        for await (const tick of decoder.messages(source(connection))) ticks.push(tick);
      })();
      connection.server.send(String(connections));
      connection.server.close(codes[connections++]);
      try {
        await reading;
        break;
      } catch (error) {
        if (!(error instanceof NetworkError)) throw error;
      }
    }
    expect(connections).toBe(codes.length);
    expect(ticks).toEqual([0, 1, 2, 3]);
  });

  test('skips and counts invalid messages with onError, and rejects at the first one without it', async () => {
    const connection = await server.connect();
    const counts = { received: 0, dropped: 0, waiting: 0 };
    const errors: unknown[] = [];
    const onError = (error: unknown, data: unknown): void => void errors.push((error as Error).message, data);
    const reading = take(decoder.messages(source(connection), { counts, onError }));
    for (const text of ['1', '{"a":', '3']) connection.server.send(text);
    connection.server.close();
    expect(await reading).toEqual([1, 3]);
    expect(errors).toEqual(['the input ends inside an object (json, byte 5, at $.a)', '{"a":']);
    expect(counts).toEqual({ received: 3, dropped: 1, waiting: 0 });

    const other = await server.connect();
    const broken = take(decoder.messages(source(other), { format: 'messagepack' }));
    other.server.send(Uint8Array.of(0xa5, 0x61));
    await expect(broken).rejects.toThrow(expect.objectContaining({ code: 'truncated', format: 'messagepack' }));
    expect(other.client.listenerCount('message')).toBe(0);
  });

  test("counts invalid messages with onError: 'skip', and refuses other words", async () => {
    for (const batch of [true, false]) {
      const connection = await server.connect();
      const counts = { received: 0, dropped: 0, waiting: 0 };
      const reading = take(decoder.messages(source(connection), { counts, onError: 'skip', batch: batch as false }));
      for (const text of ['1', '{"a":', '', '4']) connection.server.send(text);
      connection.server.close();
      expect((await reading).flat()).toEqual([1, 4]);
      expect(counts).toEqual({ received: 4, dropped: 2, waiting: 0 });
    }
    const connection = await server.connect();
    const refused = decoder.messages(source(connection), { onError: 'ignore' as 'skip' }).next();
    await expect(refused).rejects.toThrow('invalid option onError: ignore; expected skip or a function');
  });

  test.each<[string, MessageOptions]>([
    ['queue', { policy: 'queue' }],
    ['drop', { policy: 'drop' }],
    ['latest', { policy: 'latest', key: 'id' }],
    ['a function that throws', { onError: rethrow }],
  ])('gives the messages before an invalid one first, in batches as well: %s', async (_, options) => {
    for (const batch of [true, false]) {
      const connection = await server.connect();
      const taken: unknown[] = [];
      const counts = { dropped: 0 };
      const reading = (async () => {
        for await (const some of decoder.messages(source(connection), { ...options, counts, batch: batch as false })) taken.push(...[some].flat());
      })();
      for (let id = 0; id < 10; id += 1) connection.server.send(`{"id":${id}}`);
      connection.server.send('{"id":');
      connection.server.send('{"id":10}');
      await expect(reading).rejects.toThrow('the input ends inside an object');
      expect(taken).toEqual(Array.from({ length: 10 }, (__, id) => ({ id })));
      expect(counts.dropped).toBe(options.onError ? 1 : 0);
    }
  });

  test('ends the loop with the error that onError throws', async () => {
    const connection = await server.connect();
    const onError = (): never => {
      throw new RangeError('thrown by onError');
    };
    const messages = decoder.messages(source(connection), { onError });
    const first = messages.next();
    connection.server.send('1');
    expect((await first).value).toBe(1);
    const next = messages.next();
    connection.server.send('{');
    await expect(next).rejects.toThrow(RangeError);
    expect(connection.client.listenerCount('message')).toBe(0);
    expect(decoder.stats().pending).toBe(0);
  });

  test('rejects with the reason of an aborted signal, and if the decoder closes', async () => {
    const connection = await server.connect();
    const stop = new AbortController();
    const next = decoder.messages(source(connection), { signal: stop.signal }).next();
    stop.abort(new Error('enough'));
    await expect(next).rejects.toThrow('enough');
    const own = createDecoder();
    const other = own.messages(source(connection)).next();
    await vi.waitFor(() => expect(own.stats().pending).toBe(1));
    own.close();
    await expect(other).rejects.toThrow('The decoder is closed');
    await vi.waitFor(() => expect(connection.client.listenerCount('message')).toBe(0));
  });

  test('drops the part of a message in which the connection ends: breaks are a NetworkError, a normal close is the end', async () => {
    const broken = await server.connect();
    const closed = await server.connect();
    const taken: unknown[] = [];
    const reading = (async () => {
      for await (const value of decoder.messages(source(broken))) taken.push(value);
    })();
    broken.server.send('1');
    broken.server.send('{"a":', { fin: false }, () => broken.server.terminate());
    await expect(reading).rejects.toThrow(NetworkError);
    expect(taken).toEqual([1]);
    const other = take(decoder.messages(source(closed)));
    closed.server.send('2');
    closed.server.send('{"a":', { fin: false });
    closed.server.close(1000);
    expect(await other).toEqual([2]);
  });

  test.each(['limit', 'limitBytes'])('refuses a %s that is no whole number from 1', async (name) => {
    const connection = await server.connect();
    for (const most of [0, -1, 1.5, Number.NaN, -Infinity]) {
      const reading = take(decoder.messages(source(connection), { [name]: most }));
      await expect(reading).rejects.toThrow(new TypeError(`invalid option ${name}: ${most}; expected a whole number from 1`));
    }
    expect(connection.client.listenerCount('message')).toBe(0);
  });

  test('ends with the reason of the signal at any point, and removes its listeners', async () => {
    const large = JSON.stringify(Array.from({ length: 100_000 }, (_, id) => ({ id })));
    /** Messages sent, and values taken, before the abort. */
    const points: Readonly<Record<string, { texts: string[]; taken: number; options?: MessageOptions }>> = {
      'before the first message': { texts: [], taken: 0 },
      'between messages that wait': { texts: ['1', '2', '3'], taken: 1 },
      'before the next message': { texts: ['1'], taken: 1 },
      'in a large message': { texts: ['1', large], taken: 1 },
      'between batches': { texts: ['1', '2'], taken: 1, options: { batch: true } },
      'between the latest': { texts: ['1', '2'], taken: 1, options: { policy: 'latest' } },
    };
    for (const [point, { texts, taken, options }] of Object.entries(points)) {
      const connection = await server.connect();
      const stop = new AbortController();
      const messages = decoder.messages(source(connection), { ...options, signal: stop.signal });
      const first = messages.next();
      for (const text of texts) connection.server.send(text);
      if (taken > 0) await first;
      const next = taken > 0 ? messages.next() : first;
      stop.abort(new Error(point));
      await expect(next).rejects.toThrow(point);
      expect(connection.client.listenerCount('message')).toBe(0);
      expect(decoder.stats().pending).toBe(0);
    }
  });

  test('rejects unknown policies and sources', async () => {
    const connection = await server.connect();
    await expect(take(decoder.messages(source(connection), { policy: 'newest' as 'latest' }))).rejects.toThrow('expected one of queue, drop, latest');
    await expect(take(decoder.messages(5 as never))).rejects.toThrow('cannot decode 5');
  });

  test.each<[string, object]>([
    ['an unknown policy', { policy: 'newest' }],
    ['an option that does not exist', { batches: true }],
    ['the key of a format that does not exist', { format: 'xml', key: 'id' }],
    ['a signal that has aborted', { signal: AbortSignal.abort(new Error('aborted')) }],
  ])('cancels a stream and ends an iterable that it refuses for %s, and leaves a socket open', async (_, options) => {
    const ended: string[] = [];
    const stream = new ReadableStream<string>({ start: (to) => to.enqueue('1'), cancel: () => void ended.push('stream') });
    await expect(take(decoder.messages(stream, options))).rejects.toThrow(Error);
    const iterable = { [Symbol.asyncIterator]: () => ({ next: async () => ({ value: '1' }), return: async () => void ended.push('iterable') }) };
    await expect(take(decoder.messages(iterable as never, options))).rejects.toThrow(Error);
    expect(ended).toEqual(['stream', 'iterable']);
    const connection = await server.connect();
    await expect(take(decoder.messages(source(connection), options))).rejects.toThrow(Error);
    expect(connection.client.readyState).toBe(WebSocket.OPEN);
    expect(connection.client.listenerCount('message')).toBe(0);
    expect(decoder.stats().pending).toBe(0);
  });
});

function streamOf(messages: readonly unknown[]): ReadableStream<unknown> {
  return new ReadableStream({
    start(controller) {
      for (const message of messages) controller.enqueue(message);
      controller.close();
    },
  });
}

/** A target of messages that a test sends at once, while nothing is taken. */
class Channel extends EventTarget {
  send(...all: unknown[]): void {
    for (const data of all) this.dispatchEvent(Object.assign(new Event('message'), { data }));
  }
  end(): void {
    this.dispatchEvent(new Event('close'));
  }
}

describe('texts with lone surrogates', () => {
  const texts = ['"a\ud800b"', '{"\udc00":["\ud83d\ude00\ud83d","\\\\\ud800"]}', `"${'x'.repeat(20_000)}\udfff"`];

  test('keep them in messages of JSON, as JSON.parse does', async () => {
    expect(texts.every((text) => /\p{Surrogate}/u.test(text))).toBe(true);
    const channel = new Channel();
    const reading = take(decoder.messages(channel));
    channel.send(...texts);
    channel.end();
    expect(await reading).toEqual(texts.map((text) => JSON.parse(text) as unknown));
  });

  test('are refused where JSON.parse refuses them', async () => {
    for (const text of ['"\\\ud800"', '\ud800', '[1\udc00]']) {
      expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
      await expect(take(decoder.messages(streamOf([text])))).rejects.toThrow(DecodeError);
    }
  });
});

describe('messages that arrive faster than they are consumed', () => {
  const flood = async (
    count: number,
    options: MessageOptions,
  ): Promise<{ values: unknown[]; counts: Required<MessageOptions>['counts']; error?: unknown }> => {
    const channel = new Channel();
    const counts = {};
    const messages = decoder.messages(channel, { counts, ...options });
    const first = messages.next();
    // The listener of the code that is loaded replaces the first one.
    channel.send('0');
    const values = [(await first).value];
    for (let id = 1; id <= count; id += 1) channel.send(`${id}`);
    channel.end();
    try {
      for await (const value of messages) values.push(value);
    } catch (error) {
      return { values, counts, error };
    }
    return { values, counts };
  };

  test('queues messages until they are consumed', async () => {
    const { values, counts } = await flood(5_000, { policy: 'queue' });
    expect(values).toEqual(Array.from({ length: 5_001 }, (_, id) => id));
    expect(counts).toEqual({ received: 5_001, dropped: 0, waiting: 0 });
  });

  test('yields the queued messages, then throws a LimitError, if the queue exceeds its limit', async () => {
    const { values, error } = await flood(20, { limit: 5 });
    expect(values).toEqual([0, 1, 2, 3, 4, 5]);
    expect(error).toMatchObject({ name: 'LimitError', limit: 'queue' });
  });

  test('limits the bytes of the queue, too', async () => {
    const { values, error } = await flood(20, { limitBytes: 5 });
    expect(values).toEqual([0, 1, 2, 3, 4, 5]);
    expect(error).toMatchObject({ limit: 'queue', message: expect.stringContaining('5 messages wait') });
  });

  test('drops the oldest queued messages with policy: drop', async () => {
    const { values, counts } = await flood(200_000, { policy: 'drop', limit: 3 });
    expect(values).toEqual([0, 199_998, 199_999, 200_000]);
    expect(counts).toEqual({ received: 200_001, dropped: 199_997, waiting: 0 });
  });

  test('keeps the latest message of each key, in order of arrival, with policy: latest', async () => {
    const { values, counts } = await flood(99, { policy: 'latest', key: (data) => Number(data) % 3 });
    expect(values).toEqual([0, 97, 98, 99]);
    expect(counts).toEqual({ received: 100, dropped: 96, waiting: 0 });
    expect((await flood(99, { policy: 'latest' })).values).toEqual([0, 99]);
  });

  test('reads the key at a path of the value, with an own key for each message that is no value', async () => {
    const messages = ['{"a":{"b":1},"id":1}', pack({ a: { b: 2 }, id: 2 }), '{"a":{"b":1},"id":3}', '{"a":', pack({ a: { b: 2 }, id: 4 }), '{"a":'];
    const failed: unknown[] = [];
    const onError = (_: unknown, data: unknown): unknown => failed.push(data);
    const json = messages.filter((message) => typeof message === 'string');
    const options = { policy: 'latest', key: 'a.b', onError } as const;
    const ids = async (all: readonly unknown[], more?: MessageOptions): Promise<number[]> => {
      const channel = new Channel();
      const values = take(decoder.messages<{ id: number }>(channel, { ...options, ...more } as typeof options));
      channel.send(...all);
      channel.end();
      return (await values).map(({ id }) => id);
    };
    expect(await ids(json)).toEqual([3]);
    expect(failed).toEqual(['{"a":', '{"a":']);
    expect(
      await ids(
        messages.filter((message) => typeof message !== 'string'),
        { format: 'messagepack' },
      ),
    ).toEqual([4]);
  });

  test('ends the loop with the error that the key function throws', async () => {
    const key = (data: unknown): unknown => {
      if (data === '3') throw new RangeError('no key');
      return data;
    };
    const { values, error } = await flood(5, { policy: 'latest', key });
    expect(values).toEqual([0, 1, 2]);
    expect(error).toEqual(new RangeError('no key'));
  });

  test('yields one array of messages per frame with batch: true', async () => {
    const { values } = await flood(50, { batch: true });
    expect(values).toEqual([[0], Array.from({ length: 50 }, (_, id) => id + 1)]);
  });

  test('reads an async iterable no further ahead than the limit', async () => {
    let made = 0;
    const counts = { waiting: 0 };
    const numbers = async function* (): AsyncGenerator<string> {
      while (made < 100) yield `${(made += 1)}`;
    };
    const messages = decoder.messages(numbers(), { limit: 4, counts });
    expect((await messages.next()).value).toBe(1);
    await vi.waitFor(() => expect(counts.waiting).toBe(4));
    expect(made).toBe(5);
    expect(await take(messages)).toHaveLength(99);
  });
});

describe('a page that draws no frames', () => {
  /** A page whose frames and timers never come. */
  const hide = (): void => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    vi.stubGlobal('requestAnimationFrame', () => 1);
    vi.stubGlobal('cancelAnimationFrame', () => {});
    vi.stubGlobal('document', { hidden: true });
    onTestFinished(() => {
      vi.useRealTimers();
      vi.unstubAllGlobals();
    });
  };
  const texts = (from: number, to: number): string[] => Array.from({ length: to - from }, (_, at) => `${from + at}`);
  const numbers = (from: number, to: number): number[] => texts(from, to).map(Number);

  test('gives a batch once a queue is half full, and the rest at the end', async () => {
    const channel = new Channel();
    const messages = decoder.messages(channel, { batch: true, limit: 10, limitBytes: 1_000 });
    const first = messages.next();
    channel.send('0');
    expect((await first).value).toEqual([0]);
    hide();
    const second = messages.next();
    channel.send(...texts(1, 6));
    expect((await second).value).toEqual(numbers(1, 6));
    const third = messages.next();
    channel.send('6', `"${'x'.repeat(600)}"`);
    expect((await third).value).toEqual([6, 'x'.repeat(600)]);
    const last = messages.next();
    channel.send('7');
    channel.end();
    expect((await last).value).toEqual([7]);
    expect((await messages.next()).done).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('keeps the latest messages until a frame is drawn, and ends at once if it is aborted', async () => {
    const channel = new Channel();
    const counts = { waiting: 0 };
    const stop = new AbortController();
    const options = { batch: true, policy: 'latest', key: (data: unknown) => Number(data) % 3, counts, signal: stop.signal } as const;
    const messages = decoder.messages(channel, options);
    const first = messages.next();
    channel.send('0');
    expect((await first).value).toEqual([0]);
    hide();
    let draw = (): void => {};
    vi.stubGlobal('requestAnimationFrame', (call: () => void) => (draw = call));
    const second = messages.next();
    await new Promise(setImmediate);
    channel.send(...texts(1, 5_000));
    expect(counts.waiting).toBe(3);
    draw();
    expect((await second).value).toEqual([4_997, 4_998, 4_999]);
    const third = messages.next();
    await new Promise(setImmediate);
    stop.abort(new Error('enough'));
    await expect(third).rejects.toThrow('enough');
    expect(vi.getTimerCount()).toBe(0);
  });

  test('reads an iterable on, half a queue at a time', async () => {
    hide();
    async function* source(): AsyncGenerator<string> {
      yield* texts(0, 100);
    }
    const batches = await take(decoder.messages<number>(source(), { batch: true, limit: 10 }));
    expect(batches.flat()).toEqual(numbers(0, 100));
    expect(Math.max(...batches.map(({ length }) => length))).toBeLessThanOrEqual(10);
  });
});

describe('a flood of messages that are there at once', () => {
  const SENT = 2_000;
  const KEYS = 10;
  const OPTIONS: Readonly<Record<string, { options: MessageOptions; most: number }>> = {
    queue: { options: { policy: 'queue', limit: 100 }, most: 100 },
    'a queue in batches': { options: { policy: 'queue', limit: 100, batch: true }, most: 100 },
    drop: { options: { policy: 'drop', limit: 100 }, most: 100 },
    'drop in batches': { options: { policy: 'drop', limit: 100, batch: true }, most: 100 },
    latest: { options: { policy: 'latest', key: (data) => Number(data) % KEYS }, most: KEYS },
    'latest in batches': { options: { policy: 'latest', key: 'key', batch: true }, most: KEYS },
  };

  test.each(Object.entries(OPTIONS))('is bounded, in order and counted, and other tasks run meanwhile: %s', async (_, { options, most }) => {
    // Each look at the clock is a millisecond.
    let now = performance.now();
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 1));
    onTestFinished(() => clock.mockRestore());
    const counts = { received: 0, dropped: 0, waiting: 0 };
    let highest = 0;
    async function* source(): AsyncGenerator<string> {
      for (let id = 0; id < SENT; id += 1) {
        yield options.key === 'key' ? `{"key":${id % KEYS},"id":${id}}` : `${id}`;
        highest = Math.max(highest, counts.waiting);
      }
      isSent = true;
    }
    let tasks = 0;
    let isSent = false;
    const tick = (): void => {
      tasks += 1;
      if (!isSent) setImmediate(tick);
    };
    setImmediate(tick);
    const taken: number[] = [];
    for await (const given of decoder.messages<number | { id: number }>(source(), { ...options, counts } as MessageOptions)) {
      for (const value of [given].flat() as (number | { id: number })[]) taken.push(typeof value === 'number' ? value : value.id);
    }
    expect(highest).toBeLessThanOrEqual(most);
    expect(counts).toEqual({ received: SENT, dropped: SENT - taken.length, waiting: 0 });
    expect(taken).toEqual(taken.toSorted((a, b) => a - b));
    expect(taken.at(-1)).toBe(SENT - 1);
    if (options.policy === 'queue') expect(taken).toHaveLength(SENT);
    expect(tasks).toBeGreaterThan(10);
  });

  test('keeps the bytes bounded when large messages replace many small ones', async () => {
    const counts = { received: 0, dropped: 0, waiting: 0 };
    const channel = new Channel();
    const messages = decoder.messages<string>(channel, { policy: 'drop', limitBytes: 1_000, counts });
    const first = messages.next();
    channel.send('"first"');
    await first;
    channel.send(...Array.from({ length: 400 }, (_, id) => `${id % 10}`));
    for (let id = 0; id < 50; id += 1) {
      channel.send(`"${String(id).padStart(298, 'x')}"`);
      if (id > 4) expect(counts.waiting).toBeLessThanOrEqual(4);
    }
    channel.end();
    const taken = await take(messages);
    expect(taken.map((text) => Number(text.slice(-2)))).toEqual([46, 47, 48, 49]);
    expect(counts).toEqual({ received: 451, dropped: 446, waiting: 0 });
  });
});

describe('messages from other sources', () => {
  test('reads messages from a MessagePort, a stream, a WebSocketStream and a BroadcastChannel', async () => {
    const { port1, port2 } = new MessageChannel();
    port2.postMessage('{"a":1}');
    port2.postMessage({ b: 2 });
    expect(await take(decoder.messages(port1 as unknown as MessageSource), 2)).toEqual([{ a: 1 }, { b: 2 }]);
    port1.close();

    const readable = (): ReadableStream<unknown> => streamOf(['1', pack([2])]);
    expect(await take(decoder.messages(readable()))).toEqual([1, [2]]);
    expect(await take(decoder.messages({ opened: Promise.resolve({ readable: readable() }) }))).toEqual([1, [2]]);
    await expect(take(decoder.messages({ opened: Promise.reject(new Error('refused')) }))).rejects.toThrow('refused');

    const [sender, receiver] = [new BroadcastChannel('test'), new BroadcastChannel('test')];
    const next = take(decoder.messages(receiver as unknown as MessageSource), 1);
    sender.postMessage('3');
    expect(await next).toEqual([3]);
    sender.close();
    receiver.close();
  });

  test('decodes messages as rows', async () => {
    const rows = JSON.stringify({ trips: [{ id: 1 }, { id: 2 }] });
    const [value] = await take(decoder.messages<{ trips: { column(name: string): unknown } }>(streamOf([rows]), { as: 'rows' }));
    expect(value!.trips.column('id')).toEqual(Int32Array.of(1, 2));
  });

  test('rejects with the place where a message of a stream is cut, after the messages before it, and cancels the stream', async () => {
    const whole = pack({ id: 1, name: 'abc' });
    const taken: unknown[] = [];
    for (let cut = 1; cut < whole.length; cut += 1) {
      const cancelled = vi.fn();
      const stream = new ReadableStream<Uint8Array>(
        {
          pull(controller) {
            controller.enqueue(whole.slice());
            controller.enqueue(whole.slice(0, cut));
          },
          cancel: cancelled,
        },
        { highWaterMark: 0 },
      );
      const reading = (async () => {
        for await (const value of decoder.messages(stream, { format: 'messagepack', limit: 2 })) taken.push(value);
      })();
      await expect(reading).rejects.toThrow(expect.objectContaining({ code: 'truncated', offset: cut, format: 'messagepack' }));
      expect(cancelled).toHaveBeenCalledOnce();
    }
    expect(taken).toEqual(Array.from({ length: whole.length - 1 }, () => ({ id: 1, name: 'abc' })));
  });

  test('cancels the stream if the body of the loop throws', async () => {
    const cancelled = vi.fn();
    const stream = new ReadableStream<string>({ start: (controller) => controller.enqueue('1'), cancel: cancelled });
    await expect(
      (async () => {
        for await (const value of decoder.messages(stream)) throw new Error(`used ${String(value)}`);
      })(),
    ).rejects.toThrow('used 1');
    expect(cancelled).toHaveBeenCalledOnce();
    expect(decoder.stats().pending).toBe(0);
  });
});
