import type { FormatId } from '../../worker/formats/registry.ts';
import type { Batches } from '../batches/batches.ts';
import { CORE } from './core.ts';
import type { Decoder } from './decoder.ts';
import type { Rows } from '../materialise/rows.ts';
import type { BatchOptions, DecodeOptions } from './options.ts';
import type { ColumnsOf, RowsOf } from './results.ts';
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

/** Who makes a request: the page, or the worker that decodes the response, so that its bytes never cross the page's thread. */
export type FetchIn = 'page' | 'worker';

/** What `decoder.fetch` takes besides what `fetch` does. */
export interface DecoderRequestInit extends RequestInit {
  /** Who makes the request. Default: the decoder's. */
  fetchIn?: FetchIn | undefined;
}

/** `fetch`, with responses that decode. */
export type DecoderFetch = (input: Parameters<typeof fetch>[0], init?: DecoderRequestInit) => Promise<DecoderResponse>;

/** Makes `decoder.fetch`. */
export function createFetch(decoder: Decoder): DecoderFetch {
  return async (input, init) => {
    const given = init?.headers;
    const request = input instanceof Request ? input : undefined;
    const headers = new Headers(given ?? request?.headers);
    if (!headers.has('accept')) {
      headers.set('accept', decoder.accept);
      if (request && !given) {
        // Setting it by `init` would drop the request's referrer and mode.
        input = new Request(request);
        input.headers.set('accept', decoder.accept);
      } else {
        init = { ...init, headers };
      }
    }
    // What opens the blocks of a service worker loads while one may be on its way.
    if (globalThis.navigator?.serviceWorker?.controller) {
      Promise.all([import('./decode-later.ts'), import('../block/open.ts')]).catch(() => {});
    }
    const signal = init?.signal ?? request?.signal;
    const { options, inlineBelow, workers } = decoder[CORE];
    if ((init?.fetchIn ?? options.fetchIn) === 'worker' && inlineBelow < Infinity) {
      const { fetchInWorker } = await import('../input/fetch-in-worker.ts');
      return extend(await fetchInWorker(workers, new Request(input, init)), decoder, signal);
    }
    // A request that is given any `init` loses its referrer and mode.
    if (!('any' in AbortSignal) || (request && !init)) return extend(await fetch(input, init), decoder, signal);
    const controller = new AbortController();
    const own = controller.signal;
    const response = await fetch(input, { ...init, signal: signal ? AbortSignal.any([signal, own]) : own });
    requestEnds.set(response, (reason) => controller.abort(reason));
    return extend(response, decoder, signal);
  };
}

/** Gives a response the methods that decode. It stays the object that it is, with its URL, type and status. */
function extend(response: Response, decoder: Decoder, signal: AbortSignal | null | undefined): DecoderResponse {
  const decode = (options?: DecodeOptions): Promise<unknown> => decoder.decode(response, { signal: signal ?? undefined, ...options });
  const clone = (): DecoderResponse => extend(Response.prototype.clone.call(response), decoder, signal);
  const methods = {
    json: () => decode(),
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
