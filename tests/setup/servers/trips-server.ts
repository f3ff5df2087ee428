import { Packr } from 'msgpackr';
import type { Plugin } from 'vite';
import type { Trip } from '../../../docs/examples/01-fetch/trip.ts';

const packr = new Packr({ useRecords: false });

function tripAt(id: number): Trip {
  return { id, station: `Station ${id % 300}`, minutes: ((id * 7) % 90) + 0.5, member: id % 3 > 0 };
}

/** Requests so far for each value of `live`. */
const versions = new Map<string, number>();

/** The trips of a list that changes: with each version, one is added on top, and one in a hundred others has changed. */
function tripsOfVersion(trips: readonly Trip[], version: number): Trip[] {
  const added = Array.from({ length: version }, (_, index) => tripAt(1_000_000 + version - index));
  // With each version, the trips of another remainder change.
  const changed = trips.map((trip) => (trip.id % 100 < version ? { ...trip, minutes: trip.minutes + 1000 } : trip));
  return [...added, ...changed];
}

/**
 * Serves the payloads of the examples: `/trips` and `/trips.<extension>` return `{ trips: […] }` with `rows` trips as
 * MessagePack or JSON, `/trips.ndjson` a trip per line, and `/missing` 404. With `live`, each request for the same value of it
 * returns the next version of the list. With `etag`, responses have that entity tag, and requests that know it are answered with 304.
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
        const etag = searchParams.get('etag');
        if (extension && etag !== null && request.headers['if-none-match'] === etag) {
          response.writeHead(304, { ETag: etag }).end();
          return;
        }
        if (!extension || request.headers['sec-fetch-dest'] === 'script') {
          next();
          return;
        }
        let trips = Array.from({ length: Number(searchParams.get('rows') ?? 5_000) }, (_, id) => tripAt(id));
        const live = searchParams.get('live');
        if (live !== null) {
          const version = versions.get(live) ?? 0;
          versions.set(live, version + 1);
          trips = tripsOfVersion(trips, version);
        }
        if (searchParams.has('broken')) trips.splice(3, 1, { ...tripAt(3), minutes: -1 });
        const [type, body] =
          extension[1] === 'json'
            ? (['application/json', JSON.stringify({ trips })] as const)
            : extension[1] === 'ndjson'
              ? (['application/x-ndjson', trips.map((trip) => `${JSON.stringify(trip)}\n`).join('')] as const)
              : (['application/vnd.msgpack', packr.pack({ trips })] as const);
        // Two writes, so that Node sends no Content-Length.
        response.writeHead(200, { 'Content-Type': type, 'Cache-Control': 'no-store', ...(etag !== null && { ETag: etag }) });
        response.write(body.slice(0, 100));
        response.end(body.slice(100));
      });
    },
  };
}
