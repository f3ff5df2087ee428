/**
 * A request as servers represent it: a Fetch `Request`, an `IncomingMessage` of Node's `http`, or a request of Express or
 * Fastify.
 */
export interface ServerRequest {
  /** Default `GET`. */
  readonly method?: string | undefined;
  /** URL, or path and query, for compression dictionaries. */
  readonly url?: string | undefined;
  /** The same before a router of Express removed its own path. */
  readonly originalUrl?: string | undefined;
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** Value of a request's header; undefined if it has none. `name` is in lower case, as Node keeps it. */
export function headerOf({ headers }: ServerRequest, name: string): string | undefined {
  // Headers of another realm or library are no instances of `Headers`.
  if (typeof headers.get === 'function') return (headers as Headers).get(name) ?? undefined;
  const value = (headers as Exclude<ServerRequest['headers'], Headers>)[name];
  return typeof value === 'object' ? value.join(', ') : value;
}

/** Headers as `new Headers` takes them, for which Node's types have no name, or as Node does, with lists of values. */
export type HeadersSource = ConstructorParameters<typeof Headers>[0] | Readonly<Record<string, string | readonly string[]>>;

/** The headers of a response. A value of a record may be a list, as in Node: each item is a header of its own, as cookies must be. */
export function headersFrom(source: HeadersSource): Headers {
  const headers = new Headers();
  const given: object = source ?? [];
  const entries = Symbol.iterator in given ? given : Object.entries(given);
  for (const [name, value] of entries as Iterable<readonly [string, string | readonly string[]]>) {
    for (const item of [value].flat()) headers.append(name, item);
  }
  return headers;
}

/** Characters of an `Accept` or `Accept-Encoding` header that are read: the time grows with their number, and browsers send fewer than 200. */
const MAX_ACCEPT_LENGTH = 1024;

/** Whole elements of such a header up to the length that is read. */
export function shortened(accept: string): string {
  return accept.length <= MAX_ACCEPT_LENGTH ? accept : accept.slice(0, Math.max(accept.lastIndexOf(',', MAX_ACCEPT_LENGTH), 0));
}
