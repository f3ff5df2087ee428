import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Aedes } from 'aedes';
import { connectAsync } from 'mqtt';
import messagepack from 'unspool/encoders/messagepack';
import { encodeSync } from 'unspool/sync';
import { createWebSocketStream, WebSocketServer } from 'ws';
import { watchTopic } from './index.ts';

const broker = await Aedes.createBroker();
const server = new WebSocketServer({ port: 0, host: '127.0.0.1' }).on('connection', (socket, request) => {
  broker.handle(createWebSocketStream(socket), request);
});
await once(server, 'listening');
const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;

const sensor = await connectAsync(url);
broker.once('subscribe', () => {
  for (const [room, degrees] of Object.entries({ hall: 19.5, kitchen: 21.25, office: 22 })) {
    sensor.publish(`sensors/${room}/temperature`, Buffer.from(encodeSync(messagepack, { degrees })), { qos: 1 });
  }
});

const client = await connectAsync(url);
let received = 0;
for await (const { topic, value } of watchTopic(client, 'sensors/+/temperature')) {
  console.log(topic, value);
  received += 1;
  if (received === 3) break;
}
await Promise.all([client.endAsync(), sensor.endAsync()]);
await new Promise<void>((resolve) => broker.close(resolve));
server.close();
