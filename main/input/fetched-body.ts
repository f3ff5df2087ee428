import { WorkerCrashError } from '../../worker/errors.ts';
import {
  type BodyChunk,
  type BodyNews,
  type BodyState,
  type FetchRequest,
  PULL,
  type ResponseHead,
} from '../../worker/protocol.ts';
import type { DecodeSource } from '../decoder/options.ts';
import type { Pool } from '../pool/pool.ts';
import type { FetchTask, WorkerCall } from '../pool/call.ts';

/** The responses whose bodies a worker has. */
const bodies = new WeakMap<object, { stream: unknown; body: FetchedBody }>();

/** The body of a response that a worker has, unless somebody has begun to read it, or has cloned the response. */
function fetchedBody(source: DecodeSource): FetchedBody | undefined {
  const found = bodies.get(source);
  const { body: stream, bodyUsed } = source as Response;
  return found && !bodyUsed && found.stream === stream ? found.body : undefined;
}

/** Whether a worker has the body of a response. */
export function isFetched(source: DecodeSource): boolean {
  return fetchedBody(source) !== undefined;
}

/** Takes the body of a response for a decode: the response counts as read. */
export function takeBody(source: DecodeSource): FetchedBody | undefined {
  const body = fetchedBody(source);
  if (!body) return undefined;
  body.claimed = true;
  void (source as Response).body!.cancel();
  return body;
}

/** Lets `fetchedBody` find the body of a response. */
export function rememberBody(response: Response, body: FetchedBody): void {
  bodies.set(response, { stream: response.body, body });
}

/** A request that a worker makes for the page, and the body of its response while nobody decodes it. */
export class FetchedBody implements FetchTask {
  readonly bytes = new Uint8Array(0);
  readonly own = true;
  readonly input = undefined;
  readonly schema = undefined;
  readonly request: FetchRequest;
  /** What came before the body. Rejects with what `fetch` would reject with. */
  readonly head: Promise<ResponseHead>;
  /** Bytes that are announced, 0 where that is not known. */
  size = 0;
  /** A decode has it. */
  claimed = false;
  /** Whoever decodes the body hears how far it has come. */
  moved: ((state: BodyState) => void) | undefined;
  /** Why nothing more comes. */
  failure: { error: unknown } | undefined;
  readonly #pool: Pool;
  #call: WorkerCall | undefined;
  /** No longer listens for what ends it. */
  readonly #over = new AbortController();
  /** Who waits for an answer of the worker. */
  #answer: { resolve: (news: never) => void; reject: (error: unknown) => void } | undefined;

  /** `signal` ends the request, and so does the end of the pool. */
  constructor(pool: Pool, request: FetchRequest, signal: AbortSignal) {
    this.#pool = pool;
    this.request = request;
    this.head = this.#ask<{ head: ResponseHead }>().then(({ head }) => {
      this.size = head.size;
      return head;
    });
    const over = { signal: this.#over.signal };
    for (const end of [signal, pool.over]) end.addEventListener('abort', () => this.#stop(end.reason), over);
    pool.submit(this);
  }

  /** The next chunk, brought here; undefined after the last. */
  async pull(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const answer = this.#ask<BodyChunk>();
    if (!this.failure) this.#call!.tell(PULL);
    return (await answer).chunk;
  }

  /** A copy of the first bytes, at least so many unless there are fewer, and how far the body has come. */
  peek(bytes: number, stallTimeout: number | undefined): Promise<BodyState> {
    const answer = this.#ask<BodyState>();
    if (!this.failure) this.#call!.tell({ peek: bytes, stallTimeout });
    return answer;
  }

  /** Nothing more is wanted of it. A decode of the body is not touched. */
  cancel(reason: unknown): void {
    this.fail(reason);
    this.#pool.cancel(this);
  }

  /** Lets go of a body that nobody has taken. */
  leave(reason: unknown): void {
    if (!this.claimed) this.cancel(reason);
  }

  started(call: WorkerCall): void {
    this.#call = call;
  }

  heard(news: BodyNews): void {
    const waits = this.#answer;
    this.#answer = undefined;
    if (waits) waits.resolve(news as never);
    else if ('received' in news) this.moved?.(news);
  }

  part(): void {}

  end(): void {}

  dropped(): void {
    this.#over.abort();
  }

  fail(error: unknown): void {
    this.failure ??= { error: error ?? new WorkerCrashError('the worker has ended') };
    this.#answer?.reject(this.failure.error);
    this.#answer = undefined;
    // Where no worker has taken the request, nobody else says that it is over.
    if (!this.#call) this.#over.abort();
  }

  /** Ends it, whoever has it. */
  #stop(reason: unknown): void {
    this.cancel(reason);
    this.#call?.fail(reason);
  }

  #ask<News extends BodyNews>(): Promise<News> {
    return new Promise((resolve, reject) => {
      if (this.failure) reject(this.failure.error);
      else this.#answer = { resolve, reject };
    });
  }
}
