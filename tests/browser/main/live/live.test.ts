import { afterAll, describe, expect, test } from 'vitest';
import { type AnswerParts, createDecoder, NetworkError } from '../../../../main/index.ts';
import type { SocketStream } from '../../../../core/messages/listen.ts';
import type { MessageOptions } from '../../../../main/live/messages.ts';
import { EVENTS } from '../../../setup/servers/event-server.ts';
import { streamUrl } from '../../../setup/servers/stream-rows.ts';
import { tasksDuring } from '../../../setup/stand-ins/clock.ts';
import { assertSame } from '../../../setup/ways/differential.ts';
import { notKept, notPrefix } from '../../../setup/values/prefix.ts';
import { pack } from '../decoder/support.ts';

const decoder = createDecoder();
afterAll(() => decoder.close());

async function openEcho(): Promise<WebSocket> {
  const socket = new WebSocket(`ws://${location.host}/echo-socket`);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', reject);
  });
  return socket;
}

describe('decoder.partial', () => {
  test.each(['json', 'messagepack'] as const)('gives a response of %s as it arrives', async (encoding) => {
    const url = streamUrl({ encoding, rows: 3_000, chunk: 5_000 });
    const whole = await decoder.decode(await fetch(url));
    let last: unknown;
    for await (const value of decoder.partial(await fetch(url))) {
      expect(notKept(last, value)).toBeUndefined();
      expect(notPrefix(value, whole)).toBeUndefined();
      last = value;
    }
    assertSame(last, whole);
  });

  test.each(['openai', 'openai-responses', 'anthropic', 'gemini', 'ai-sdk'] as const)('gives the parts of an answer of %s', async (service) => {
    const recorded = await fetch(`/tests/fixtures/answers/${service}-calls.sse`);
    let last: AnswerParts | undefined;
    for await (const answer of decoder.partial(new Response(recorded.body), { delta: service, parts: true })) {
      for (const [at, call] of (last?.calls ?? []).entries()) if (call.complete) expect(answer.calls[at]).toBe(call);
      last = answer;
    }
    expect(last).toMatchObject({ text: 'I will look up the weather 🌦 and a pan.' });
    expect(last!.calls.slice(0, 2)).toMatchObject([
      { name: 'weather', arguments: { city: 'Malmö', days: [1, 2, 3] }, complete: true },
      { name: 'search', arguments: { query: 'crêpe pan', limits: { price: 20.5, new: true } }, complete: true },
    ]);
  });

  test('cancels the response if the loop is left', async () => {
    const { succeeded } = decoder.stats();
    for await (const value of decoder.partial<{ trips: unknown[] }>(await fetch(streamUrl({ encoding: 'json', rows: 100_000, chunk: 5_000 })))) {
      if ((value.trips?.length ?? 0) > 10) break;
    }
    expect(decoder.stats()).toMatchObject({ pending: 0, succeeded: succeeded + 1 });
  });
});

