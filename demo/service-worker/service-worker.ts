import avro from 'unspool/formats/avro';
import cbor from 'unspool/formats/cbor';
import messagepack from 'unspool/formats/messagepack';
import { acceptUpdates, createServiceWorkerDecoder } from 'unspool/service-worker';
import { clientsClaim } from 'workbox-core';
import type { WorkboxPlugin } from 'workbox-core/types.js';
import { ExpirationPlugin } from 'workbox-expiration';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { CacheFirst, NetworkFirst } from 'workbox-strategies';
import tripsSchema from '../server/schemas/trips.avsc?raw';
import { type AppFiles, Precache } from './precache.ts';

/** What the demo is built of; see `vite.config.ts`. */
declare const DEMO_FILES: AppFiles;

const decoder = createServiceWorkerDecoder({
  formats: { avro, cbor, messagepack },
  schemas: { trips: { format: 'avro', schema: JSON.parse(tripsSchema) as object } },
});

/** What the payload is read with: Avro's says nothing of itself. */
const schema = ({ url }: Request): string | undefined => (new URL(url).searchParams.get('format') === 'avro' ? 'trips' : undefined);

/** Lets the entries go that were used longest ago. */
const atMost = (maxEntries: number): WorkboxPlugin => new ExpirationPlugin({ maxEntries, purgeOnQuotaError: true }) as WorkboxPlugin;

/** `decoder.fetch` says in its Accept header what it reads; plain `fetch` takes anything. */
const knowsUnspool = ({ headers }: Request): boolean => headers.get('accept') !== '*/*';

// All pages are one document, but for those of the race's lanes.
const precache = new Precache(DEMO_FILES);
registerRoute(new NavigationRoute(() => precache.get('index.html'), { denylist: [/\/lane\.html$/] }));
registerRoute(
  ({ url }) => precache.has(url),
  ({ request }) => precache.get(request.url),
);

// Decoded once, then opened: the block is what is kept.
registerRoute(
  ({ url, request, sameOrigin }) => sameOrigin && url.pathname.endsWith('/api/trips') && knowsUnspool(request),
  new CacheFirst({
    cacheName: 'blocks',
    plugins: [decoder.plugin({ respondWith: 'block', schema }), atMost(4)],
  }),
);

// An application that knows JSON and nothing else.
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname.endsWith('/api/trips'),
  new NetworkFirst({
    cacheName: 'texts',
    plugins: [decoder.plugin({ respondWith: 'json', schema }), atMost(6)],
  }),
);

// The panel's samples. Other payloads are what the demo measures: they go past the service worker.
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname.includes('/payload/') && url.searchParams.get('rows') === '200',
  new NetworkFirst({ cacheName: 'samples', plugins: [atMost(30)] }),
);

acceptUpdates();
clientsClaim();
