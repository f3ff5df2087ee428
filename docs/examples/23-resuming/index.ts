import { createDecoder, type MessageOptions, NetworkError, type StreamEvent } from 'unspool';
import type { WorkerSocket } from 'unspool/socket';

const decoder = createDecoder();
/** The longest pause of a source that does not ask for more. */
const MAX_PAUSE = 30_000;

/** How a source that breaks is followed. */
export interface Following {
  /** Ends the loop, and a request that runs. */
  readonly signal: AbortSignal;
  /** Milliseconds until the next request after one has ended. Default 1,000. */
  readonly pause?: number;
}

/**
 * The messages of a socket, whose ids grow from 1, over all its connections, until the server closes one normally. `connect` opens a
 * connection to the messages after the one with `lastId`. Records of msgpackr and cbor-x with `sequential`, for which `keepRecords` is
 * set, are those of one connection.
 */
export async function* resumeMessages<T extends { readonly id: number }>(
  connect: (lastId: number) => WebSocket | WorkerSocket,
  { signal, pause = 1000, format, keepRecords }: Following & Pick<MessageOptions<'json' | 'messagepack' | 'cbor'>, 'format' | 'keepRecords'>,
): AsyncGenerator<T, void> {
  let lastId = 0;
  for (let failures = 0; !signal.aborted; await wait(pauseAfter(failures, pause), signal), failures += 1) {
    const socket = connect(lastId);
    try {
      for await (const message of decoder.messages<T>(socket, { format, keepRecords, signal })) {
        failures = 0;
        // A server may send the last messages of the broken connection again.
        if (message.id <= lastId) continue;
        lastId = message.id;
        yield message;
      }
      return;
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof NetworkError)) throw error;
    } finally {
      socket.close();
    }
  }
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
  let retry = pause;
  for (let failures = 0; !signal.aborted; await wait(pauseAfter(failures, retry), signal), failures += 1) {
    const headers: HeadersInit = lastEventId ? { 'Last-Event-ID': lastEventId } : {};
    const response = await fetch(url, { headers, signal }).catch(ignoreBreak);
    if (response?.status === 204) return;
    if (!response) continue;
    if (!response.ok) throw new Error(`The server answered ${response.status}`);
    try {
      for await (const event of decoder.events<T>(response, { signal })) {
        failures = 0;
        lastEventId = event.lastEventId || lastEventId;
        retry = event.retry ?? retry;
        yield event;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof NetworkError)) throw error;
    }
  }
}

/**
 * Milliseconds until the next try: `pause`, twice as much after each try in vain, and up to a half more at random, so that the clients of a
 * server that restarts do not all return at once.
 */
export function pauseAfter(failures: number, pause: number): number {
  return Math.max(pause, Math.min(pause * 2 ** failures, MAX_PAUSE)) * (1 + Math.random() / 2);
}

/** `fetch` and a body's reader reject with a TypeError if the connection breaks, and with an AbortError if it is left. */
function ignoreBreak(error: unknown): undefined {
  if (!(error instanceof TypeError) && (error as Error).name !== 'AbortError') throw error;
}

/** Resolves after a while, or once the signal aborts. */
function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
    if (signal.aborted) done();
  });
}
