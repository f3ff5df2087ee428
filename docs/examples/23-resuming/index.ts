import { createDecoder, NetworkError, type StreamEvent } from 'unspool';

const decoder = createDecoder();

/** How a source that breaks is followed. */
export interface Following {
  /** Ends the loop, and a request that runs. */
  readonly signal: AbortSignal;
  /** Milliseconds until the next request after one has ended. Default 1,000. */
  readonly pause?: number;
}

/**
 * The bytes of a log file that grows, for `batches` or `growingRows`. Each request asks for what is new (`Range`), also after the
 * connection broke. Passes on whole lines, so that the end of the file never cuts a value.
 */
export async function* followLog(url: string | URL, { signal, pause = 1000 }: Following): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  for (let offset = 0; !signal.aborted; await wait(pause, signal)) {
    const response = await fetch(url, { headers: { Range: `bytes=${offset}-` }, cache: 'no-store', signal }).catch(ignoreBreak);
    if (!response) continue;
    if (response.status === 416) {
      // Nothing is new, unless the file has become shorter: then another one has replaced it.
      const [, size] = response.headers.get('Content-Range')?.split('/') ?? [];
      if (Number(size) < offset) offset = 0;
      continue;
    }
    if (response.status !== 206 && (response.status !== 200 || offset > 0)) throw new Error(`The server answered ${response.status} to a range`);
    const reader = response.body!.getReader();
    const line: Uint8Array<ArrayBuffer>[] = [];
    try {
      for (let read = await reader.read().catch(ignoreBreak); read?.value; read = await reader.read().catch(ignoreBreak)) {
        const end = read.value.lastIndexOf(10) + 1;
        if (end > 0) {
          for (const bytes of [...line.splice(0), read.value.subarray(0, end)]) {
            offset += bytes.length;
            yield bytes;
          }
        }
        line.push(read.value.subarray(end));
      }
    } finally {
      // The loop may be left in the middle of a response.
      reader.cancel().catch(ignoreBreak);
    }
  }
}

/** The events of a stream that is requested again, with the id of the last event, whenever it ends or breaks; until the server answers 204. */
export async function* resumeEvents<T>(url: string | URL, { signal, pause = 1000 }: Following): AsyncGenerator<StreamEvent<T>, void> {
  let lastEventId = '';
  for (let delay = pause; ; await wait(delay, signal)) {
    const headers: HeadersInit = lastEventId ? { 'Last-Event-ID': lastEventId } : {};
    const response = await fetch(url, { headers, signal }).catch(ignoreBreak);
    if (response?.status === 204 || signal.aborted) return;
    if (!response) continue;
    if (!response.ok) throw new Error(`The server answered ${response.status}`);
    try {
      for await (const event of decoder.events<T>(response, { signal })) {
        lastEventId = event.lastEventId || lastEventId;
        delay = event.retry ?? delay;
        yield event;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof NetworkError)) throw error;
    }
  }
}

/** `fetch` and a body's reader reject with a TypeError if the connection breaks, and with an AbortError if it is left. */
function ignoreBreak(error: unknown): undefined {
  if (!(error instanceof TypeError) && (error as Error).name !== 'AbortError') throw error;
}

/** Resolves after a while, or once the signal aborts. */
function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
