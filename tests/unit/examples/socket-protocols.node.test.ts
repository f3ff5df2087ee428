/** The examples of protocols over sockets, against servers of these protocols, and next to the official clients. */
import { once } from 'node:events';
import http from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { HttpTransportType, HubConnectionBuilder, LogLevel, MessageType } from '@microsoft/signalr';
import { MessagePackHubProtocol } from '@microsoft/signalr-protocol-msgpack';
import { Aedes } from 'aedes';
import type * as graphql from 'graphql';
import { createClient, type ServerOptions } from 'graphql-ws';
import { useServer } from 'graphql-ws/use/ws';
import { connectAsync } from 'mqtt';
import { Packr, unpack } from 'msgpackr';
import { type Channel, Socket as PhoenixSocket, type SocketConnectOption } from 'phoenix';
import { Server as IoServer, type Socket as IoSocket } from 'socket.io';
import { io } from 'socket.io-client';
import * as officialParser from 'socket.io-msgpack-parser';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createWebSocketStream, WebSocket as Client, WebSocketServer } from 'ws';
import { streamHub } from '../../../docs/examples/29-signalr/index.ts';
import { openSocket } from '../../../docs/examples/30-phoenix/index.ts';
import { subscribe } from '../../../docs/examples/31-graphql-ws/index.ts';
import { watchTopic } from '../../../docs/examples/32-mqtt/index.ts';
import { Decoder, Encoder } from '../../../docs/examples/33-socket-io/index.ts';

// The package is there twice, and the server loads this one.
const { buildSchema } = createRequire(import.meta.url)('graphql') as typeof graphql;

interface Tick {
  readonly id: number;
  readonly rows: readonly { readonly at: number; readonly symbol: string }[];
}

/** Large values are decoded in slices or in a worker, and small ones must not overtake them. */
const TICKS: readonly Tick[] = [0, 1, 2, 3, 4].map((id) => ({
  id,
  rows: Array.from({ length: id % 3 === 0 ? 5_000 : 2 }, (_, at) => ({ at, symbol: `é${id}` })),
}));

const packr = new Packr({ useRecords: false });
const pack = (value: unknown): Buffer => Buffer.from(packr.pack(value));

let server: http.Server;
let host: string;

