import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import messagepack from 'unspool/encoders/messagepack';
import { encodeSync } from 'unspool/sync';
import { WebSocket as Socket, WebSocketServer } from 'ws';
import { streamHub } from './index.ts';

/** A message of the hub after its length, which is below 128 for each of these. */
function framed(message: readonly unknown[]): Uint8Array {
  const bytes = encodeSync(messagepack, message);
  return Uint8Array.of(bytes.length, ...bytes);
}

/** Stands in for a hub with the method `Ticks`: answers the handshake, then the first call with three items and their end. */
const server = new WebSocketServer({ port: 0, host: '127.0.0.1' }).on('connection', (socket) => {
  socket.once('message', () => {
    socket.send(Buffer.from('{}\u001e'));
    socket.once('message', () => {
      for (const price of [187.5, 188.25, 186.75]) socket.send(framed([2, {}, '1', { symbol: 'AAPL', price }]));
      socket.send(framed([3, {}, '1', 2]));
    });
  });
});
await once(server, 'listening');

const socket = new Socket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
for await (const tick of streamHub(socket as unknown as WebSocket, 'Ticks', 'AAPL')) console.log(tick);
server.close();
