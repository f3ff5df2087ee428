import { ServiceWorkerDecoder } from './decoder.ts';
import type { ServiceWorkerOptions } from './options.ts';

/**
 * Creates a decoder for a service worker. Call it once, at the top of the service worker's script.
 *
 * @example
 * import cbor from 'unspool/formats/cbor';
 * import messagepack from 'unspool/formats/messagepack';
 * import { createServiceWorkerDecoder } from 'unspool/service-worker';
 * import { registerRoute } from 'workbox-routing';
 *
 * const decoder = createServiceWorkerDecoder({ formats: { cbor, messagepack } });
 * registerRoute(({ url }) => url.pathname.startsWith('/api/'), decoder.handler({ respondWith: 'json' }));
 */
export function createServiceWorkerDecoder(options: ServiceWorkerOptions): ServiceWorkerDecoder {
  return new ServiceWorkerDecoder(options);
}

/**
 * Lets the page decide when this version of the service worker takes control, with `skipWaiting` of
 * `registerServiceWorker`.
 */
export function acceptUpdates(): void {
  const scope = globalThis as unknown as { skipWaiting(): Promise<void> } & EventTarget;
  scope.addEventListener('message', (event) => {
    const { data } = event as MessageEvent<{ type?: unknown } | undefined>;
    if (data?.type === 'SKIP_WAITING') void scope.skipWaiting();
  });
}

export type { HandlerParameters, ServiceWorkerDecoder } from './decoder.ts';
export type {
  PluginOptions,
  RequestChoice,
  RequestForm,
  RespondWith,
  RouteOptions,
  ServiceWorkerEncoders,
  ServiceWorkerEvent,
  ServiceWorkerFormats,
  ServiceWorkerOptions,
  WrittenForm,
  WrittenIn,
} from './options.ts';
export type { DecodingPlugin, PluginParameters } from './plugin.ts';
