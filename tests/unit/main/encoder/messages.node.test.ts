import { once } from 'node:events';
import { unpack, Unpackr } from 'msgpackr';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { NetworkError } from '../../../../core/errors.ts';
import { createEncoder, type MessageSocket, type SendOptions } from '../../../../main/encode.ts';
import { send } from '../../../../main/encoder/messages.ts';
import * as fc from '../../../setup/properties/fast-check.ts';
import { type Connection, serveSockets, type SocketServer } from '../../../setup/servers/socket-server.ts';

// Integers of 64 bits are numbers, as they are in JSON.
const unpackr = new Unpackr({ useRecords: false, int64AsType: 'number' });

/** Bytes of a message that is longer than what the system buffers. */
const FILLING = 2 ** 24;

const encoder = createEncoder();
let server: SocketServer;

beforeAll(async () => {
  server = await serveSockets();
});
afterAll(() => server.close());

const socketOf = ({ client }: Connection): MessageSocket => client;

/** Looks again in the next turn of the event loop, instead of some milliseconds later. */
const soon = (look: () => void): (() => void) => {
  const turn = setImmediate(look);
  return () => clearImmediate(turn);
};
const sendSoon = (socket: MessageSocket, value: unknown, options: Partial<SendOptions> = {}): Promise<void> =>
  send(encoder, new AbortController().signal, socket, value, { format: 'json', ...options } as SendOptions, soon);

/** The value of a message; of the one that fills the buffers, its length. */
function decoded(data: Buffer, isBinary: boolean): unknown {
  if (data.length === FILLING) return data.length;
  return isBinary ? unpackr.unpack(data) : JSON.parse(data.toString());
}

/** The messages that arrive at the server until the socket closes. */
async function received({ server: end }: Connection): Promise<unknown[]> {
  const all: unknown[] = [];
  end.on('message', (data: Buffer, isBinary: boolean) => all.push(decoded(data, isBinary)));
  await once(end, 'close');
  return all;
}

/** A connection whose server does not read, with more on the way than the system buffers. */
async function stuck(): Promise<Connection> {
  const connection = await server.connect();
  connection.server.pause();
  connection.client.send(new Uint8Array(FILLING));
  expect(connection.client.bufferedAmount).toBeGreaterThan(0);
  return connection;
}

