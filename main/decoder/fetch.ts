import { acceptOf, SAFELISTED } from '../../core/formats/accept.ts';
import type { FormatId } from '../../core/format/format-id.ts';
import type { Batches } from '../streams/batches.ts';
import type { DecoderState } from '../call/decoder-state.ts';
import { loadFormat } from '../call/formats.ts';
import { warmUpFormat } from './warm-up.ts';
import { startWorker } from '../run/start-worker.ts';
import type { ResultForm } from '../rows/form.ts';
import type { Rows } from '../rows/rows.ts';
import type { OutputOf, StandardSchema, Validated } from '../call/options/standard-schema.ts';
import { checkForm, checkFormats } from '../call/options/check.ts';
import type { BatchOptions, DecodeOptions, DecodeSettings, FormatChoice, TypedSchema } from '../call/options/options.ts';
import type { BatchColumns, ColumnsOf, ResultAs, RowsOf } from '../call/options/results.ts';
import type { BatchAs, ItemAt, ListPath, SchemaValue } from '../call/options/typed-schemas.ts';
import { readableAt } from '../call/options/schema-scope.ts';
import { requestEnds } from '../call/input/sources.ts';

/**
 * A response of `decoder.fetch`: a `Response` like any other, whose body can also be decoded. `A` is the form that the
 * request asked for.
 */
export interface DecoderResponse<A extends ResultForm = ResultForm> extends Response {
  /** Decodes the body, whatever its format, off the main thread. */
  json<S extends StandardSchema>(options: Omit<DecodeSettings, 'as' | 'previous'> & FormatChoice & Validated<S>): Promise<OutputOf<S>>;
  // oxlint-disable-next-line typescript/no-explicit-any -- as `Response` has it
  json<T = any>(options?: Omit<DecodeSettings, 'as'> & FormatChoice<FormatId, T>): Promise<T>;
  /** Decodes the body as `options` say, by default to the form that the request asked for; see `decoder.decode`. */
  decode<S extends StandardSchema>(
    options: DecodeOptions & Validated<S> & (A extends 'objects' ? { as?: 'objects' | undefined } : { as: 'objects' }) & { previous?: undefined },
  ): Promise<OutputOf<S>>;
  decode<T = unknown>(options: DecodeOptions<FormatId, T> & { as: 'rows' }): Promise<RowsOf<T>>;
  decode<T = unknown>(options: DecodeOptions<FormatId, T> & { as: 'columns' }): Promise<ColumnsOf<T>>;
  decode<T = unknown>(options: DecodeOptions<FormatId, T> & { as: 'objects' }): Promise<T>;
  decode<T = unknown>(options?: DecodeOptions<FormatId, T> & { as?: undefined }): Promise<ResultAs<T, A>>;
  decode<T = unknown>(options: DecodeOptions<FormatId, T> & { as: 'objects' | 'rows' }): Promise<T | RowsOf<T>>;
  decode<T = unknown>(options: DecodeOptions): Promise<ResultAs<T, ResultForm>>;
  /** Decodes the body; each of its lists of records is a `Rows`. */
  rows<T = unknown>(options?: Omit<DecodeSettings, 'as'> & FormatChoice<FormatId, T>): Promise<RowsOf<T>>;
  /** Decodes the body while it arrives, and yields the items of one of its lists; see `decoder.batches`. */
  batches<S extends StandardSchema>(options: BatchOptions & Validated<S> & { as?: 'objects' | undefined }): Batches<OutputOf<S>[]>;
  batches<S extends TypedSchema, const Path extends ListPath = '', B extends ResultForm = 'objects'>(
    options: BatchOptions & { schema: S; path?: Path | undefined; as?: B | undefined },
  ): Batches<BatchAs<ItemAt<SchemaValue<S>, Path>, B>>;
  batches<T = unknown>(options: BatchOptions & { as: 'rows' }): Batches<Rows<T>>;
  batches<T = unknown>(options: BatchOptions & { as: 'columns' }): Batches<BatchColumns<T>>;
  batches<T = unknown>(options?: BatchOptions & { as?: 'objects' | undefined }): Batches<T[]>;
  batches<T = unknown>(options: BatchOptions & { as: 'objects' | 'rows' }): Batches<T[] | Rows<T>>;
  batches<T = unknown>(options: BatchOptions): Batches<T[] | Rows<T> | BatchColumns<T>>;
  clone(): DecoderResponse<A>;
}