beforeEach(async () => {
  server = http.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const open = (protocols?: string): WebSocket => new Client(`ws://${host}`, protocols) as unknown as WebSocket;

async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const taken: T[] = [];
  for await (const value of values) taken.push(value);
  return taken;
}

describe("SignalR's MessagePack protocol", () => {
  const protocol = new MessagePackHubProtocol();
  const write = (message: Parameters<typeof protocol.writeMessage>[0]): Buffer => Buffer.from(protocol.writeMessage(message));

  /** A hub by the specification of the protocol, with the bytes of the official package. Returns the messages that it receives. */
  function serveHub(answer = '{}'): Buffer[] {
    const received: Buffer[] = [];
    new WebSocketServer({ server }).on('connection', (socket) => {
      socket.once('message', (handshake) => {
        expect(JSON.parse(String(handshake as Buffer).slice(0, -1))).toMatchObject({ protocol: 'messagepack' });
        socket.send(Buffer.concat([Buffer.from(`${answer}\u001e`), write({ type: MessageType.Ping })]));
        socket.on('message', (data: Buffer) => {
          received.push(data);
          const [type, , id, method] = unpack(data.subarray(1)) as [number, object, string, string];
          if (type !== (MessageType.StreamInvocation as number)) return;
          const error = 'no such symbol';
          if (method === 'Fail') socket.send(write({ type: MessageType.Completion, invocationId: id, error }));
          else if (method === 'Leave') socket.send(write({ type: MessageType.Close }));
          else if (method === 'Break') socket.close(1011, 'no memory');
          else if (method === 'End') socket.close();
          else {
            // All messages in one of the socket.
            const items = TICKS.map((item) => write({ type: MessageType.StreamItem, invocationId: id, item }));
            socket.send(Buffer.concat([...items, write({ type: MessageType.Completion, invocationId: id })]));
          }
        });
      });
    });
    return received;
  }

  test('gives the items of a stream in order, as the official client does, and calls with the bytes of that client', async () => {
    const received = serveHub();
    expect(await all(streamHub<Tick>(open(), 'Ticks', 'AAPL', 5))).toEqual(TICKS);
    const call = write({ type: MessageType.StreamInvocation, invocationId: '1', target: 'Ticks', arguments: ['AAPL', 5] });
    expect(received).toEqual([call]);

    const connection = new HubConnectionBuilder()
      .withUrl(`http://${host}`, { skipNegotiation: true, transport: HttpTransportType.WebSockets })
      .withHubProtocol(protocol)
      .configureLogging(LogLevel.None)
      .build();
    await connection.start();
    const official: unknown[] = [];
    await new Promise<void>((complete, error) => {
      connection.stream('Ticks', 'AAPL', 5).subscribe({ next: (item) => official.push(item), complete, error });
    });
    await connection.stop();
    expect(official).toEqual(TICKS);
  });

  test('ends with the error of a call, of the handshake, and of a connection that closes before the stream ends', async () => {
    serveHub();
    await expect(all(streamHub(open(), 'Fail'))).rejects.toThrow('no such symbol');
    await expect(all(streamHub(open(), 'Leave'))).rejects.toThrow('the server closes the connection: no reason is given');
    await expect(all(streamHub(open(), 'Break'))).rejects.toThrow('the socket was closed with the code 1011: no memory');
    await expect(all(streamHub(open(), 'End'))).rejects.toThrow('the connection was closed before the stream ended');
  });

  test('ends with the error of a handshake that the server refuses', async () => {
    serveHub('{"error":"the protocol is unknown"}');
    await expect(all(streamHub(open(), 'Ticks'))).rejects.toThrow('the protocol is unknown');
  });
});

describe('Phoenix channels', () => {
  /** The head of a binary message: its kind, the lengths of the fields, and the fields. */
  const head = (kind: number, ...fields: string[]): Buffer =>
    Buffer.concat([Buffer.of(kind, ...fields.map((field) => Buffer.byteLength(field))), ...fields.map((field) => Buffer.from(field))]);

  /** A server by the serializer V2: JSON, and binary messages of all three kinds. */
  function serveChannel(): void {
    new WebSocketServer({ server }).on('connection', (socket, request) => {
      expect(request.url).toContain('vsn=2.0.0');
      socket.on('message', (data: Buffer, isBinary) => {
        if (isBinary) {
          // A push of the client has its `ref` too.
          const ends = [...data.subarray(1, 5)];
          let at = 5;
          const [joinRef, ref, topic, event] = ends.map((length) => data.subarray(at, (at += length)).toString()) as [string, string, string, string];
          expect(event).toBe('ask');
          socket.send(Buffer.concat([head(1, joinRef, ref, topic, 'ok'), data.subarray(at)]));
          return;
        }
        const [joinRef, ref, topic, event] = JSON.parse(data.toString()) as [string, string, string, string];
        socket.send(JSON.stringify([joinRef, ref, topic, 'phx_reply', { status: 'ok', response: {} }]));
        if (event !== 'phx_join') return;
        for (const [at, tick] of TICKS.entries()) {
          if (at % 3 === 0) socket.send(Buffer.concat([head(0, joinRef, topic, 'tick'), pack(tick)]));
          else if (at % 3 === 1) socket.send(Buffer.concat([head(2, topic, 'tick'), pack(tick)]));
          else socket.send(JSON.stringify([null, null, topic, 'tick', tick]));
        }
      });
    });
  }

  /** Joins a channel. Returns what it gets, and the answer to a binary push. */
  async function join(
    make: (endpoint: string, options: Partial<SocketConnectOption>) => PhoenixSocket,
  ): Promise<{ ticks: unknown[]; answer: unknown }> {
    const socket = make(`ws://${host}/socket`, { transport: Client });
    socket.connect();
    const channel: Channel = socket.channel('prices:AAPL');
    const ticks: unknown[] = [];
    const joined = new Promise<void>((resolve, reject) => channel.join().receive('ok', resolve).receive('error', reject));
    await new Promise<void>((resolve) => {
      channel.on('tick', (tick) => {
        if (ticks.push(tick) === TICKS.length) resolve();
      });
    });
    await joined;
    const payload = Uint8Array.from(pack({ symbol: 'é' })).buffer;
    const answer = await new Promise((resolve, reject) => channel.push('ask', payload).receive('ok', resolve).receive('error', reject));
    await new Promise<void>((resolve) => socket.disconnect(resolve));
    return { ticks, answer };
  }

  test('gives pushes and broadcasts in JSON and MessagePack in order, and replies, as the official serializer frames them', async () => {
    serveChannel();
    const errors: unknown[] = [];
    const own = await join((endpoint, options) => openSocket(endpoint, (error) => errors.push(error), options));
    expect(own).toEqual({ ticks: TICKS, answer: { symbol: 'é' } });
    expect(errors).toEqual([]);
    const official = await join((endpoint, options) => new PhoenixSocket(endpoint, options));
    const decoded = (payload: unknown): unknown => (payload instanceof ArrayBuffer ? unpack(new Uint8Array(payload)) : payload);
    expect({ ticks: official.ticks.map(decoded), answer: decoded(official.answer) }).toEqual(own);
  });

  test('leaves out a message that is no value, and reports it', async () => {
    new WebSocketServer({ server }).on('connection', (socket) => {
      socket.on('message', (data: Buffer) => {
        const [joinRef, ref, topic] = JSON.parse(data.toString()) as [string, string, string];
        socket.send(JSON.stringify([joinRef, ref, topic, 'phx_reply', { status: 'ok', response: {} }]));
        socket.send(Buffer.concat([head(2, topic, 'tick'), Buffer.of(0xc1)]));
        socket.send(Buffer.concat([head(2, topic, 'tick'), pack(1)]));
      });
    });
    const errors: unknown[] = [];
    const socket = openSocket(`ws://${host}/socket`, (error) => errors.push(error), { transport: Client });
    socket.connect();
    const channel = socket.channel('prices:AAPL');
    const tick = new Promise((resolve) => channel.on('tick', resolve));
    channel.join();
    expect(await tick).toBe(1);
    expect(errors).toMatchObject([{ name: 'DecodeError' }]);
    await new Promise<void>((resolve) => socket.disconnect(resolve));
  });
});

describe('GraphQL over a WebSocket', () => {
  const schema = buildSchema(`
    type Row { at: Int! symbol: String! }
    type Tick { id: Int! rows: [Row!]! }
    type Query { none: Int }
    type Subscription { ticks(to: Int!): Tick! }
  `);
  const query = 'subscription ($to: Int!) { ticks(to: $to) { id rows { at symbol } } }';
  const roots: ServerOptions['roots'] = {
    subscription: {
      async *ticks({ to }: { to: number }) {
        for (const ticks of TICKS.slice(0, to)) yield { ticks };
        if (to > TICKS.length) throw new Error('the market is closed');
      },
    },
  };
  const serve = (options: ServerOptions = {}): void => void useServer({ schema, roots, ...options }, new WebSocketServer({ server }));

  test('gives the results of a subscription in order, as the official client does', async () => {
    serve();
    const payload = { query, variables: { to: TICKS.length } };
    const own = await all(subscribe(open('graphql-transport-ws'), payload));
    expect(own).toEqual(TICKS.map((ticks) => ({ ticks })));
    const client = createClient({ url: `ws://${host}`, webSocketImpl: Client });
    const official = await all(client.iterate(payload));
    await client.dispose();
    expect(official.map(({ data }) => data)).toEqual(own);
  });

  test('ends with the errors of a query that is invalid, and of one that fails in the middle, after the results before it', async () => {
    serve();
    await expect(all(subscribe(open('graphql-transport-ws'), { query: 'subscription { none }' }))).rejects.toThrow('Cannot query field "none"');
    const taken: unknown[] = [];
    const reading = (async () => {
      for await (const value of subscribe(open('graphql-transport-ws'), { query, variables: { to: 6 } })) taken.push(value);
    })();
    await expect(reading).rejects.toThrow('the market is closed');
    expect(taken).toHaveLength(TICKS.length);
  });

  test('ends with the code of a server that refuses the connection', async () => {
    serve({ onConnect: () => false });
    await expect(all(subscribe(open('graphql-transport-ws'), { query }))).rejects.toThrow('the socket was closed with the code 4403: Forbidden');
  });

  test('ends the subscription of the server when the loop is left', async () => {
    const sockets = new WebSocketServer({ server });
    useServer({ schema, roots }, sockets);
    const connected = once(sockets, 'connection') as Promise<[Client]>;
    for await (const value of subscribe(open('graphql-transport-ws'), { query, variables: { to: 4 } })) {
      expect(value).toEqual({ ticks: TICKS[0] });
      break;
    }
    const [socket] = await connected;
    if (socket.readyState !== socket.CLOSED) await once(socket, 'close');
  });
});

describe('MQTT over a WebSocket', () => {
  test('gives the payloads of a topic in order, with their topics, and goes on when the connection breaks', async () => {
    const broker = await Aedes.createBroker();
    const connections: Client[] = [];
    new WebSocketServer({ server }).on('connection', (socket, request) => {
      connections.push(socket);
      broker.handle(createWebSocketStream(socket), request);
    });
    const subscribed = (): Promise<unknown> => once(broker, 'subscribe');
    const client = await connectAsync(`ws://${host}`, { reconnectPeriod: 1 });
    const publisher = await connectAsync(`ws://${host}`);
    const first = subscribed();
    const messages = watchTopic<Tick>(client, 'ticks/+/new');
    const taken: unknown[] = [];
    const next = messages.next();
    await first;
    for (const tick of TICKS) {
      await publisher.publishAsync(`ticks/${tick.id}/new`, pack(tick), { qos: 1 });
      await publisher.publishAsync(`ticks/${tick.id}/old`, pack(tick), { qos: 1 });
    }
    taken.push((await next).value);
    for (let count = 1; count < TICKS.length; count += 1) taken.push((await messages.next()).value);
    expect(taken).toEqual(TICKS.map((value) => ({ topic: `ticks/${value.id}/new`, value })));

    const again = subscribed();
    connections[0]!.terminate();
    await again;
    const after = messages.next();
    await publisher.publishAsync('ticks/9/new', pack(TICKS[1]), { qos: 1 });
    expect((await after).value).toEqual({ topic: 'ticks/9/new', value: TICKS[1] });

    const last = messages.next();
    await client.endAsync();
    expect(await last).toEqual({ done: true, value: undefined });
    await publisher.endAsync();
    await new Promise<void>((resolve) => broker.close(resolve));
  });
});

describe("socket.io's MessagePack parser", () => {
  test('gives the packets of a server with the official parser in order, sends what that parser reads, and goes on when the connection breaks', async () => {
    const sockets = new IoServer(server, { parser: officialParser });
    const connections: IoSocket[] = [];
    sockets.on('connection', (socket) => {
      connections.push(socket);
      for (const tick of TICKS) socket.emit('tick', tick, Buffer.of(1, 2));
      socket.on('ask', (value: unknown, answer: (value: unknown) => void) => answer(value));
    });
    const client = io(`http://${host}`, { parser: { Encoder, Decoder }, transports: ['websocket'], reconnectionDelay: 1, forceNew: true });
    const ticks: unknown[] = [];
    let wake = (): void => {};
    client.on('tick', (tick: Tick, bytes: Uint8Array) => {
      expect([...bytes]).toEqual([1, 2]);
      ticks.push(tick);
      wake();
    });
    const until = async (count: number): Promise<void> => {
      while (ticks.length < count) await new Promise<void>((resolve) => (wake = resolve));
    };
    await until(TICKS.length);
    const value = { text: 'é', list: [1, -2.5, null, true], nested: { deep: [{}] } };
    expect(await client.emitWithAck('ask', value)).toEqual(value);

    connections[0]!.conn.close();
    await until(TICKS.length * 2);
    // A packet that is no value closes the connection, which is opened again.
    connections[1]!.conn.write(Buffer.of(0xc1));
    connections[1]!.emit('tick', TICKS[0], Buffer.of(1, 2));
    await until(TICKS.length * 3);
    expect(ticks).toEqual([...TICKS, ...TICKS, ...TICKS]);
    client.disconnect();
    await sockets.close();
  });
});
