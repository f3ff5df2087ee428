import type { ServerResponse } from 'node:http';
import type { Plugin } from 'vite';

/** Path of the events. */
export const EVENTS = '/server-sent-events';

/**
 * Serves server-sent events for an `EventSource`. Each connection gets `count` messages `{ "id": 1, "after": "" }` with their ids,
 * an event of the type `other` and one without data before each, and then ends; with `cut`, all are messages, and it stays open in the middle of the next one until `?break` is requested. The next one goes on after its `Last-Event-ID`, which messages have as
 * `after`. Once `last` messages were sent, it gets the status 204, after which an `EventSource` does not connect again.
 */
export function serveEvents(): Plugin {
  let open: ServerResponse | undefined;
  return {
    name: 'serve-events',
    configureServer(server) {
      server.middlewares.use(EVENTS, (message, response) => {
        const query = new URL(message.url ?? '/', 'http://localhost').searchParams;
        if (query.has('break')) {
          open?.destroy();
          response.writeHead(204).end();
          return;
        }
        const [count, last] = ['count', 'last'].map((name) => Number(query.get(name))) as [number, number];
        const after = String(message.headers['last-event-id'] ?? '');
        if (Number(after) >= last) {
          response.writeHead(204).end();
          return;
        }
        response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
        response.write('retry: 1\n\n');
        for (let id = Number(after) + 1; id <= Math.min(Number(after) + count, last); id += 1) {
          if (!query.has('cut')) response.write('event: other\ndata: no JSON\n\ndata:\n\n');
          response.write(`id: ${id}\ndata: {"id":${id},\ndata: "after":"${after}"}\n\n`);
        }
        if (!query.has('cut')) response.end();
        else {
          response.write('id: cut\ndata: {"id"');
          open = response;
        }
      });
    },
  };
}
