// A service worker that caches decoded blocks, and JSON as it arrived.
import messagepack from 'unspool/formats/messagepack';
import { createServiceWorkerDecoder } from 'unspool/service-worker';
import { clientsClaim } from 'workbox-core';
import { registerRoute } from 'workbox-routing';
import { CacheFirst } from 'workbox-strategies';

const decoder = createServiceWorkerDecoder({ formats: { messagepack } });

/** @param {string} format */
const isFor =
  (format) =>
  (/** @type {{ url: URL }} */ { url }) =>
    url.pathname === '/api/trips' && url.searchParams.get('format') === format;

registerRoute(isFor('messagepack'), new CacheFirst({ cacheName: 'blocks', plugins: [decoder.plugin({ respondWith: 'block' })] }));
registerRoute(isFor('json'), new CacheFirst({ cacheName: 'texts' }));

addEventListener('install', () => void (/** @type {{ skipWaiting(): Promise<void> }} */ (/** @type {unknown} */ (globalThis)).skipWaiting()));
clientsClaim();
