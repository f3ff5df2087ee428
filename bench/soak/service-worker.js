// Answers `/payloads/<file>?format=<id>&as=<form>` with the payload in that form. The runner stops it again and again.
import { createServiceWorkerDecoder } from 'unspool/service-worker';
import cbor from 'unspool/formats/cbor';
import json from 'unspool/formats/json';
import messagepack from 'unspool/formats/messagepack';

/** This project does not load the types of service workers. @type {any} */
const worker = self;
const decoder = createServiceWorkerDecoder({ formats: { cbor, json, messagepack } });

worker.addEventListener('install', () => void worker.skipWaiting());
worker.addEventListener('activate', (/** @type {any} */ event) => event.waitUntil(worker.clients.claim()));
worker.addEventListener('fetch', (/** @type {any} */ event) => {
  const { pathname, searchParams } = new URL(event.request.url);
  if (!pathname.startsWith('/payloads/')) return;
  const format = /** @type {'json'} */ (searchParams.get('format'));
  const respondWith = /** @type {'json' | 'block' | 'stream'} */ (searchParams.get('as'));
  event.respondWith(decoder.handler({ format, respondWith })({ request: event.request, event }));
});
