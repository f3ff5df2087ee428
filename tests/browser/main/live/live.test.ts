import { afterAll, describe, expect, test } from 'vitest';
import { createDecoder, NetworkError } from '../../../../main/index.ts';
import type { MessageOptions } from '../../../../main/live/messages.ts';
import { streamUrl } from '../../../setup/servers/stream-rows.ts';
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
    let tasks = 0;
    const other = setInterval(() => (tasks += 1));
    const taken: Tick[] = [];
    const first = messages.next();
    socket.addEventListener('message', () => (highest = Math.max(highest, counts.waiting)));
    socket.send(`flood ${SENT} ${KEYS}`);
    socket.send('close');
    taken.push(...[(await first).value!].flat());
    for await (const given of messages) taken.push(...[given].flat());
    clearInterval(other);
    const ids = taken.map(({ id }) => id);
    expect(highest).toBeLessThanOrEqual(most);
    expect(counts).toEqual({ received: SENT, dropped: SENT - taken.length, waiting: 0 });
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    expect(ids.at(-1)).toBe(SENT - 1);
    if (options.policy === 'queue') expect(ids).toHaveLength(SENT);
    expect(tasks).toBeGreaterThan(0);
  });
});
