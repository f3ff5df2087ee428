import { announced, ByteInput, readBody } from './byte-input.ts';
import { recordError } from './error-record.ts';
import { JobInput } from './job-input.ts';
import { type BodyDecode, type BodyPeek, type BodyState, CANCEL, type DecodeJob, type FetchRequest, PULL, type ToPage, type ToWorker } from './protocol.ts';

/** Bytes that are read ahead of the decode. */
const BYTES_AHEAD = 256 * 1024;
/** Milliseconds between two reports of the bytes that have come. */
const NEWS_MS = 30;

/** Begins a decode whose bytes come from `input`, and which has the port from then on. */
type Begin = (job: DecodeJob, input: JobInput) => void;

/** A request that is made in the worker, so that what is decoded of its response never crosses the page's thread. */
export class FetchJob {
  readonly #port: MessagePort;
  readonly #begin: Begin;
  readonly #abort = new AbortController();
  #body: ByteInput | undefined;
  #over = false;

  constructor(port: MessagePort, begin: Begin) {
    this.#port = port;
    this.#begin = begin;
    port.onmessage = ({ data }: MessageEvent<ToWorker>) => void this.#heed(data);
  }

  /** Makes the request. Never rejects: what goes wrong is the outcome. */
  async run({ url, init }: FetchRequest): Promise<void> {
    try {
      const response = await fetch(url, { ...init, signal: this.#abort.signal });
      const { status, statusText, headers, redirected, type, body } = response;
      const size = announced(response);
      const source = body ? readBody(body) : { read: async () => ({ done: true as const, value: undefined }), cancel: async () => {} };
      this.#body = new ByteInput(source, { size: body ? size : 0, own: true });
      const head = { status, statusText, headers: [...headers], url: response.url, redirected, type, empty: body === null, size };
      this.#post({ head });
    } catch (error) {
      this.#fail(error);
    }
  }

  async #heed(message: ToWorker): Promise<void> {
    try {
      if (message === CANCEL) this.#fail(new DOMException('The response is no longer wanted', 'AbortError'));
      else if (message === PULL) await this.#give(this.#body!);
      else if (typeof message === 'object' && 'peek' in message) await this.#show(this.#body!, message);
      else if (typeof message === 'object' && 'decode' in message) this.#decode(this.#body!, message);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Gives the page the next chunk as it is. */
  async #give(body: ByteInput): Promise<void> {
    const chunk = await body.next();
    this.#post({ chunk }, chunk && [chunk.buffer]);
    if (!chunk) this.#end({ arrived: 0, sent: 0, decodeMs: 0, bytes: body.received, blockBytes: 0, parts: 0 });
  }

  async #show(body: ByteInput, { peek, stallTimeout }: BodyPeek): Promise<void> {
    body.stallTimeout = stallTimeout;
    const first = (await body.head(peek)).slice(0, peek);
    this.#post({ ...stateOf(body), first });
  }

  #decode(body: ByteInput, { decode, stallTimeout, progress }: BodyDecode): void {
    this.#over = true;
    body.stallTimeout = stallTimeout;
    let told = 0;
    body.moved = () => {
      const now = performance.now();
      if (!body.ended && (!progress || now - told < NEWS_MS)) return;
      told = now;
      this.#post(stateOf(body));
    };
    let wake: (() => void) | undefined;
    const input = new JobInput(
      () => wake?.(),
      () => {
        wake?.();
        body.cancel(undefined);
        this.#abort.abort();
      },
    );
    this.#begin(decode, input);
    void (async () => {
      try {
        for (let chunk = await body.next(); chunk; chunk = await body.next()) {
          input.add(chunk);
          while (input.queued > BYTES_AHEAD && !input.dropped) await new Promise<void>((resolve) => (wake = resolve));
        }
        input.end();
      } catch (error) {
        input.fail(error as Error);
      }
    })();
  }

  #fail(error: unknown): void {
    if (this.#over) return;
    this.#over = true;
    this.#post({ error: recordError(error) });
    this.#abort.abort();
  }

  #end(stats: Extract<ToPage, { stats: object }>['stats']): void {
    this.#over = true;
    this.#post({ stats });
  }

  #post(message: ToPage, transfer: Transferable[] = []): void {
    this.#port.postMessage(message, transfer);
  }
}

function stateOf({ received, endedAt }: ByteInput): BodyState {
  return { received, endedAt: endedAt === undefined ? undefined : performance.timeOrigin + endedAt };
}
