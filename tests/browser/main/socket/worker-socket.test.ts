import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createDecoder, NetworkError, WorkerCrashError } from '../../../../main/index.ts';
import { createEncoder } from '../../../../main/encode.ts';
import { WorkerSocket, type WorkerSocketOptions } from '../../../../main/socket.ts';
import { createWorker } from '../../../../main/pool/create-worker.ts';
import { reactive } from '../../../setup/values/reactive.ts';
import { chunksOfJson, KINDS } from '../../../setup/ways/chunk-kinds.ts';
import { assertSame } from '../../../setup/ways/differential.ts';
import { pack } from '../decoder/support.ts';

const decoder = createDecoder();
const encoder = createEncoder();
afterAll(() => decoder.close());

/** A message of the server's flood. */
interface Tick {
  readonly key: number;
  readonly id: number;
}

const made = (path = '/echo-socket', options?: WorkerSocketOptions): WorkerSocket => {
  const socket = new WorkerSocket(path, [], options);
  onTestFinished(() => socket.close());
  return socket;
};

const opened = async (socket: WorkerSocket): Promise<WorkerSocket> => {
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('close', reject);
  });
  return socket;
};

const closing = (socket: WorkerSocket): Promise<CloseEvent> =>
  new Promise((resolve) => socket.addEventListener('close', (event) => resolve(event as CloseEvent)));

async function take<T>(messages: AsyncIterable<T>, count = Infinity): Promise<T[]> {
  const taken: T[] = [];
  for await (const message of messages) if (taken.push(message) >= count) break;
  return taken;
}

/** A worker that the test can end. */
function mortalWorker(): { createWorker: () => Worker; kill: () => void } {
  let worker: Worker | undefined;
  return { createWorker: () => (worker = createWorker()), kill: () => worker!.terminate() };
}

describe('messages of a WorkerSocket', () => {
  test.each([
    ['replace', '\uFFFD('],
    ['bytes', Uint8Array.of(0xc3, 0x28)],
  ] as const)('gives the latest message of a key that is not valid UTF-8, with invalidText %s', async (invalidText, text) => {
    const socket = await opened(made());
    const messages = decoder.messages<{ id: number }>(socket, { format: 'messagepack', invalidText, policy: 'latest', key: 'name' });
    for (const id of [1, 2]) socket.send(Uint8Array.of(0x82, ...pack('name'), 0xa2, 0xc3, 0x28, ...pack('id'), id));
    let last: { id: number } | undefined;
    for await (last of messages) if (last.id === 2) break;
    expect(last).toEqual({ name: text, id: 2 });
  });

  test('decodes text and bytes, small and large, in order until the socket closes', async () => {
    const values = Array.from({ length: 60 }, (_, id) => ({
      id,
      text: 'é'.repeat(id % 7),
      rows: Array.from({ length: id % 20 === 7 ? 20_000 : 2 }, (__, at) => ({ at, text: `${id}` })),
    }));
    const socket = await opened(made());
    expect(socket.readyState).toBe(socket.OPEN);
    const closed = closing(socket);
    for (const value of values) socket.send(value.id % 2 === 0 ? JSON.stringify(value) : Uint8Array.from(pack(value)));
    socket.send('close');
    const counts = {};
    assertSame(await take(decoder.messages(socket, { counts })), values);
    expect(counts).toEqual({ received: 60, dropped: 0, waiting: 0 });
    expect(await closed).toMatchObject({ code: 1000, wasClean: true });
    expect(socket.readyState).toBe(socket.CLOSED);
    expect(await take(decoder.messages(socket))).toEqual([]);
  });

  test('sends the origin and the cookies of the page', async () => {
    document.cookie = 'unspool-socket=1';
    const socket = await opened(made());
    socket.send('headers');
    const [headers] = await take(decoder.messages<{ origin: string; cookie: string }>(socket), 1);
    document.cookie = 'unspool-socket=; max-age=0';
    expect(headers!.origin).toBe(location.origin);
    expect(headers!.cookie).toContain('unspool-socket=1');
  });

  test('sends the values of an encoder, in order', async () => {
    const socket = made();
    const sent = [1, 2, 3].map((id) => encoder.send(socket, { id, text: 'x'.repeat(id * 400_000) }, { format: 'messagepack' }));
    const values = await take(decoder.messages<{ id: number }>(socket), 3);
    await Promise.all(sent);
    expect(values.map(({ id }) => id)).toEqual([1, 2, 3]);
    await expect.poll(() => socket.bufferedAmount).toBe(0);
  });

  test.each(Object.entries(KINDS))('sends bytes as a copy: %s', async (_, kind) => {
    const socket = await opened(made());
    const value = { id: 1, text: 'x'.repeat(300) };
    const [bytes] = chunksOfJson(value, 1);
    const size = bytes!.length;
    socket.send(kind(bytes!) as ArrayBuffer);
    expect(socket.bufferedAmount).toBe(size);
    expect(await take(decoder.messages(socket), 1)).toEqual([value]);
  });

  test('keeps messages for the next loop after a loop was left, and refuses two loops at a time', async () => {
    const socket = await opened(made());
    socket.send('1');
    const first = decoder.messages(socket);
    expect((await first.next()).value).toBe(1);
    await expect(decoder.messages(socket).next()).rejects.toThrow('taken by another loop');
    await first.return();
    for (const text of ['2', '3', 'close']) socket.send(text);
    await closing(socket);
    expect(await take(decoder.messages(socket))).toEqual([2, 3]);
  });
});

