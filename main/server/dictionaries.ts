import { headerOf, type ServerRequest } from './server-request.ts';

type Chunk = Uint8Array<ArrayBuffer>;

/**
 * Keeps bodies of earlier responses. A `Map` fits, and so does an object in front of a cache that several servers share. `get`
 * must return exactly the bytes that `set` got, or undefined. Errors of either are ignored: the response is then compressed
 * without a dictionary.
 */
export interface DictionaryStore {
  get(key: string): Uint8Array | undefined | PromiseLike<Uint8Array | undefined>;
  set(key: string, bytes: Uint8Array): unknown;
}

/** Compression with the last response as the dictionary of the next (RFC 9842). */
export interface DictionaryOptions {
  /** Where the bodies of responses are kept: `createDictionaries()`, or a store of your own. */
  store: DictionaryStore;
  /**
   * Who may read the response: the id of a user or session, or a constant such as `public` for a response that is the same for
   * everyone. A response is never compressed with one of another audience, whose contents the compressed size would reveal.
   */
  audience: string;
  /**
   * URL pattern of the requests for which the client offers this response as a dictionary, at most 1,024 characters: `/trips/*`
   * for all below a path. Default: the path of the request, with any query. Needed where a proxy changes the path.
   */
  match?: string | undefined;
}

/** The dictionaries of one request. */
export interface Dictionaries {
  /** Value of the header `Use-As-Dictionary` (RFC 9842 section 2.1). */
  readonly header: string;
  /** The dictionary that the client has, if the store has it too. */
  readonly known: Dictionary | undefined;
  /** Keeps a body for later requests. */
  readonly keep: (body: Uint8Array) => Promise<void>;
}

/** An earlier response. */
export interface Dictionary {
  readonly bytes: Uint8Array;
  /** Its SHA-256. */
  readonly hash: Uint8Array;
}

/** Bytes of the longest response that is kept: the greatest window of Zstandard that all clients support (RFC 9842 section 5). */
const MAX_BYTES = 8 * 2 ** 20;
/** Characters of the longest URL pattern. */
const MAX_MATCH_LENGTH = 1024;
/** Start of dictionaries with entropy tables (RFC 8878 section 5), as which zlib would read a body. */
const TABLES = [0x37, 0xa4, 0x30, 0xec];

/**
 * Keeps responses in memory as compression dictionaries, up to `bytes` in total (default 64 MiB); the least recently used are
 * dropped first.
 */
export function createDictionaries({ bytes: most = 64 * 2 ** 20 }: { bytes?: number | undefined } = {}): DictionaryStore {
  const kept = new Map<string, Uint8Array>();
  const sizeOf = (key: string): number => key.length + (kept.get(key)?.length ?? 0);
  let size = 0;
  return {
    get(key) {
      const bytes = kept.get(key);
      // The order of a map is that of insertion.
      if (bytes && kept.delete(key)) kept.set(key, bytes);
      return bytes;
    },
    set(key, bytes) {
      if (key.length + bytes.length > most) return;
      if (kept.has(key)) size -= sizeOf(key);
      kept.delete(key);
      kept.set(key, bytes);
      size += sizeOf(key);
      for (const oldest of kept.keys()) {
        if (size <= most) break;
        size -= sizeOf(oldest);
        kept.delete(oldest);
      }
    },
  };
}

/**
 * The dictionaries of a request, if its client may be able to use them, and may read the response (RFC 9842 section 9.3.2). `headers`
 * are those of the response.
 */
export async function dictionariesOf(
  request: ServerRequest,
  headers: Headers,
  { store, audience, match = pathPattern(request) }: DictionaryOptions,
): Promise<Dictionaries | undefined> {
  if (!mayDecode(request) || !isReadable(request, headers)) return undefined;
  if (match === undefined || match.length > MAX_MATCH_LENGTH) return undefined;
  const keyOf = (hash: string): string => JSON.stringify([audience, match, hash]);
  const hash = availableHash(request);
  const bytes = hash === undefined ? undefined : await quietly(() => store.get(keyOf(hash)));
  return {
    header: `match="${match.replaceAll(/["\\]/g, '\\$&')}"`,
    known: bytes && { bytes, hash: Uint8Array.from(atob(hash!), (char) => char.charCodeAt(0)) },
    async keep(body) {
      if (body.length > MAX_BYTES || TABLES.every((byte, index) => body[index] === byte)) return;
      // The body can be a part of a larger buffer.
      const copy = body.slice();
      const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', copy));
      await quietly(() => store.set(keyOf(btoa(String.fromCharCode(...digest))), copy));
    },
  };
}

/** Keeps a body that is a stream, while it is read. */
export function keepStream(body: ReadableStream<Chunk>, { keep }: Dictionaries): ReadableStream<Chunk> {
  const chunks: Chunk[] = [];
  let length = 0;
  return body.pipeThrough(
    new TransformStream<Chunk, Chunk>({
      transform(chunk, controller) {
        length += chunk.length;
        // The reader of the response may transfer a chunk.
        if (length <= MAX_BYTES) chunks.push(chunk.slice());
        else chunks.length = 0;
        controller.enqueue(chunk);
      },
      async flush() {
        if (length <= MAX_BYTES) await keep(new Uint8Array(await new Blob(chunks).arrayBuffer()));
      },
    }),
  );
}

/** SHA-256 of the client's dictionary, as base64 (RFC 9842 section 2.2). Undefined for none, or a header that is not valid. */
function availableHash(request: ServerRequest): string | undefined {
  return /^ *:([A-Za-z\d+/]{43}=): *$/.exec(headerOf(request, 'available-dictionary') ?? '')?.[1];
}

/** The URL pattern of a request's path. */
function pathPattern({ originalUrl, url = originalUrl }: ServerRequest): string | undefined {
  const full = originalUrl ?? url;
  if (full === undefined || !URL.canParse(full, 'http://localhost')) return undefined;
  return new URL(full, 'http://localhost').pathname.replaceAll(/[*+:?(){}\\]/g, '\\$&');
}

/** True for clients that accept `dcz`, and for browsers: Chromium says so only once it has a dictionary. */
function mayDecode(request: ServerRequest): boolean {
  return /\bdcz\b/i.test(headerOf(request, 'accept-encoding') ?? '') || headerOf(request, 'sec-fetch-mode') !== undefined;
}

/**
 * True if the page that asks can read the response. Otherwise, the size of the response could tell it something about the
 * contents. Clients that do not say how they ask are no browsers.
 */
function isReadable(request: ServerRequest, headers: Headers): boolean {
  const mode = headerOf(request, 'sec-fetch-mode');
  if (mode === undefined || mode === 'navigate' || mode === 'same-origin' || headerOf(request, 'sec-fetch-site') === 'same-origin') return true;
  const origin = headerOf(request, 'origin');
  const allowed = headers.get('access-control-allow-origin');
  return mode === 'cors' && origin !== undefined && (allowed === '*' || allowed === origin);
}

/** Calls a store. Undefined if it throws or rejects. */
async function quietly<T>(call: () => T | PromiseLike<T>): Promise<T | undefined> {
  try {
    return await call();
  } catch {
    return undefined;
  }
}
