/** A request of the demo, for the panel. */
export interface LoggedRequest {
  method: string;
  url: string;
  /** 0 without a response. */
  status: number;
  statusText: string;
  headers: { name: string; value: string }[];
  /** Milliseconds since the epoch. */
  time: number;
  /** Milliseconds until the end of the body, or until its start if it is not kept. */
  duration: number;
  /** Bytes of the body; −1 if unknown. */
  size: number;
  fromServiceWorker: boolean;
  body: () => Promise<Uint8Array | undefined>;
}

export interface RequestLog {
  /** Reports every request, including earlier ones, until the returned function is called. */
  subscribe(listener: (request: LoggedRequest) => void): () => void;
  add(request: LoggedRequest): void;
  /** `fetch`, with an entry in the log. */
  readonly fetch: typeof fetch;
}

/** Bytes of the largest body that is kept: a copy takes time that the page would measure. */
export const MAX_KEPT_BYTES = 4_000_000;
const MAX_REQUESTS = 200;

export function createRequestLog(): RequestLog {
  const requests: LoggedRequest[] = [];
  const listeners = new Set<(request: LoggedRequest) => void>();

  function add(request: LoggedRequest): void {
    requests.push(request);
    if (requests.length > MAX_REQUESTS) requests.shift();
    for (const listener of listeners) listener(request);
  }

  async function loggedFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    const { url, method } = new Request(input, init);
    const started = { time: Date.now(), at: performance.now() };
    const base = { method, url, time: started.time, fromServiceWorker: false };
    try {
      const response = await fetch(input, init);
      const size = Number(response.headers.get('content-length') ?? -1);
      const isKept = size >= 0 && size <= MAX_KEPT_BYTES && method !== 'HEAD';
      const bytes = isKept ? response.clone().arrayBuffer() : undefined;
      // The caller learns of a broken body from the response.
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