describe('policies of a WorkerSocket', () => {
  const flood = 1_000;

  test.each(['json', 'messagepack'] as const)('gives the latest message of each key of a flood, and counts the others: %s', async (format) => {
    const socket = await opened(made());
    if (format === 'json') socket.send(`flood ${flood} 10`);
    else for (let id = 0; id < flood; id += 1) socket.send(Uint8Array.from(pack({ key: id % 10, id })));
    socket.send('close');
    const counts = { received: 0, dropped: 0, waiting: 0 };
    const latest = new Map<number, number>();
    let used = 0;
    for await (const ticks of decoder.messages<Tick>(socket, { format, policy: 'latest', key: 'key', batch: true, counts })) {
      for (const { key, id } of ticks) {
        expect(id).toBeGreaterThan(latest.get(key) ?? -1);
        latest.set(key, id);
        used += 1;
      }
    }
    expect([...latest.values()].toSorted((a, b) => a - b)).toEqual(Array.from({ length: 10 }, (_, at) => flood - 10 + at));
    expect(counts).toEqual({ received: flood, dropped: flood - used, waiting: 0 });
  });

  test('drops the oldest messages of a flood beyond the limit, one by one and in batches', async () => {
    for (const batch of [false, true]) {
      const socket = await opened(made());
      const counts = { received: 0, dropped: 0, waiting: 0 };
      const taken: number[] = [];
      const messages = decoder.messages<Tick>(socket, { policy: 'drop', limit: 10, counts, batch: batch as false });
      socket.send(`flood ${flood} 1`);
      socket.send('close');
      for await (const message of messages) taken.push(...[message].flat().map(({ id }) => id));
      expect(taken.at(-1)).toBe(flood - 1);
      expect(taken).toEqual(taken.toSorted((a, b) => a - b));
      expect(counts).toEqual({ received: flood, dropped: flood - taken.length, waiting: 0 });
    }
  });

  test('rejects with a LimitError after the waiting messages if a queue exceeds its limit', async () => {
    const socket = await opened(made());
    socket.send(`flood ${flood} 1`);
    socket.send('close');
    await closing(socket);
    const taken: unknown[] = [];
    const error = await (async () => {
      for await (const message of decoder.messages(socket, { limit: 3, counts: {} })) taken.push(message);
    })().catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'LimitError', limit: 'queue' });
    expect(taken).toHaveLength(3);
  });

  test('reports each message that is no value, and goes on', async () => {
    const socket = await opened(made());
    const errors: unknown[] = [];
    const counts = { received: 0, dropped: 0, waiting: 0 };
    for (const text of ['{"key":1,"id":1}', '{"key":', '{"key":', '{"key":2,"id":2}', 'close']) socket.send(text);
    await closing(socket);
    const options = { policy: 'latest', key: ['key'], onError: (_: unknown, data: unknown) => errors.push(data), counts } as const;
    expect(await take(decoder.messages(socket, options))).toEqual([
      { key: 1, id: 1 },
      { key: 2, id: 2 },
    ]);
    expect(errors).toEqual(['{"key":', '{"key":']);
    expect(counts).toEqual({ received: 4, dropped: 2, waiting: 0 });
  });

  test('gives the messages before one that is no value first, also in batches', async () => {
    for (const batch of [false, true]) {
      const socket = await opened(made());
      for (let id = 0; id < 10; id += 1) socket.send(`{"id":${id}}`);
      for (const text of ['{"id":', 'close']) socket.send(text);
      await closing(socket);
      const taken: unknown[] = [];
      const reading = (async () => {
        for await (const some of decoder.messages(socket, { batch: batch as false })) taken.push(...[some].flat());
      })();
      await expect(reading).rejects.toThrow('the input ends inside an object');
      expect(taken).toEqual(Array.from({ length: 10 }, (_, id) => ({ id })));
    }
  });

  test('takes protocols and options that are proxies', async () => {
    const socket = new WorkerSocket('/echo-socket', reactive(['ticks']));
    onTestFinished(() => socket.close());
    await opened(socket);
    for (const id of [1, 2]) socket.send(Uint8Array.of(0xd4, 0x72, 0x40, 0x92, 0xa3, 0x6b, 0x65, 0x79, 0xa2, 0x69, 0x64, 7, id));
    socket.send('close');
    const options = reactive({ structures: [['key', 'id']], valueExtensions: [9] });
    const ticks = await take(decoder.messages<Tick>(socket, { format: 'messagepack', policy: 'latest', key: reactive(['key']), options }));
    expect(ticks.at(-1)).toEqual({ key: 7, id: 2 });
  });

  test('refuses a function as the key', async () => {
    await expect(take(decoder.messages(made(), { policy: 'latest', key: () => 1 }))).rejects.toThrow('a function cannot run in the worker');
  });
});