/** The options of `decoder.fetch`: those of `fetch`, and two more. */
export interface DecoderRequestInit<A extends ResultForm = ResultForm> extends RequestInit {
  /**
   * The form that the response will be decoded to, and the default of its `decode()`. With `rows` or `columns`, a worker
   * starts with the request, so that it is ready when the body arrives.
   */
  as?: A | undefined;
  /**
   * The expected format of the response, if known: its code is loaded with the request. The `Content-Type` of the response
   * still takes precedence.
   */
  format?: FormatId | undefined;
}

/** The methods of a decoder that responses call. */
interface Decodes {
  decode(source: Response, options: DecodeOptions): Promise<unknown>;
  batches(source: Response, options: BatchOptions): Batches;
}

/** `fetch`, with responses that decode. */
export type DecoderFetch = <A extends ResultForm = 'objects'>(
  input: Parameters<typeof fetch>[0],
  init?: DecoderRequestInit<A> | null,
) => Promise<DecoderResponse<A>>;

/** Makes `decoder.fetch`. */
export function createFetch(decoder: Decodes, core: DecoderState): DecoderFetch {
  const { pool, router } = core;
  return async <A extends ResultForm>(input: Parameters<typeof fetch>[0], options?: DecoderRequestInit<A> | null): Promise<DecoderResponse<A>> => {
    const { as, format, ...given } = options ?? {};
    checkForm(as);
    if (format) checkFormats('format', [format]);
    let init: RequestInit | undefined = Object.keys(given).length > 0 ? given : undefined;
    const ownHeaders = given.headers;
    // A request of another realm, such as that of an iframe, is no instance of this one's class.
    const request = (input as Partial<Request> | undefined)?.headers ? (input as Request) : undefined;
    const headers = new Headers(ownHeaders ?? request?.headers);
    if (!headers.has('accept')) {
      const { location: page, document } = globalThis;
      const address = request?.url ?? (input as string | URL).toString();
      const base = document?.baseURI ?? page?.href;
      const url = URL.canParse(address, base) ? new URL(address, base) : undefined;
      // A longer value needs a preflight from a page of another origin.
      const accept = acceptOf(readableAt(core, url?.href), page && page.origin !== url?.origin ? SAFELISTED : undefined);
      headers.set('accept', accept);
      if (request && !ownHeaders) {
        // Setting it by `init` would drop the request's referrer and mode.
        input = new Request(request);
        input.headers.set('accept', accept);
      } else {
        init = { ...init, headers };
      }
    }
    // Preloads the block opener while a service worker may answer with a block.
    if (globalThis.navigator?.serviceWorker?.controller) import('../block/open.ts').catch(() => {});
    // The engine reads JSON.
    if (format && format !== 'json') loadFormat(format).catch(() => {});
    if (router.workers && (as ?? 'objects') !== 'objects') startWorker(pool, format && [format]).catch(() => {});
    // As in `fetch`, null stands for none.
    const signal = given.signal === undefined ? request?.signal : given.signal;
    // A request that is given any `init` loses its referrer and mode.
    const controller = 'any' in AbortSignal && (init || !request) ? new AbortController() : undefined;
    if (controller) init = { ...init, signal: AbortSignal.any([signal ?? controller.signal, controller.signal]) };
    const answer = fetch(input, init);
    warmUpFormat(core, answer, format).catch(() => {});
    const response = await answer;
    if (controller) requestEnds.set(response, (reason) => controller.abort(reason));
    return extend<A>(response, decoder, signal, as);
  };
}

/** Adds the methods that decode to a response, which stays the same object, with its URL, type and status. */
function extend<A extends ResultForm>(
  response: Response,
  decoder: Decodes,
  signal: AbortSignal | null | undefined,
  as: A | undefined,
): DecoderResponse<A> {
  const decode = (options?: DecodeOptions): Promise<unknown> => decoder.decode(response, { signal: signal ?? undefined, as, ...options });
  const original = response.clone.bind(response);
  const clone = (): DecoderResponse<A> => {
    // The clone may still be read when this body is cancelled.
    requestEnds.delete(response);
    return extend(original(), decoder, signal, as);
  };
  const methods = {
    json: (options?: DecodeOptions) => decode({ ...options, as: 'objects' }),
    decode,
    batches: (options?: BatchOptions) => decoder.batches(response, { signal: signal ?? undefined, ...options }),
    rows: (options?: DecodeOptions) => decode({ ...options, as: 'rows' }),
    clone,
  };
  for (const [name, value] of Object.entries(methods)) {
    Object.defineProperty(response, name, { value, writable: true, configurable: true });
  }
  return response as DecoderResponse<A>;
}
