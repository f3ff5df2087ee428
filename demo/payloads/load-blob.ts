/** The payload server answered, but not with a payload. */
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

/** The payload server did not answer, or stopped in mid-answer. */
export class ConnectionError extends Error {
  override name = 'ConnectionError';
  readonly url: string;

  constructor(url: string) {
    super('The connection failed.');
    this.url = url;
  }
}

const ERROR_TEXT_BYTES = 400;

/** Fetches a payload; what is none becomes an error that says so. */
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
 * Downloads a blob. By XMLHttpRequest, because there the browser gathers the bytes outside the page and still tells how
 * many have come; to count them with `fetch`, each piece would have to pass through the main thread.
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

/** The beginning of a body that says what is wrong: a problem's detail, or text. */
async function readStart(body: Blob): Promise<string> {
  const text = await body.slice(0, ERROR_TEXT_BYTES).text();
  if (!/\bproblem\+json\b/.test(body.type)) return text.trim();
  const { title, detail } = JSON.parse(await body.text()) as { title?: string; detail?: string };
  return detail ?? title ?? '';
}
