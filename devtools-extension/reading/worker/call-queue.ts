import type { AnswerMessage, CallMessage, CallName, CallOptions, Calls, LoadedMessage, ReadingClient } from '../protocol.ts';

/** Time limits of calls, in milliseconds, once the worker has loaded. */
const MAX_MS: Readonly<Record<CallName, number>> = {
  detect: 10_000,
  read: 30_000,
  schemaTypes: 20_000,
  findSchemas: 30_000,
  glance: 5_000,
  mergeEvents: 10_000,
  infer: 30_000,
  searchBody: 20_000,
  searchTree: 3_000,
  pick: 20_000,
  exportBody: 30_000,
  editable: 20_000,
  writeBody: 30_000,
  encodeStart: 30_000,
  encodeForm: 60_000,
};
/** Milliseconds that a worker may take to load: on a very busy machine, a minute has not been enough. */
const LOADING = 300_000;
/** Milliseconds that a cancelled call may continue before its worker is stopped. */
const GRACE = 250;

/** The parts of a worker that calls need. */
export type CallWorker = Pick<Worker, 'postMessage' | 'terminate' | 'addEventListener'>;

interface Call {
  message: CallMessage;
  isBackground: boolean;
  isCancelled: boolean;
  longest: number;
  resolve: (answer: never) => void;
  reject: (error: Error) => void;
}

/**
 * Runs calls on a worker one at a time, background calls last, so that cancelled ones never start. A worker that exceeds
 * its time limit, or runs a cancelled call, is replaced.
 */
export class CallQueue implements ReadingClient {
  readonly #start: () => CallWorker;
  #worker: CallWorker;
  #hasLoaded = false;
  #waiting: Call[] = [];
  #running: Call | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #nextId = 1;

  /** @param start starts a worker */
  constructor(start: () => CallWorker) {
    this.#start = start;
    this.#worker = this.#listenTo(start());
  }

  call<Name extends CallName>(
    name: Name,
    request: Calls[Name]['request'],
    { signal, isBackground = false, longest = MAX_MS[name] }: CallOptions = {},
  ): Promise<Calls[Name]['answer']> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(aborted());
      const call: Call = {
        message: { id: this.#nextId++, name, request } as CallMessage,
        isBackground,
        isCancelled: false,
        longest,
        resolve,
        reject,
      };
      signal?.addEventListener('abort', () => this.#abort(call), { once: true });
      this.#waiting.push(call);
      this.#next();
    });
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#worker.terminate();
    for (const call of [this.#running, ...this.#waiting]) call?.reject(aborted());
    this.#waiting = [];
    this.#running = undefined;
  }

  #next(): void {
    if (this.#running || this.#waiting.length === 0) return;
    const first = this.#waiting.findIndex(({ isBackground }) => !isBackground);
    const [call] = this.#waiting.splice(Math.max(0, first), 1);
    this.#running = call!;
    this.#limit(call!);
    this.#worker.postMessage(call!.message);
  }

  /** Limits the time of the running call, which does not include that of loading the worker. */
  #limit({ isCancelled, longest }: Call): void {
    if (!this.#hasLoaded) this.#stopAfter(LOADING, `the panel's worker did not load in ${LOADING / 1000} s`);
    else if (isCancelled) this.#stopAfter(GRACE, 'stopped');
    else this.#stopAfter(longest, `stopped after ${longest / 1000} s`);
  }

  #abort(call: Call): void {
    call.reject(aborted());
    call.isCancelled = true;
    if (this.#running === call) this.#limit(call);
    else this.#waiting = this.#waiting.filter((other) => other !== call);
  }

  #stopAfter(milliseconds: number, reason: string): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const error = new Error(reason);
      error.name = 'TimeoutError';
      this.#restart(error);
    }, milliseconds);
  }

  /** Rejects the running call. Waiting calls continue with a new worker. */
  #restart(error: Error): void {
    this.#worker.terminate();
    this.#hasLoaded = false;
    this.#worker = this.#listenTo(this.#start());
    this.#end()?.reject(error);
    this.#next();
  }

  #end(): Call | undefined {
    clearTimeout(this.#timer);
    const call = this.#running;
    this.#running = undefined;
    return call;
  }

  #listenTo(worker: CallWorker): CallWorker {
    worker.addEventListener('message', ({ data }: MessageEvent<AnswerMessage | LoadedMessage>) => {
      if (worker !== this.#worker) return;
      if ('hasLoaded' in data) return this.#loaded();
      if (data.id !== this.#running?.message.id) return;
      const call = this.#end();
      if ('problem' in data) call?.reject(new Error(data.problem));
      else call?.resolve(data.answer as never);
      this.#next();
    });
    worker.addEventListener('error', ({ message }) => {
      if (worker === this.#worker) this.#fail(new Error(`The panel's worker failed: ${message || 'it could not be loaded'}`));
    });
    return worker;
  }

  #loaded(): void {
    this.#hasLoaded = true;
    if (this.#running) this.#limit(this.#running);
  }

  /** A failed worker may fail again, so waiting calls are rejected too. */
  #fail(error: Error): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#restart(error);
    for (const { reject } of waiting) reject(error);
  }
}

function aborted(): Error {
  return new DOMException('The call was cancelled', 'AbortError');
}
