import avro from 'unspool/formats/avro';
import cbor from 'unspool/formats/cbor';
import messagepack from 'unspool/formats/messagepack';
import { acceptUpdates, createServiceWorkerDecoder } from 'unspool/service-worker';
import { clientsClaim } from 'workbox-core';
import type { WorkboxPlugin } from 'workbox-core/types.js';
import { ExpirationPlugin } from 'workbox-expiration';
import { registerRoute } from 'workbox-routing';
import { CacheFirst, NetworkFirst } from 'workbox-strategies';
import tripsSchema from '../server/schemas/trips.avsc?raw';
import { isPage } from '../site/pages.ts';
import { type AppFiles, Precache } from './precache.ts';

/** Files of the demo; see `vite.config.ts`. */
declare const DEMO_FILES: AppFiles;

const decoder = createServiceWorkerDecoder({
  formats: { avro, cbor, messagepack },
  schemas: { trips: { format: 'avro', schema: JSON.parse(tripsSchema) as object } },
});

/** The schema of a payload. Avro payloads do not contain theirs. */
const schema = ({ url }: Request): string | undefined => (new URL(url).searchParams.get('format') === 'avro' ? 'trips' : undefined);

/** Evicts the least recently used entries. */
const atMost = (maxEntries: number): WorkboxPlugin => new ExpirationPlugin({ maxEntries, purgeOnQuotaError: true }) as WorkboxPlugin;

/** True for `decoder.fetch`, which sends an Accept header; plain `fetch` accepts anything. */
const knowsUnspool = ({ headers }: Request): boolean => headers.get('accept') !== '*/*';

// All pages are one document. The server answers other addresses, with 404 if there is nothing.
const precache = new Precache(DEMO_FILES);
registerRoute(
  ({ request, url }) => request.mode === 'navigate' && isPage(url.pathname),
  () => precache.get('index.html'),
);
registerRoute(
  ({ url }) => precache.has(url),
  ({ request }) => precache.get(request.url),
);

// Decodes once and caches the block, which later visits open.
registerRoute(
  ({ url, request, sameOrigin }) => sameOrigin && url.pathname.endsWith('/api/trips') && knowsUnspool(request),
  new CacheFirst({
    cacheName: 'blocks',
    plugins: [decoder.plugin({ respondWith: 'block', schema }), atMost(4)],
  }),
);

// Serves an application that knows only JSON.
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname.endsWith('/api/trips'),
  new NetworkFirst({
    cacheName: 'texts',
    plugins: [decoder.plugin({ respondWith: 'json', schema }), atMost(6)],
  }),
);

// Caches the panel's samples. Other payloads bypass the service worker, as the demo measures them.
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname.includes('/payload/') && url.searchParams.get('rows') === '200',
  new NetworkFirst({ cacheName: 'samples', plugins: [atMost(30)] }),
);

acceptUpdates();
clientsClaim();