describe('decoder.messages', () => {
  test('gives the messages of a WebSocket in order, small and large, until it closes', async () => {
    const socket = await openEcho();
    const values = Array.from({ length: 60 }, (_, id) => ({
      id,
      rows: Array.from({ length: id % 20 === 7 ? 20_000 : 2 }, (__, at) => ({ at, text: `${id}` })),
    }));
    for (const value of values) socket.send(value.id % 2 === 0 ? JSON.stringify(value) : Uint8Array.from(pack(value)));
    socket.send('close');
    const taken: unknown[] = [];
    for await (const value of decoder.messages(socket)) taken.push(value);
    assertSame(taken, values);
  });

  test('gives them in batches, and throws a NetworkError when the connection breaks', async () => {
    const socket = await openEcho();
    const taken: unknown[] = [];
    const counts = {};
    for (let id = 0; id < 100; id += 1) socket.send(`${id}`);
    socket.send('break');
    await expect(
      (async () => {
        for await (const batch of decoder.messages(socket, { batch: true, counts })) taken.push(...batch);
      })(),
    ).rejects.toThrow(NetworkError);
    // Messages that the broken connection had not delivered are lost.
    expect(taken).toEqual(Array.from({ length: taken.length }, (_, id) => id));
    expect(counts).toEqual({ received: taken.length, dropped: 0, waiting: 0 });
  });

  test('throws a NetworkError after the last message if the server closes with another code than 1000', async () => {
    const socket = await openEcho();
    socket.send('1');
    socket.send('close 1011 restart');
    const messages = decoder.messages(socket);
    expect((await messages.next()).value).toBe(1);
    await expect(messages.next()).rejects.toThrow(new NetworkError('the socket was closed with the code 1011: restart', 0));
  });

  // Chromium alone has WebSocketStream.
  test.runIf('WebSocketStream' in globalThis)('throws a NetworkError for the code of a WebSocketStream, which ends it without an error', async () => {
    type Stream = SocketStream & { readonly opened: Promise<{ readable: ReadableStream<unknown>; writable: WritableStream<string> }> };
    const Socket = (globalThis as unknown as { WebSocketStream: new (url: string) => Stream }).WebSocketStream;
    for (const close of ['close 1011 no memory', 'close']) {
      const socket = new Socket(`ws://${location.host}/echo-socket`);
      const writer = (await socket.opened).writable.getWriter();
      const messages = decoder.messages(socket);
      const first = messages.next();
      await writer.write('1');
      expect((await first).value).toBe(1);
      const next = messages.next();
      await writer.write(close);
      if (close === 'close') expect(await next).toEqual({ done: true, value: undefined });
      else await expect(next).rejects.toThrow(new NetworkError('the socket was closed with the code 1011: no memory', 0));
    }
  });

  test('leaves the socket open, and hears no more of it, if the loop is left', async () => {
    const socket = await openEcho();
    socket.send('1');
    for await (const value of decoder.messages(socket)) {
      expect(value).toBe(1);
      break;
    }
    expect(socket.readyState).toBe(WebSocket.OPEN);
    socket.send('2');
    for await (const value of decoder.messages(socket)) {
      expect(value).toBe(2);
      break;
    }
    socket.close();
  });
});

describe('messages of an EventSource', () => {
  const ids = (from: number, to: number, after: string): object[] => Array.from({ length: to - from + 1 }, (_, at) => ({ id: from + at, after }));

  test('goes on from the last id when the source connects again, skips events of other types, and leaves the source open', async () => {
    const source = new EventSource(`${EVENTS}?count=3&last=1000000`);
    const taken: unknown[] = [];
    for await (const message of decoder.messages(source)) if (taken.push(message) === 8) break;
    expect(taken).toEqual([...ids(1, 3, ''), ...ids(4, 6, '3'), ...ids(7, 8, '6')]);
    expect(source.readyState).not.toBe(EventSource.CLOSED);
    source.close();
  });

  test('throws a NetworkError after the last message if the server does not let the source connect again', async () => {
    const source = new EventSource(`${EVENTS}?count=2&last=3`);
    const taken: unknown[] = [];
    const reading = (async () => {
      for await (const batch of decoder.messages(source, { batch: true })) taken.push(...batch);
    })();
    await expect(reading).rejects.toThrow(new NetworkError('the event source was refused or closed', 0));
    expect(taken).toEqual([...ids(1, 2, ''), ...ids(3, 3, '2')]);
    expect(source.readyState).toBe(EventSource.CLOSED);
  });

  test('ends for a closed source, and by the signal after the page has closed it, which dispatches no event', async () => {
    const source = new EventSource(`${EVENTS}?count=1&last=1000000`);
    const stop = new AbortController();
    const messages = decoder.messages(source, { policy: 'latest', signal: stop.signal });
    expect((await messages.next()).done).toBe(false);
    source.close();
    stop.abort(new Error('closed by the page'));
    await expect(messages.next()).rejects.toThrow('closed by the page');
    expect(await decoder.messages(source).next()).toEqual({ done: true, value: undefined });
  });
});

/**
 * There is no HTTP/3 server here. The streams of a WebTransport are imitated by streams of the same kinds, except for one whose
 * connection fails.
 */
