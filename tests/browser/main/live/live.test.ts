import { afterAll, describe, expect, test } from 'vitest';
import { createDecoder, NetworkError } from '../../../../main/index.ts';
import { streamUrl } from '../../../setup/servers/stream-rows.ts';
import { assertSame } from '../../../setup/ways/differential.ts';
import { notKept, notPrefix } from '../../../setup/values/prefix.ts';
import { pack } from '../decoder/support.ts';

const decoder = createDecoder();
afterAll(() => decoder.close());

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
  const open = async (): Promise<WebSocket> => {
    const socket = new WebSocket(`ws://${location.host}/echo-socket`);
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve);
      socket.addEventListener('error', reject);
    });
    return socket;
  };

  test('gives the messages of a WebSocket in order, small and large, until it closes', async () => {
    const socket = await open();
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
    const socket = await open();
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
    const socket = await open();
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
