import { VERSION } from '../../core/block/block.ts';
import type { SessionSetting } from '../../core/format/decode-session.ts';
import { needsSchema, OTHERS } from '../../core/formats/accept.ts';
import { detectByMediaType, type Detected } from '../../core/formats/detect.ts';
import { SchemaError } from '../../core/errors.ts';
import type { AnyFormat } from '../../core/format/format.ts';
import type { FormatId } from '../../core/format/format-id.ts';
import { formatEntry, FORMATS } from '../../core/formats/registry.ts';
import { type Limits, resolveLimits } from '../../core/limits.ts';
import type { BatchSetting } from '../../worker/protocol.ts';
import { JobScheduler } from '../../worker/job-scheduler.ts';
import { ownKey } from '../block/key.ts';
import { formatBlockType } from '../block/type.ts';
import { rewrite } from '../encoder/transcode/rewrite.ts';
import { SourceInput } from '../call/input/source-input.ts';
import { decodeToBlock, decodeToJson, writeBlock } from './responses/local-decode.ts';
import { checkDecoder, checkRoute } from './check.ts';
import { OwnSchemas } from './schemas.ts';
import { Bridge, type BridgeInput, decodeInPage } from './shared-pool/bridge.ts';
import type { PluginOptions, RespondWith, RouteOptions, ServiceWorkerEvent, ServiceWorkerOptions, WrittenForm } from './options.ts';
import { streamBody } from './responses/outflow.ts';
import type { Decode } from './responses/consumer.ts';
import { DecodingPlugin } from './plugin.ts';
import { asksForData, hasData } from './policy.ts';
import { problemResponse } from './responses/problem.ts';
import { transcodeRequest } from './requests.ts';
import { withBody, withoutFalseClaim } from './responses/responses.ts';
import { codeMissing, type SliceOptions } from './responses/response-slices.ts';
import { streamParts } from './responses/stream-response.ts';
import { mediaTypeOf, Writers, writtenForm } from './responses/writers.ts';

/** Parameters of a route's handler, from Workbox or a `fetch` listener. */
export interface HandlerParameters {
  request: Request;
  event: ServiceWorkerEvent;
}

/** One response, and the settings for decoding it. */
interface Work {
  request: Request;
  response: Response;
  route: RouteOptions;
  form: RespondWith;
  event: ServiceWorkerEvent | undefined;
  setting: SessionSetting;
  /** The origin's key for blocks. */
  key: string;
  /** Unique name of the schema. */
  schemaKey: string | undefined;
}

type Body = ReadableStream<Uint8Array>;

/** The end of an `Accept` value that asks for no format: that of `fetch`, and axios. */
const ANY = '*/*';

/** Media types in `Accept`: with more, a request to another origin may need a preflight (from 128 characters on). */
const MAX_TYPES = 3;

/** Bytes from which a page is asked to decode. */
const BRIDGE_BYTES = 256 * 1024;

/** Decodes responses in a service worker, and delivers them to the page as JSON text, blocks, or in another format. */
export class ServiceWorkerDecoder {
  readonly #options: ServiceWorkerOptions;
  readonly #limits: Limits;
  readonly #schemas: OwnSchemas;
  readonly #turns = new JobScheduler();
  readonly #bridge = new Bridge();
  readonly #writers: Writers;
  /** Prefix that makes schema ids unique among service workers. */
  readonly #name = crypto.getRandomValues(new Uint32Array(4)).join();

  /** @internal Use `createServiceWorkerDecoder`. */
  constructor(options: ServiceWorkerOptions) {
    checkDecoder(options);
    this.#options = options;
    this.#limits = resolveLimits(options.limits);
    this.#schemas = new OwnSchemas(options);
    this.#writers = new Writers(options, this.#limits, this.#schemas);
  }