describe('messages of a WebTransport', () => {
  const bytes = (value: unknown): Uint8Array<ArrayBuffer> => Uint8Array.from(pack(value));
  const values = Array.from({ length: 30 }, (_, id) => ({ id, text: 'x'.repeat(id) }));

  /** A stream of bytes, as a transport has them: of datagrams, or of a stream that arrives in pieces. */
  function byteStream(pieces: readonly Uint8Array<ArrayBuffer>[], error?: Error): ReadableStream<ArrayBufferView<ArrayBuffer>> {
    const left = [...pieces];
    const pull = (controller: ReadableStreamDefaultController | ReadableByteStreamController): void => {
      const next = left.shift();
      if (next) controller.enqueue(next);
      else if (error) controller.error(error);
      else controller.close();
    };
    // WebKit before 26.4 has no streams of bytes.
    return 'ReadableByteStreamController' in globalThis ? new ReadableStream({ type: 'bytes', pull }) : new ReadableStream({ pull });
  }

  test('decodes each datagram until the session ends', async () => {
    const datagrams = { readable: byteStream(values.map(bytes)) };
    const taken: unknown[] = [];
    for await (const value of decoder.messages(datagrams.readable, { format: 'messagepack' })) taken.push(value);
    expect(taken).toEqual(values);
  });

  test('decodes the contents of streams that are mapped to bytes, in order', async () => {
    const large = { rows: Array.from({ length: 20_000 }, (_, id) => ({ id, text: 'row' })) };
    const all = [values[3], large, values[4]];
    const pieces = (whole: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>[] =>
      Array.from({ length: Math.ceil(whole.length / 1_000) }, (_, at) => whole.slice(at * 1_000, at * 1_000 + 1_000));
    const streams = new ReadableStream<ReadableStream>({
      start(controller) {
        for (const value of all) controller.enqueue(byteStream(pieces(bytes(value))));
        controller.close();
      },
    });
    const whole = new TransformStream<ReadableStream, ArrayBuffer>({
      transform: async (stream, controller) => controller.enqueue(await new Response(stream).arrayBuffer()),
    });
    const taken: unknown[] = [];
    for await (const value of decoder.messages(streams.pipeThrough(whole), { format: 'messagepack' })) taken.push(value);
    assertSame(taken, all);
  });

  test('throws the error of the session after the messages before it', async () => {
    const taken: unknown[] = [];
    const reading = (async () => {
      for await (const value of decoder.messages(byteStream(values.map(bytes), new Error('session lost')))) taken.push(value);
    })();
    await expect(reading).rejects.toThrow('session lost');
    expect(taken).toEqual(values);
  });

  // Firefox 153 leaves the streams of such a transport open, and WebKitGTK has none.
  test.runIf(navigator.userAgent.includes('Chrome'))('throws a WebTransportError if the transport is closed while it connects', async () => {
    const transport = new WebTransport('https://localhost:9/');
    for (const promise of [transport.ready, transport.closed]) promise.catch(() => {});
    const { datagrams, incomingUnidirectionalStreams } = transport;
    const reading = [datagrams.readable, incomingUnidirectionalStreams].map((source) => decoder.messages(source).next());
    transport.close();
    for (const next of reading) await expect(next).rejects.toThrow(WebTransportError);
  });
});

describe('a flood of messages of a WebSocket', () => {
  const SENT = 5_000;
  const KEYS = 10;

  /** A message of the server's flood. */
  interface Tick {
    readonly key: number;
    readonly id: number;
  }

  const POLICIES: Readonly<Record<string, { options: MessageOptions; most: number }>> = {
    queue: { options: { policy: 'queue', limit: SENT }, most: SENT },
    'a queue in batches': { options: { policy: 'queue', limit: SENT, batch: true }, most: SENT },
    'drop in batches': { options: { policy: 'drop', limit: 50, batch: true }, most: 50 },
    drop: { options: { policy: 'drop', limit: 50 }, most: 50 },
    'latest in batches': { options: { policy: 'latest', key: 'key', batch: true }, most: KEYS },
  };

  test.each(Object.entries(POLICIES))('is bounded, in order and counted, and other tasks run meanwhile: %s', async (_, { options, most }) => {
    const socket = await openEcho();
    const counts = { received: 0, dropped: 0, waiting: 0 };
    const messages = decoder.messages<Tick | readonly Tick[]>(socket, { ...options, counts } as object);
    let highest = 0;
    const taken: Tick[] = [];
    const first = messages.next();
    socket.addEventListener('message', () => (highest = Math.max(highest, counts.waiting)));
    socket.send(`flood ${SENT} ${KEYS}`);
    socket.send('close');
    const tasks = await tasksDuring(async () => {
      taken.push(...[(await first).value!].flat());
      for await (const given of messages) taken.push(...[given].flat());
    });
    const ids = taken.map(({ id }) => id);
    expect(highest).toBeLessThanOrEqual(most);
    expect(counts).toEqual({ received: SENT, dropped: SENT - taken.length, waiting: 0 });
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    expect(ids.at(-1)).toBe(SENT - 1);
    if (options.policy === 'queue') expect(ids).toHaveLength(SENT);
    expect(tasks).toBeGreaterThan(0);
  });
});
