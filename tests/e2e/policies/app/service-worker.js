import messagepack from './unspool/formats/messagepack.js';
import { createServiceWorkerDecoder } from './unspool/service-worker.js';

const decoder = createServiceWorkerDecoder({ formats: { messagepack } });
const routes = {
  '/api/json/': decoder.handler({ respondWith: 'json', bridge: false }),
  '/api/block/': decoder.handler({ respondWith: 'block', bridge: 1 }),
};

self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('fetch', (event) => {
  const { pathname } = new URL(event.request.url);
  const found = Object.entries(routes).find(([path]) => pathname.startsWith(path));
  if (found) event.respondWith(found[1]({ request: event.request, event }));
});
