import { Packr } from 'msgpackr';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { createDecoder } from '../../../../main/decoder/create-decoder.ts';
import type { MessageSource } from '../../../../main/live/listen.ts';
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

  test('rejects unknown policies and sources', async () => {
    const connection = await server.connect();
    await expect(take(decoder.messages(source(connection), { policy: 'newest' as 'latest' }))).rejects.toThrow('expected one of queue, drop, latest');
    await expect(take(decoder.messages(5 as never))).rejects.toThrow('cannot decode 5');
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
    expect(error).toMatchObject({ limit: 'queue' });
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
