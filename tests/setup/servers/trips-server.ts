import { Packr } from 'msgpackr';
import type { Plugin } from 'vite';
import type { Trip } from '../../../docs/examples/trip.ts';

const packr = new Packr({ useRecords: false });

function tripAt(id: number): Trip {
  return { id, station: `Station ${id % 300}`, minutes: ((id * 7) % 90) + 0.5, member: id % 3 > 0 };
}

/**
 * Serves the payloads of the examples: `/trips` and `/trips.<extension>` return `{ trips: […] }` with `rows` trips as
 * MessagePack or JSON, `/trips.ndjson` a trip per line, and `/missing` 404.
 */
export function serveTrips(): Plugin {
  return {
    name: 'serve-trips',
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
        const extension = /^\/trips(?:\.(json|msgpack|ndjson))?$/.exec(pathname);
        if (pathname === '/missing') {
          response.writeHead(404, { 'Content-Type': 'application/problem+json' }).end('{"title":"not here"}');
          return;
        }
        if (!extension || request.headers['sec-fetch-dest'] === 'script') {
          next();
          return;
        }
        const trips = Array.from({ length: Number(searchParams.get('rows') ?? 5_000) }, (_, id) => tripAt(id));
        if (searchParams.has('broken')) trips.splice(3, 1, { ...tripAt(3), minutes: -1 });
        const [type, body] =
          extension[1] === 'json'
            ? (['application/json', JSON.stringify({ trips })] as const)
            : extension[1] === 'ndjson'
              ? (['application/x-ndjson', trips.map((trip) => `${JSON.stringify(trip)}\n`).join('')] as const)
              : (['application/vnd.msgpack', packr.pack({ trips })] as const);
        // Two writes, so that Node sends no Content-Length.
        response.writeHead(200, { 'Content-Type': type, 'Cache-Control': 'no-store' });
        response.write(body.slice(0, 100));
        response.end(body.slice(100));
      });
    },
  };
}
