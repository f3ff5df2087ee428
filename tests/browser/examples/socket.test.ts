/** The example with a socket that connects again, against a server that sends each message back. */
import { WebSocket as ReconnectingSocket } from 'partysocket';
import { expect, test } from 'vitest';
import { type Tick, watchTicks } from '../../../docs/examples/22-reconnecting-socket/index.ts';
import { pack } from '../main/decoder/support.ts';

test('the ticks of a reconnecting socket go on after the connection breaks, and the subscription is sent again', async () => {
  const socket = new ReconnectingSocket(`ws://${location.host}/echo-socket`, undefined, { minReconnectionDelay: 1, maxReconnectionDelay: 1 });
  const ticks = watchTicks(socket, ['ab', 'c']);
  const all: Tick[] = [];
  const takeUntil = async (isLast: (tick: Tick) => boolean): Promise<void> => {
    while (!all.some(isLast)) all.push(...((await ticks.next()).value ?? []));
  };
  const isSubscription = (tick: Tick): boolean => 'symbols' in tick;
  const send = (symbol: string, price: number): void => void socket.send(Uint8Array.from(pack({ symbol, price })));
  await takeUntil(isSubscription);
  for (let price = 0; price <= 50; price += 1) for (const symbol of ['ab', 'c']) send(symbol, price);
  await takeUntil(({ symbol, price }) => symbol === 'ab' && price === 50);
  await takeUntil(({ symbol, price }) => symbol === 'c' && price === 50);
  const prices = all.filter(({ symbol }) => symbol === 'ab').map(({ price }) => price);
  expect(prices).toEqual(prices.toSorted((a, b) => a - b));

  all.length = 0;
  socket.send('break');
  await takeUntil(isSubscription);
  send('ab', 51);
  await takeUntil(({ price }) => price === 51);
  await ticks.return();
  expect(socket.readyState).toBe(socket.CLOSED);
});