describe('the end of a WorkerSocket', () => {
  test('throws a NetworkError if the connection breaks', async () => {
    const socket = await opened(made());
    const closed = closing(socket);
    socket.send('break');
    await expect(take(decoder.messages(socket))).rejects.toThrow(NetworkError);
    expect(await closed).toMatchObject({ code: 1006, wasClean: false });
    expect(() => socket.send('1')).not.toThrow();
  });

  test('throws a NetworkError after the last message if the server closes with another code than 1000', async () => {
    for (const [code, reason] of [
      [1011, 'no memory'],
      [4001, ''],
    ] as const) {
      const socket = await opened(made());
      socket.send('1');
      socket.send(`close ${code} ${reason}`);
      const messages = decoder.messages(socket);
      expect((await messages.next()).value).toBe(1);
      await expect(messages.next()).rejects.toThrow(new NetworkError(`the socket was closed with the code ${code}${reason && `: ${reason}`}`, 0));
    }
  });

  test('throws a NetworkError if the server refuses the connection', async () => {
    await expect(take(decoder.messages(made('ws://127.0.0.1:59999')))).rejects.toThrow('closed with the code 1006');
  });

  test('throws the reason of an aborted signal, and if the decoder closes', async () => {
    const socket = await opened(made());
    const stop = new AbortController();
    const next = decoder.messages(socket, { signal: stop.signal }).next();
    stop.abort(new Error('enough'));
    await expect(next).rejects.toThrow('enough');
    const own = createDecoder();
    const other = own.messages(socket).next();
    await expect.poll(() => own.stats().pending).toBe(1);
    own.close();
    await expect(other).rejects.toThrow('The decoder is closed');
    expect(socket.readyState).toBe(socket.OPEN);
  });

  test('gives the received messages after `close`, then ends', async () => {
    const socket = await opened(made());
    socket.send('1');
    const messages = decoder.messages(socket);
    expect((await messages.next()).value).toBe(1);
    socket.close(1000, 'done');
    expect(await messages.next()).toEqual({ done: true, value: undefined });
    await expect.poll(() => socket.readyState).toBe(socket.CLOSED);
  });

  test('throws a WorkerCrashError and closes if the worker dies', async () => {
    const { createWorker: create, kill } = mortalWorker();
    const socket = await opened(made('/echo-socket', { createWorker: create }));
    const closed = closing(socket);
    const next = decoder.messages(socket).next();
    kill();
    await expect(next).rejects.toThrow(WorkerCrashError);
    expect(await closed).toMatchObject({ code: 1006, wasClean: false });
    await expect(take(decoder.messages(socket))).rejects.toThrow('messages that waited in the worker are lost');
  });

  test('closes if the worker cannot be loaded', async () => {
    const socket = made('/echo-socket', { createWorker: () => new Worker('/no-worker.js', { type: 'module' }) });
    await expect(take(decoder.messages(socket))).rejects.toThrow(WorkerCrashError);
    expect(socket.readyState).toBe(socket.CLOSED);
  });

  test('throws what a WebSocket throws for wrong calls', async () => {
    expect(() => new WorkerSocket('http://[')).toThrow(TypeError);
    const socket = made();
    expect(() => socket.send('1')).toThrow(expect.objectContaining({ name: 'InvalidStateError' }));
    expect(() => socket.close(999)).toThrow(expect.objectContaining({ name: 'InvalidAccessError' }));
    expect(() => socket.close(1000, 'x'.repeat(124))).toThrow(expect.objectContaining({ name: 'SyntaxError' }));
    await expect(take(decoder.messages(new WorkerSocket('/echo-socket', ['a', 'a'])))).rejects.toMatchObject({
      name: 'SyntaxError',
      message: expect.stringMatching('the socket could not be created'),
    });
  });

  test('asks the worker for batches in the interval of the option, and for single messages at once', async () => {
    const asked = vi.spyOn(MessagePort.prototype, 'postMessage');
    onTestFinished(() => asked.mockRestore());
    const intervals = (): unknown[] =>
      asked.mock.calls.map(([message]) => (message as { everyMs?: number } | null)?.everyMs).filter((ms) => ms !== undefined);
    const socket = await opened(made('/echo-socket', { batchMs: 50 }));
    for (const batch of [true, false]) {
      socket.send('1');
      await take(decoder.messages(socket, { batch }), 1);
    }
    // A loop may ask more than once before it is left.
    expect([...new Set(intervals())]).toEqual([50, 0]);
  });

  test('refuses options that do not exist and invalid values, before it starts a worker', () => {
    const start = vi.fn(createWorker);
    const message = (text: string): unknown => expect.objectContaining({ name: 'TypeError', message: text });
    const cases: [protocols: unknown, options: object, text: string][] = [
      [[], { createWorkers: start }, 'unknown option createWorkers; did you mean createWorker? expected one of createWorker, batchMs'],
      [[], { createWorker: start, policy: 'latest' }, 'unknown option policy; expected one of createWorker, batchMs'],
      [[], { createWorker: '/worker.js' }, 'invalid option createWorker: /worker.js; expected a function'],
      [[], { createWorker: start, batchMs: -1 }, 'invalid option batchMs: -1'],
      [[], { createWorker: start, batchMs: '1s' }, 'invalid option batchMs: 1s'],
      [{ createWorker: start }, {}, 'invalid protocols; expected a string or an array of strings, and options as the third argument'],
    ];
    for (const [protocols, options, text] of cases) {
      expect(() => new WorkerSocket('/echo-socket', protocols as string, options)).toThrow(message(text));
    }
    expect(start).not.toHaveBeenCalled();
  });
});
