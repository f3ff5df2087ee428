import messagepack from 'unspool/encoders/messagepack';
import { encodeSync } from 'unspool/sync';
import type { Tick } from './index.ts';

const PRICES = [187.5, 188.25, 186.75];
const TICK_MS = 250;

/** Sends prices of two symbols after the subscription, and breaks the connection after each twenty, so that the client connects again. */
export function serve(socket: WebSocket): void {
  let sent = 0;
  let timer: ReturnType<typeof setInterval>;
  socket.addEventListener('message', () => {
    timer = setInterval(() => {
      for (const symbol of ['AAPL', 'MSFT']) {
        const tick: Tick = { symbol, price: PRICES[sent % PRICES.length]! + sent / 100 };
        socket.send(encodeSync(messagepack, tick));
        sent += 1;
      }
      if (sent % 20 === 0) socket.close();
    }, TICK_MS);
  });
  socket.addEventListener('close', () => clearInterval(timer));
}
