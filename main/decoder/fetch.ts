import type { FormatId } from '../../core/formats/registry.ts';
import type { Batches } from '../streams/batches.ts';
import type { Core } from './core.ts';
import { loadFormat } from './formats.ts';
import { warmUpFormat } from './run/warm-up.ts';
import type { ResultForm } from '../rows/form.ts';
import type { Rows } from '../rows/rows.ts';
import type { BatchOptions, DecodeOptions } from './options/options.ts';
import type { ColumnsOf, RowsOf } from './options/results.ts';
import { requestEnds } from '../input/sources.ts';

/** A response of `decoder.fetch`: a `Response` like any other, whose body can also be decoded. */
export interface DecoderResponse extends Response {
  /** Decodes the body, whatever its format, off the main thread. */
  // oxlint-disable-next-line typescript/no-explicit-any -- as `Response` has it
  json<T = any>(): Promise<T>;
  /** Decodes the body as `options` say; see `decoder.decode`. */
  decode<T = unknown>(options: DecodeOptions & { as: 'rows' }): Promise<RowsOf<T>>;
  decode<T = unknown>(options: DecodeOptions & { as: 'columns' }): Promise<ColumnsOf<T>>;
  decode<T = unknown, F extends FormatId = FormatId>(options?: DecodeOptions<F>): Promise<T>;
  /** Decodes the body; each list of records in it is a `Rows`. */
  rows<T = unknown>(options?: Omit<DecodeOptions, 'as'>): Promise<RowsOf<T>>;
  /** Decodes the body while it comes, and gives out the items of a list in it; see `decoder.batches`. */
  batches<T = unknown>(options: BatchOptions & { as: 'rows' }): Batches<Rows<T>>;
  batches<T = unknown>(options: BatchOptions & { as: 'columns' }): Batches<ColumnsOf<T[]>>;
  batches<T = unknown, F extends FormatId = FormatId>(options?: BatchOptions<F>): Batches<T[]>;
  clone(): DecoderResponse;
}

/** The options of `decoder.fetch`: those of `fetch`, and two more. */
export interface DecoderRequestInit extends RequestInit {
  /**
   * The form that the response will be decoded to: what its `decode()` gives unless told otherwise. With `rows` or
   * `columns`, a worker starts with the request, so that it is there when the body comes.
   */
  as?: ResultForm | undefined;
  /**
   * The expected format of the response, if it is known: its code is loaded with the request. The response is still read by
   * its `Content-Type` first.
   */
  format?: FormatId | undefined;
}

/** What the responses are decoded by. */
interface Decodes {
  readonly accept: string;
  decode(source: Response, options: DecodeOptions): Promise<unknown>;
  batches(source: Response, options: BatchOptions): Batches;
}

/** `fetch`, with responses that decode. */
export type DecoderFetch = (input: Parameters<typeof fetch>[0], init?: DecoderRequestInit) => Promise<DecoderResponse>;

/** Makes `decoder.fetch`. */
export function createFetch(decoder: Decodes, core: Core): DecoderFetch {
  const { pool, router } = core;
  return async (input, { as = 'objects', format, ...given } = {}) => {
    let init: RequestInit | undefined = Object.keys(given).length > 0 ? given : undefined;
    const ownHeaders = init?.headers;
    const request = input instanceof Request ? input : undefined;
    const headers = new Headers(ownHeaders ?? request?.headers);
    if (!headers.has('accept')) {
      headers.set('accept', decoder.accept);
      if (request && !ownHeaders) {
        // Setting it by `init` would drop the request's referrer and mode.
        input = new Request(request);
        input.headers.set('accept', decoder.accept);
      } else {
        init = { ...init, headers };
      }
    }
    // What opens the blocks of a service worker loads while one may be on its way.
    if (globalThis.navigator?.serviceWorker?.controller) import('../block/open.ts').catch(() => {});
    // JSON is read by the engine.
    if (format && format !== 'json') loadFormat(format).catch(() => {});
    if (router.workers && as !== 'objects') pool.warm(format && [format]).catch(() => {});
    const signal = init?.signal ?? request?.signal;
    // A request that is given any `init` loses its referrer and mode.
    const controller = 'any' in AbortSignal && (init || !request) ? new AbortController() : undefined;
    if (controller) init = { ...init, signal: signal ? AbortSignal.any([signal, controller.signal]) : controller.signal };
    const answer = fetch(input, init);
    warmUpFormat(core, answer, format).catch(() => {});
    const response = await answer;
    if (controller) requestEnds.set(response, (reason) => controller.abort(reason));
    return extend(response, decoder, signal, as);
  };
}

/** Gives a response the methods that decode. It stays the object that it is, with its URL, type and status. */
function extend(response: Response, decoder: Decodes, signal: AbortSignal | null | undefined, as: ResultForm): DecoderResponse {
  const decode = (options?: DecodeOptions): Promise<unknown> => decoder.decode(response, { signal: signal ?? undefined, as, ...options });
  const clone = (): DecoderResponse => extend(Response.prototype.clone.call(response), decoder, signal, as);
  const methods = {
    json: () => decode({ as: 'objects' }),
    decode,
    batches: (options?: BatchOptions) => decoder.batches(response, { signal: signal ?? undefined, ...options }),
    rows: (options?: DecodeOptions) => decode({ ...options, as: 'rows' }),
    clone,
  };
  for (const [name, value] of Object.entries(methods)) {
    Object.defineProperty(response, name, { value, writable: true, configurable: true });
  }
  return response as DecoderResponse;
}
