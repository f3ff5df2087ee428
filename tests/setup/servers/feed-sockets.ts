import { Encoder as CborXEncoder } from 'cbor-x';
import { Packr } from 'msgpackr';
import type { Plugin } from 'vite';
import { type WebSocket, WebSocketServer } from 'ws';
import { FEED, type FeedItem, feedItems } from './feed.ts';

/** Writers of one connection. Those of MessagePack and CBOR write the keys of a record once. */
const WRITERS: Readonly<Record<string, () => (item: FeedItem) => Uint8Array | string>> = {
  json: () => (item) => JSON.stringify(item),
  messagepack: () => {
    const packr = new Packr({ sequential: true });
    return (item) => Uint8Array.from(packr.pack(item));
  },
  cbor: () => {
    const encoder = new CborXEncoder({ useRecords: true, sequential: true });
    return (item) => Uint8Array.from(encoder.encode(item));
  },
};

/**
 * Sends the items after `after` of `?format=messagepack&after=3&count=4&last=20`: at first the two up to it again, then `count` new ones and half of
 * the next. Then the connection breaks once the client sends a message. After the item `last`, the server closes normally.
 */
export function sendFeed(socket: WebSocket, query: URLSearchParams): void {
  const [after, count, last] = ['after', 'count', 'last'].map((name) => Number(query.get(name))) as [number, number, number];
  const write = WRITERS[query.get('format')!]!();
  const end = Math.min(after + count, last);
  for (const item of feedItems(Math.max(after - 1, 1), end)) socket.send(write(item));
  if (end === last) socket.close(1000);
  else {
    const message = Buffer.from(write(feedItems(end + 1, end + 1)[0]!));
    socket.send(message.subarray(0, message.length >> 1), { fin: false });
    socket.on('message', () => socket.terminate());
  }
}

/** Serves the feed next to the tests' pages. */
export function feedSockets(): Plugin {
  return {
    name: 'feed-sockets',
    configureServer(server) {
      const sockets = new WebSocketServer({ noServer: true });
      server.httpServer?.on('upgrade', (request, socket, head) => {
        const { pathname, searchParams } = new URL(request.url, 'http://localhost');
        if (pathname === FEED) sockets.handleUpgrade(request, socket, head, (opened) => sendFeed(opened, searchParams));
      });
    },
  };
}
