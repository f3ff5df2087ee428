import { VERSION } from '../../core/block/block.ts';
import { claimsBlock } from '../block/is-block.ts';
import { hasOwnBlock } from '../block/key.ts';
import { KEPT_HEADER, parseBlockType } from '../block/type.ts';
import type { PluginOptions, RouteOptions, ServiceWorkerEvent } from './options.ts';
import { mayCache } from './policy.ts';
import { withoutFalseClaim } from './responses/responses.ts';

/** Parameters of Workbox's plugin callbacks. */
export interface PluginParameters {
  request: Request;
  event: ServiceWorkerEvent;
}

/** Decodes the responses. */
interface Responds {
  transcodeRequest(request: Request, route: RouteOptions): Promise<Request>;
  respond(request: Request, response: Response, route: RouteOptions, event?: ServiceWorkerEvent): Promise<Response>;
}

/**
 * A plugin for Workbox's strategies. Sends requests in another format if the route says so. Decodes the responses that
 * the strategy fetches, before they are cached, or that it answers with. Keeps failures, and opaque or personal
 * answers, out of the cache.
 */
export class DecodingPlugin {
  readonly #decoder: Responds;
  readonly #options: PluginOptions;

  /** @internal Use `ServiceWorkerDecoder.plugin`. */
  constructor(decoder: Responds, options: PluginOptions) {
    this.#decoder = decoder;
    this.#options = options;
  }

  readonly requestWillFetch = async ({ request }: PluginParameters): Promise<Request> => this.#decoder.transcodeRequest(request, this.#options);

  readonly fetchDidSucceed = async ({ request, response, event }: PluginParameters & { response: Response }): Promise<Response> =>
    this.#options.cache === 'encoded' ? withoutFalseClaim(response) : this.#decoder.respond(request, response, this.#options, event);

  readonly cacheWillUpdate = async ({ request, response }: PluginParameters & { response: Response }): Promise<Response | null> =>
    mayCache(request, response, this.#options) && (await isOpenable(response)) ? named(response) : null;

  /** Ignores blocks written by another version of the library or another origin. */
  readonly cachedResponseWillBeUsed = async ({ cachedResponse }: { cachedResponse?: Response | undefined }): Promise<Response | null> =>
    cachedResponse && (await isOpenable(cachedResponse)) ? cachedResponse : null;

  readonly handlerWillRespond = async ({ request, response, event }: PluginParameters & { response: Response }): Promise<Response> =>
    this.#options.cache === 'encoded' ? this.#decoder.respond(request, response, this.#options, event) : response;
}

/** True if a response does not claim to be a block, or is one that pages of this origin can open. */
async function isOpenable(response: Response): Promise<boolean> {
  if (!claimsBlock(response)) return true;
  return parseBlockType(response.headers.get('content-type'))?.version === VERSION && (await hasOwnBlock(response));
}

/** Gives a block to be cached a name by which the page finds it in the cache. */
function named(response: Response): Response {
  if (parseBlockType(response.headers.get('content-type'))?.form !== 'block') return response;
  try {
    response.headers.set(KEPT_HEADER, crypto.randomUUID());
  } catch {
    // The headers of this response are immutable.
  }
  return response;
}
