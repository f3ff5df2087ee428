import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';

/** One connection: a client as in a page, and its other end in the server. */
export interface Connection {
  readonly client: WebSocket;
  readonly server: WebSocket;
}

/** A server of WebSockets on a free port. */
export interface SocketServer {
  /** Connects a client. Messages sent before it listens arrive all the same once it does. */
  connect(): Promise<Connection>;
  close(): Promise<void>;
}

/** Starts a server of WebSockets. */
export async function serveSockets(): Promise<SocketServer> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    async connect() {
      const connected = once(server, 'connection') as Promise<[WebSocket]>;
      const client = new WebSocket(`ws://127.0.0.1:${port}`);
      const [[end]] = await Promise.all([connected, once(client, 'open')]);
      return { client, server: end };
    },
    async close() {
      for (const client of server.clients) client.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
