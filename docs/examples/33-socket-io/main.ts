import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server } from 'socket.io';
import { io } from 'socket.io-client';
import * as parser from 'socket.io-msgpack-parser';
import { Decoder, Encoder } from './index.ts';

const server = createServer();
const sockets = new Server(server, { parser });
sockets.on('connection', (socket) => {
  for (const price of [187.5, 188.25, 186.75]) socket.emit('tick', { symbol: 'AAPL', price });
});
await once(server.listen(0, '127.0.0.1'), 'listening');

const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const client = io(url, { parser: { Encoder, Decoder }, transports: ['websocket'] });
let received = 0;
await new Promise<void>((resolve) => {
  client.on('tick', (tick) => {
    console.log(tick);
    received += 1;
    if (received === 3) resolve();
  });
});
client.disconnect();
await sockets.close();
