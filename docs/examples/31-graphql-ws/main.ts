import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { buildSchema } from 'graphql';
import { useServer } from 'graphql-ws/use/ws';
import { WebSocket as Socket, WebSocketServer } from 'ws';
import { subscribe } from './index.ts';

const schema = buildSchema(`
  type Tick { symbol: String! price: Float! }
  type Query { none: Int }
  type Subscription { ticks(symbol: String!): Tick! }
`);
const subscription = {
  async *ticks({ symbol }: { symbol: string }) {
    for (const price of [187.5, 188.25, 186.75]) yield { ticks: { symbol, price } };
  },
};
const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
const served = useServer({ schema, roots: { subscription } }, server);
await once(server, 'listening');

const socket = new Socket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`, 'graphql-transport-ws');
const query = 'subscription { ticks(symbol: "AAPL") { symbol price } }';
for await (const { ticks } of subscribe<{ ticks: object }>(socket as unknown as WebSocket, { query })) console.log(ticks);
await served.dispose();
server.close();
