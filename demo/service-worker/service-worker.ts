import { acceptUpdates } from 'unspool/service-worker';
import { registerRoute } from 'workbox-routing';
import { NetworkFirst } from 'workbox-strategies';

// The demo itself, for when there is no network. Payloads are what the demo measures: they go past the service worker.
registerRoute(
  ({ request, sameOrigin }) => sameOrigin && (request.mode === 'navigate' || request.destination !== ''),
  new NetworkFirst({ cacheName: 'demo' }),
);

acceptUpdates();