describe('send', () => {
  it('sends small and large values in the order of the calls, from the first on', async () => {
    const values = Array.from({ length: 40 }, (_, id) => ({ id, text: 'x'.repeat(id % 8 === 3 ? 400_000 : id) }));
    const connection = await server.connect();
    const all = received(connection);
    const own = createEncoder();
    await Promise.all(values.map((value) => own.send(socketOf(connection), value, { format: value.id % 2 === 0 ? 'json' : 'messagepack' })));
    connection.client.close();
    expect(await all).toEqual(values);
  });

  it('sends JSON as text, and as bytes if text is false', async () => {
    const connection = await server.connect();
    const kinds: boolean[] = [];
    connection.server.on('message', (_: Buffer, isBinary: boolean) => kinds.push(isBinary));
    for (const each of [{}, { text: false }]) await encoder.send(socketOf(connection), { a: 'é' }, { format: 'json', ...each });
    connection.client.close();
    await once(connection.server, 'close');
    expect(kinds).toEqual([false, true]);
  });

  it('waits while the socket buffers more than limitBytes', async () => {
    const connection = await stuck();
    const all = received(connection);
    const buffered: number[] = [];
    const own = connection.client.send.bind(connection.client) as (data: unknown) => void;
    vi.spyOn(connection.client, 'send').mockImplementation((data: unknown) => {
      buffered.push(connection.client.bufferedAmount);
      own(data);
    });
    const sent = Promise.all([1, 2, 3].map((value) => sendSoon(socketOf(connection), value, { limitBytes: 10 })));
    await new Promise((resolve) => soon(() => soon(resolve as () => void)));
    expect(buffered).toEqual([]);
    connection.server.resume();
    await sent;
    connection.client.close();
    expect(await all).toEqual([FILLING, 1, 2, 3]);
    expect(Math.max(...buffered)).toBeLessThanOrEqual(10);
  });

  it('sends nothing of a message that is aborted while it waits, and the next one after it', async () => {
    const connection = await stuck();
    const all = received(connection);
    const stop = new AbortController();
    const options = { limitBytes: 0 };
    const aborted = sendSoon(socketOf(connection), 1, { ...options, signal: stop.signal });
    const behind = sendSoon(socketOf(connection), 2, { ...options, signal: stop.signal });
    const next = sendSoon(socketOf(connection), 3, options);
    stop.abort(new Error('enough'));
    await expect(aborted).rejects.toThrow('enough');
    await expect(behind).rejects.toThrow('enough');
    connection.server.resume();
    await next;
    connection.client.close();
    expect(await all).toEqual([FILLING, 3]);
  });

  it('rejects with a NetworkError if the socket closes while messages wait, and afterwards', async () => {
    const connection = await stuck();
    const waiting = [1, 2].map((value) => sendSoon(socketOf(connection), value, { limitBytes: 0 }));
    const settled = Promise.allSettled(waiting);
    connection.client.terminate();
    expect((await settled).map((one) => (one as PromiseRejectedResult).reason as unknown)).toEqual([
      expect.any(NetworkError),
      expect.any(NetworkError),
    ]);
    await expect(sendSoon(socketOf(connection), 3)).rejects.toThrow('the socket is closed: the message was not sent');
  });

  it('rejects messages that wait when the encoder closes', async () => {
    const connection = await stuck();
    const own = createEncoder();
    const waiting = own.send(socketOf(connection), 1, { format: 'json', limitBytes: 0 });
    await Promise.resolve();
    own.close();
    await expect(waiting).rejects.toThrow('The encoder was closed');
    connection.client.terminate();
  });

  it('waits for a socket that is connecting', async () => {
    const connection = await server.connect();
    const client = new WebSocket(connection.client.url);
    const sent = sendSoon(client, 'early');
    expect(client.readyState).toBe(WebSocket.CONNECTING);
    await sent;
    expect(client.readyState).toBe(WebSocket.OPEN);
    client.terminate();
    const refused = new WebSocket('ws://127.0.0.1:1');
    refused.on('error', () => {});
    await expect(sendSoon(refused, 1)).rejects.toThrow(NetworkError);
  });

  it('rejects values and options that are invalid, and sends the next ones', async () => {
    const connection = await server.connect();
    const all = received(connection);
    const cycle: unknown[] = [];
    cycle.push(cycle);
    const bad = [
      sendSoon(socketOf(connection), cycle),
      sendSoon(socketOf(connection), 1, { limitByte: 5 } as object),
      sendSoon(socketOf(connection), 1, { format: 'messagepack', text: true }),
      sendSoon(socketOf(connection), 1, { compression: 'gzip', text: true }),
    ];
    const good = sendSoon(socketOf(connection), 2);
    await expect(bad[0]).rejects.toMatchObject({ code: 'cycle' });
    await expect(bad[1]).rejects.toThrow('unknown option limitByte; did you mean limitBytes?');
    await expect(bad[2]).rejects.toThrow('only JSON that is not compressed is text');
    await expect(bad[3]).rejects.toThrow('only JSON that is not compressed is text');
    await good;
    connection.client.close();
    expect(await all).toEqual([2]);
  });

  it('waits for the event of a data channel, without a timer', async () => {
    class Channel extends EventTarget {
      readyState = 'open';
      bufferedAmount = 100;
      bufferedAmountLowThreshold = 0;
      readonly sent: unknown[] = [];
      send(data: unknown): void {
        this.sent.push(data);
      }
    }
    const channel = new Channel();
    const later = vi.fn();
    const sending = send(encoder, new AbortController().signal, channel, [1], { format: 'json', limitBytes: 50 }, later);
    const listens = vi.spyOn(channel, 'addEventListener');
    await vi.waitFor(() => expect(listens).toHaveBeenCalledWith('bufferedamountlow', expect.anything()));
    expect([channel.bufferedAmountLowThreshold, channel.sent]).toEqual([50, []]);
    channel.bufferedAmount = 50;
    channel.dispatchEvent(new Event('bufferedamountlow'));
    await sending;
    expect(channel.sent).toEqual(['[1]']);
    expect(later).not.toHaveBeenCalled();
  });

  it('sends the same messages in the same order, whatever limits, formats and failures there are', async () => {
    const message = fc.record({
      value: fc.jsonValue(),
      format: fc.constantFrom('json', 'messagepack'),
      limitBytes: fc.nat(200),
      isAborted: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(message, { maxLength: 12 }), async (messages) => {
        const connection = await server.connect();
        const all = received(connection);
        const sent = messages.map(({ value, format, limitBytes, isAborted }) =>
          sendSoon(socketOf(connection), value, {
            format,
            limitBytes,
            ...(isAborted && { signal: AbortSignal.abort(new Error('not this one')) }),
          }),
        );
        const outcomes = (await Promise.allSettled(sent)).map(({ status }) => status === 'rejected');
        connection.client.close();
        expect(outcomes).toEqual(messages.map(({ isAborted }) => isAborted));
        const expected = messages.filter(({ isAborted }) => !isAborted).map(({ value }) => JSON.stringify(value));
        expect((await all).map((value) => JSON.stringify(value))).toEqual(expected);
      }),
      { numRuns: 100 },
    );
  });
});

async function allOf<T>(stream: ReadableStream<T>): Promise<T[]> {
  const all: T[] = [];
  const reader = stream.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) all.push(read.value);
  return all;
}

describe('messages', () => {
  it('encodes each value of a stream into a message, as text or as bytes', async () => {
    const values = [{ id: 1 }, [null, 'é'], 5];
    const stream = (): ReadableStream<unknown> =>
      new ReadableStream({
        start(controller) {
          for (const value of values) controller.enqueue(value);
          controller.close();
        },
      });
    const texts = await allOf(stream().pipeThrough(createEncoder().messages({ format: 'json' })));
    expect(texts).toEqual(values.map((value) => JSON.stringify(value)));
    const bytes = await allOf(stream().pipeThrough(createEncoder().messages({ format: 'messagepack' })));
    expect(bytes.map((each) => unpack(each as Uint8Array) as unknown)).toEqual(values);
  });

  it('takes the next value once the message before is read', async () => {
    const pulled = vi.fn((controller: ReadableStreamDefaultController<number>) => controller.enqueue(pulled.mock.calls.length));
    const source = new ReadableStream<number>({ pull: pulled }, { highWaterMark: 0 });
    const reader = source.pipeThrough(createEncoder().messages({ format: 'json' })).getReader();
    for (const expected of ['1', '2', '3']) {
      expect((await reader.read()).value).toBe(expected);
      expect(pulled.mock.calls.length - Number(expected)).toBeLessThanOrEqual(2);
    }
    await reader.cancel();
  });

  it('errors for a value that the format cannot represent, and cancels the source', async () => {
    const cancelled = vi.fn();
    const source = new ReadableStream<unknown>({ pull: (controller) => controller.enqueue(() => {}), cancel: cancelled });
    const reader = source.pipeThrough(createEncoder().messages({ format: 'messagepack' })).getReader();
    await expect(reader.read()).rejects.toThrow(expect.objectContaining({ name: 'EncodeError' }));
    await vi.waitFor(() => expect(cancelled).toHaveBeenCalled());
  });
});
