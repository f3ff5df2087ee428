import { ServiceWorkerDecoder } from './decoder.ts';
import type { ServiceWorkerOptions } from './options.ts';

/**
 * Makes a decoder for a service worker. Call it once, at the top of the service worker's script.
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

export type { HandlerParameters, ServiceWorkerDecoder } from './decoder.ts';
export type {
  PluginOptions,
  RespondWith,
  RouteOptions,
  ServiceWorkerEvent,
  ServiceWorkerFormats,
  ServiceWorkerOptions,
} from './options.ts';
export type { DecodingPlugin, PluginParameters } from './plugin.ts';
