/** The payload server responded with an error status. */
export class HttpError extends Error {
  override name = 'HttpError';
  readonly status: number;
  readonly url: string;

  constructor(status: number, url: string, body: string) {
    super(body || `The server answered with status ${status}.`);
    this.status = status;
    this.url = url;
  }
}

/** The payload server did not respond, or the connection broke. */
export class ConnectionError extends Error {
  override name = 'ConnectionError';
  readonly url: string;

  constructor(url: string) {
    super('The connection failed.');
    this.url = url;
  }
}

const ERROR_TEXT_BYTES = 400;

/** Fetches a payload. Throws a ConnectionError or an HttpError. */
export async function fetchOk(url: string, init: RequestInit, load: typeof fetch = fetch): Promise<Response> {
  let response;
  try {
    response = await load(url, init);
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new ConnectionError(url);
  }
  if (!response.ok) throw new HttpError(response.status, url, await readStart(await response.blob()));
  return response;
}

/**
 * Downloads a blob with XMLHttpRequest, which collects the bytes outside the page and still reports progress; with `fetch`,
 * each chunk would pass through the main thread.
 */
export function loadBlob(url: string, signal: AbortSignal, onProgress: (received: number, total: number | undefined) => void): Promise<Blob> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const onAbort = (): void => request.abort();
    signal.throwIfAborted();
    signal.addEventListener('abort', onAbort, { once: true });
    request.responseType = 'blob';
    request.onprogress = ({ loaded, total, lengthComputable }) => onProgress(loaded, lengthComputable ? total : undefined);
    request.onloadend = () => {
      signal.removeEventListener('abort', onAbort);
      const body = request.response as Blob | null;
      if (signal.aborted) reject(signal.reason as Error);
      else if (request.status === 0 || !body) reject(new ConnectionError(url));
      else if (request.status === 200) resolve(body);
      else void readStart(body).then((text) => reject(new HttpError(request.status, url, text)));
    };
    request.open('GET', url);
    request.send();
  });
}

/** The start of an error body: the detail of a problem, or text. */
async function readStart(body: Blob): Promise<string> {
  const text = await body.slice(0, ERROR_TEXT_BYTES).text();
  if (!/\bproblem\+json\b/.test(body.type)) return text.trim();
  const { title, detail } = JSON.parse(await body.text()) as { title?: string; detail?: string };
  return detail ?? title ?? '';
}
