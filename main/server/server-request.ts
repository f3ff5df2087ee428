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
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const value = headers[name];
  return typeof value === 'object' ? value.join(', ') : value;
}
