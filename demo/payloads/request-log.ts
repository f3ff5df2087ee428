/** A request that the demo has made, for the panel to show. */
export interface LoggedRequest {
  method: string;
  url: string;
  /** 0 where there was no answer. */
  status: number;
  statusText: string;
  headers: { name: string; value: string }[];
  /** Milliseconds since the epoch, and until the body was there, or its beginning where it was not kept. */
  time: number;
  duration: number;
  /** Bytes of the body, −1 where that is not known. */
  size: number;
  fromServiceWorker: boolean;
  body: () => Promise<Uint8Array | undefined>;
}

export interface RequestLog {
  /** Tells of every request, those before the call too, until the function that is returned is called. */
  subscribe(listener: (request: LoggedRequest) => void): () => void;
  add(request: LoggedRequest): void;
  /** `fetch`, with an entry in the log. */
  readonly fetch: typeof fetch;
}

/** Bodies of up to so many bytes are kept: the copy costs the page time that it would measure. */
export const MOST_KEPT_BYTES = 4_000_000;
const MOST_REQUESTS = 200;

export function createRequestLog(): RequestLog {
  const requests: LoggedRequest[] = [];
  const listeners = new Set<(request: LoggedRequest) => void>();

  function add(request: LoggedRequest): void {
    requests.push(request);
    if (requests.length > MOST_REQUESTS) requests.shift();
    for (const listener of listeners) listener(request);
  }

  async function loggedFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    const { url, method } = new Request(input, init);
    const started = { time: Date.now(), at: performance.now() };
    const base = { method, url, time: started.time, fromServiceWorker: false };
    try {
      const response = await fetch(input, init);
      const size = Number(response.headers.get('content-length') ?? -1);
      const isKept = size >= 0 && size <= MOST_KEPT_BYTES && method !== 'HEAD';
      const bytes = isKept ? response.clone().arrayBuffer() : undefined;
      // Who asked hears of what goes wrong on the way from the response itself.
      const body = bytes?.then((buffer) => new Uint8Array(buffer)).catch(() => undefined) ?? Promise.resolve(undefined);
      const { status, statusText } = response;
      const headers = Array.from(response.headers, ([name, value]) => ({ name, value }));
      void body.then(() => {
        add({ ...base, status, statusText, headers, size, duration: performance.now() - started.at, body: () => body });
      });
      return response;
    } catch (error) {
      const statusText = error instanceof Error ? error.message : String(error);
      const duration = performance.now() - started.at;
      add({ ...base, status: 0, statusText, headers: [], size: -1, duration, body: () => Promise.resolve(undefined) });
      throw error;
    }
  }

  return {
    add,
    fetch: loggedFetch,
    subscribe(listener) {
      for (const request of requests) listener(request);
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
