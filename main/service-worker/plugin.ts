import { VERSION } from '../../core/block/block.ts';
import { claimsBlock } from '../block/is-block.ts';
import { hasOwnBlock } from '../block/key.ts';
import { KEPT_HEADER, parseBlockType } from '../block/type.ts';
import type { PluginOptions, RouteOptions, ServiceWorkerEvent } from './options.ts';
import { mayCache } from './policy.ts';
import { withoutFalseClaim } from './responses/responses.ts';

/** What Workbox calls a plugin with. */
export interface PluginParameters {
  request: Request;
  event: ServiceWorkerEvent;
}

/** What decodes the responses. */
interface Responds {
  transcodeRequest(request: Request, route: RouteOptions): Promise<Request>;
  respond(request: Request, response: Response, route: RouteOptions, event?: ServiceWorkerEvent): Promise<Response>;
}

/**
 * A plugin for Workbox's strategies. It sends requests in another format where the route says so, decodes what the strategy
 * fetches, before it is cached, or what the strategy answers with, and keeps out of the cache what is not for it: failures,
 * and opaque or personal answers.
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

  /** A block that another version of the library wrote, or another origin, counts as none. */
  readonly cachedResponseWillBeUsed = async ({ cachedResponse }: { cachedResponse?: Response | undefined }): Promise<Response | null> =>
    cachedResponse && (await isOpenable(cachedResponse)) ? cachedResponse : null;

  readonly handlerWillRespond = async ({ request, response, event }: PluginParameters & { response: Response }): Promise<Response> =>
    this.#options.cache === 'encoded' ? this.#decoder.respond(request, response, this.#options, event) : response;
}

/** Whether a response claims to have no block, or has one that pages of this origin open. */
async function isOpenable(response: Response): Promise<boolean> {
  if (!claimsBlock(response)) return true;
  return parseBlockType(response.headers.get('content-type'))?.version === VERSION && (await hasOwnBlock(response));
}

/** A block that is about to be kept, with a name by which the page knows it in the cache. */
function named(response: Response): Response {
  if (parseBlockType(response.headers.get('content-type'))?.form !== 'block') return response;
  try {
    response.headers.set(KEPT_HEADER, crypto.randomUUID());
  } catch {
    // It came from elsewhere.
  }
  return response;
}
