import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import messagepack from 'unspool/encoders/messagepack';
import { encodeSync } from 'unspool/sync';
import { WebSocket as Socket, WebSocketServer } from 'ws';
import { openSocket } from './index.ts';

/** A broadcast with a binary payload: the kind 2, the lengths of topic and event, and these before the payload. */
function broadcast(topic: string, event: string, payload: unknown): Buffer {
  return Buffer.concat([Buffer.of(2, topic.length, event.length), Buffer.from(topic + event), encodeSync(messagepack, payload)]);
}

/** Stands in for a Phoenix endpoint: accepts each channel, then sends it three prices. */
const server = new WebSocketServer({ port: 0, host: '127.0.0.1' }).on('connection', (socket) => {
  socket.on('message', (data: Buffer) => {
    const [joinRef, ref, topic, event] = JSON.parse(data.toString()) as [string, string, string, string];
    socket.send(JSON.stringify([joinRef, ref, topic, 'phx_reply', { status: 'ok', response: {} }]));
    if (event !== 'phx_join') return;
    for (const price of [187.5, 188.25, 186.75]) socket.send(broadcast(topic, 'tick', { symbol: 'AAPL', price }));
  });
});
await once(server, 'listening');

const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/socket`;
const socket = openSocket(url, console.error, { transport: Socket });
socket.connect();
const channel = socket.channel('prices:AAPL');
channel.join();
let received = 0;
await new Promise<void>((resolve) => {
  channel.on('tick', (tick) => {
    console.log(tick);
    received += 1;
    if (received === 3) resolve();
  });
});
await new Promise<void>((resolve) => socket.disconnect(resolve));
server.close();