  /**
   * Creates a handler that fetches a request and decodes the answer, for Workbox's `registerRoute` or a `fetch`
   * listener. Navigations, and answers of other types than the formats', pass through unchanged. Throws a TypeError if
   * the route names a format that is not among the encoders.
   *
   * @example
   * const api = decoder.handler({ respondWith: 'json' });
   * self.addEventListener('fetch', (event) => {
   *   if (new URL(event.request.url).pathname.startsWith('/api/')) event.respondWith(api({ request: event.request, event }));
   * });
   */
  handler<F extends FormatId = FormatId>(route: RouteOptions<F> = {}): (parameters: HandlerParameters) => Promise<Response> {
    this.#check(route);
    return async ({ request, event }) => {
      let sent: Request;
      try {
        sent = await this.transcodeRequest(request, route);
      } catch (error) {
        if (request.signal.aborted) throw error;
        return problemResponse(error, request.url);
      }
      return this.respond(request, await fetch(sent), route, event);
    };
  }

  /** Creates a plugin for Workbox's strategies, which decodes the responses that they fetch or answer with. */
  plugin<F extends FormatId = FormatId>(options: PluginOptions<F> = {}): DecodingPlugin {
    this.#check(options);
    return new DecodingPlugin(this, options);
  }

  /**
   * Returns the request to send instead of another: with the body in the format of the route's `requests`, and with an
   * `Accept` header for the formats that the service worker reads, if its own accepts anything. Other requests are returned
   * unchanged. Rejects with a SchemaError, or if the request was aborted.
   */
  async transcodeRequest(request: Request, { requests, respondWith, schema }: RouteOptions): Promise<Request> {
    const { formats, formatOptions } = this.#options;
    let sent = request;
    if (requests !== undefined) {
      const reading = { id: 'json', format: formats.json as AnyFormat, options: formatOptions?.json ?? {}, limits: this.#limits } as const;
      sent = await transcodeRequest(request, requests, reading, this.#writers);
    }
    const types = FORMATS.filter((entry) => entry.id !== 'json' && formats[entry.id] && (schema || !needsSchema(entry)));
    // Code that knows nothing of the formats accepts anything.
    const isAsked = types.length > 0 && asksForData(sent) && (sent.headers.get('accept') ?? ANY).endsWith(ANY);
    if (!isAsked || (typeof respondWith === 'function' && !respondWith(request))) return sent;
    sent = new Request(sent);
    sent.headers.set('accept', [...types.slice(0, MAX_TYPES).map(({ mediaTypes }) => mediaTypes[0]), OTHERS].join(', '));
    return sent;
  }

  #check(route: PluginOptions): void {
    checkRoute(this.#options, route);
    const { requests, respondWith = 'json' } = route;
    this.#writers.check(requests, typeof respondWith === 'function' ? 'json' : respondWith);
  }

  /**
   * Returns the response to deliver instead of another; responses that do not match are returned unchanged. Rejects
   * only if the request was aborted.
   */
  async respond(request: Request, answer: Response, route: RouteOptions = {}, event?: ServiceWorkerEvent): Promise<Response> {
    const { respondWith = 'json' } = route;
    const form = typeof respondWith === 'function' ? respondWith(request) : respondWith;
    const response = await withoutFalseClaim(answer);
    if (form === undefined || !asksForData(request) || !hasData(response)) return response;
    const found = this.#detect(route, response);
    if (!found || (found.entry.id === form && !found.sequence)) return response;
    // Without a key, the page would not open the block.
    const key = form === 'block' || form === 'stream' ? await ownKey() : '';
    if (key === undefined) return response;
    const original = route.fallback === 'raw' ? response.clone() : undefined;
    try {
      const settings = await this.#settings(request, response, route, found);
      const decoded = await this.#decode({ request, response, route, form, event, key, ...settings });
      original?.body?.cancel().catch(() => {});
      return decoded;
    } catch (error) {
      response.body?.cancel().catch(() => {});
      if (request.signal.aborted) throw error;
      return original ?? problemResponse(error, request.url);
    }
  }

  #detect({ format }: RouteOptions, response: Response): Detected | undefined {
    const { formats } = this.#options;
    const named = format === undefined ? undefined : formatEntry(format);
    const found = named ? { entry: named, sequence: false } : detectByMediaType(response.headers.get('content-type'));
    return found && formats[found.entry.id] ? found : undefined;
  }

  async #settings(
    request: Request,
    response: Response,
    route: RouteOptions,
    { entry, sequence }: Detected,
  ): Promise<Pick<Work, 'setting' | 'schemaKey'>> {
    const { formats, formatOptions } = this.#options;
    const { id } = entry;
    const format = formats[id] as AnyFormat;
    const options = { ...(sequence && { sequence }), ...formatOptions?.[id], ...route.options };
    const reference = typeof route.schema === 'function' ? await route.schema(request, response) : route.schema;
    const schema = this.#schemas.resolve(reference, entry);
    if (schema) {
      await this.#schemas.compile(schema, format).catch((error: unknown) => {
        throw error instanceof SchemaError ? error : codeMissing(error);
      });
    }
    const setting = { id, format, options, limits: this.#limits, schema: schema?.compiled };
    return { setting, schemaKey: schema && `${this.#name}:${schema.id}` };
  }

  async #decode(work: Work): Promise<Response> {
    const { request, response, route, form, event, setting, key } = work;
    const size = Number(response.headers.get('content-length') ?? 0) || 0;
    const options: SliceOptions = { turns: this.#turns, size, signal: request.signal };
    const done = (ended: Promise<void>): void => event?.waitUntil(ended);
    if (form === 'json') {
      const { reviveTag: revive } = this.#options;
      const text = { bigints: route.bigints };
      const onThisThread =
        (body: Body): Decode =>
        (consumer) =>
          decodeToJson(body, setting, options, { ...text, revive }, consumer);
      // Functions cannot be sent to the page.
      const decode = revive ? onThisThread(response.body!) : await this.#decodeFor(work, options, { text }, onThisThread);
      return withBody(response, await streamBody(decode, done), 'application/json');
    }
    if (form !== 'block' && form !== 'stream') return await this.#write(work, writtenForm(form), done);
    const batches = form === 'stream' && route.batches ? batchesOf(route.batches) : undefined;
    const onThisThread =
      (body: Body): Decode =>
      (consumer) =>
        decodeToBlock(body, setting, options, batches, consumer);
    const decode = await this.#decodeFor(work, options, { batches }, onThisThread);
    const type = formatBlockType(form, setting.id, VERSION, key);
    return withBody(response, await (form === 'block' ? writeBlock(decode) : streamParts(decode, done)), type);
  }

  /** Writes the response in another format. */
  async #write({ request, response, setting }: Work, form: WrittenForm, done: (ended: Promise<void>) => void): Promise<Response> {
    const writing = await this.#writers.make(form, request);
    const rewriting = { reading: setting, revive: this.#options.reviveTag, writing, signal: request.signal };
    const input = new SourceInput(response, {}, () => 0);
    const body = await streamBody((flow) => rewrite(input, rewriting, (chunk) => flow.take(chunk)), done);
    return withBody(response, body, mediaTypeOf(form));
  }

  /** Chooses the thread that decodes a body: the pool of the requesting page if it is large, otherwise this thread. */
  async #decodeFor(
    { response, route, event, setting, schemaKey }: Work,
    { size, signal }: SliceOptions,
    form: BridgeInput['form'],
    onThisThread: (body: Body) => Decode,
  ): Promise<Decode> {
    const body = response.body!;
    const { bridge = BRIDGE_BYTES } = route;
    if (bridge === false || size < bridge) return onThisThread(body);
    const input = { body, setting, form, schemaKey, size, signal, clientId: event?.clientId };
    const port = await this.#bridge.connect(input);
    return port ? decodeInPage(port, input, onThisThread) : onThisThread(body);
  }
}

function batchesOf({ path, batchSize }: NonNullable<RouteOptions['batches']>): BatchSetting {
  // As in `decoder.batches`, an empty path is the root.
  const keys = typeof path === 'string' ? path.split('.') : path;
  return { path: path ? keys! : [], items: batchSize };
}
