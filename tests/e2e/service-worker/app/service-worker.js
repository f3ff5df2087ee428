// The service worker of an application that uses Workbox.
import avro from 'unspool/formats/avro';
import cborEncoder from 'unspool/encoders/cbor';
import messagepackEncoder from 'unspool/encoders/messagepack';
import cbor from 'unspool/formats/cbor';
import json from 'unspool/formats/json';
import messagepack from 'unspool/formats/messagepack';
import protobuf from 'unspool/formats/protobuf';
import { acceptUpdates, createServiceWorkerDecoder } from 'unspool/service-worker';
import { clientsClaim } from 'workbox-core';
import { ExpirationPlugin } from 'workbox-expiration';
import { registerRoute } from 'workbox-routing';
import { CacheFirst, NetworkFirst, NetworkOnly } from 'workbox-strategies';
import { avroSchema, protobufSchema } from './schema.js';

const decoder = createServiceWorkerDecoder({
  formats: { avro, cbor, json, messagepack, protobuf },
  encoders: { cbor: cborEncoder, messagepack: messagepackEncoder },
  schemas: { trips: { format: 'avro', schema: avroSchema }, 'protobuf trips': { format: 'protobuf', schema: protobufSchema } },
});

/** @param {string} path */
const under =
  (path) =>
  (/** @type {{ url: URL }} */ { url }) =>
    url.pathname.startsWith(path);
const tripsSchema = (/** @type {Request} */ request) =>
  request.url.includes('avro') ? 'trips' : request.url.includes('protobuf') ? 'protobuf trips' : undefined;

registerRoute(under('/json/'), decoder.handler({ schema: tripsSchema, fallback: self.location.search ? 'raw' : 'problem' }));
registerRoute(
  under('/block/'),
  new CacheFirst({
    cacheName: 'blocks',
    plugins: [decoder.plugin({ respondWith: 'block', schema: tripsSchema }), new ExpirationPlugin({ maxEntries: 3, purgeOnQuotaError: true })],
  }),
);
registerRoute(under('/encoded/'), new CacheFirst({ cacheName: 'encoded', plugins: [decoder.plugin({ respondWith: 'json', cache: 'encoded' })] }));
// The same forms, always or never decoded in the page's pool.
for (const [where, bridge] of /** @type {const} */ ([
  ['page', 1],
  ['here', false],
])) {
  const route = { bridge, schema: tripsSchema };
  registerRoute(under(`/${where}/json/`), decoder.handler({ ...route, respondWith: 'json' }));
  registerRoute(under(`/${where}/block/`), decoder.handler({ ...route, respondWith: 'block' }));
  registerRoute(under(`/${where}/stream/`), decoder.handler({ ...route, respondWith: 'stream' }));
  registerRoute(under(`/${where}/batches/`), decoder.handler({ ...route, respondWith: 'stream', batches: { path: 'trips' } }));
}
// Transcodes requests and responses.
registerRoute(under('/as/messagepack/'), decoder.handler({ respondWith: 'messagepack', schema: tripsSchema }));
registerRoute(under('/as/cbor/'), new CacheFirst({ cacheName: 'cbor', plugins: [decoder.plugin({ respondWith: 'cbor' })] }));
registerRoute(under('/send/messagepack/'), decoder.handler({ requests: 'messagepack' }), 'POST');
registerRoute(under('/send/cbor/'), new NetworkOnly({ plugins: [decoder.plugin({ requests: 'cbor' })] }), 'POST');
// Caches the application for offline use.
registerRoute(
  ({ request, sameOrigin }) => sameOrigin && (request.mode === 'navigate' || request.destination !== ''),
  new NetworkFirst({ cacheName: 'application' }),
);

acceptUpdates();
clientsClaim();
