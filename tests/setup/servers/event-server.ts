import type { Plugin } from 'vite';

/** Path of the events. */
export const EVENTS = '/server-sent-events';

/**
 * Serves server-sent events for an `EventSource`. Each connection gets `count` messages `{ "id": 1, "after": "" }` with their ids,
 * an event of the type `other` and one without data before each, and then ends. The next one goes on after its `Last-Event-ID`, which messages have as
 * `after`. Once `last` messages were sent, it gets the status 204, after which an `EventSource` does not connect again.
 */
export function serveEvents(): Plugin {
  return {
    name: 'serve-events',
    configureServer(server) {
      server.middlewares.use(EVENTS, (message, response) => {
        const query = new URL(message.url ?? '/', 'http://localhost').searchParams;
        const [count, last] = ['count', 'last'].map((name) => Number(query.get(name))) as [number, number];
        const after = String(message.headers['last-event-id'] ?? '');
        if (Number(after) >= last) {
          response.writeHead(204).end();
          return;
        }
        response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
        response.write('retry: 1\n\n');
        for (let id = Number(after) + 1; id <= Math.min(Number(after) + count, last); id += 1) {
          response.write(`event: other\ndata: no JSON\n\ndata:\n\nid: ${id}\ndata: {"id":${id},\ndata: "after":"${after}"}\n\n`);
        }
        response.end();
      });
    },
  };
}
