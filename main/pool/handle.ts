import { type Remote, wrap } from 'comlink';
import { WorkerCrashError } from '../../worker/errors.ts';
import '../../worker/part-port.ts';
import type { BatchGrant, WorkerService } from '../../worker/protocol.ts';
import type { StartedWorker } from './start-worker.ts';
import { type FetchTask, WorkerCall, type WorkerTask } from './call.ts';

/** How long a worker may take to load, to answer a ping, and to stop a decode that was cancelled, in milliseconds. */
const START_MS = 30_000;
const PING_MS = 2_000;
const CANCEL_MS = 5_000;

/** What the pool wants to know of a worker. */
export interface WorkerEvents {
  /** It has loaded. */
  ready(handle: WorkerHandle): void;
  /** A call is over. */
  free(handle: WorkerHandle): void;
  /** It is dead. Its calls were rejected. */
  crashed(handle: WorkerHandle, error: WorkerCrashError): void;
}

/** One worker's life, from its start to its end, whichever way it ends. */
export class WorkerHandle {
  /** It has loaded. */
  ready = false;
  /** Bytes of the payloads it has to decode. */
  load = 0;
  readonly #worker: Worker;
  readonly #service: Remote<WorkerService>;
  readonly #events: WorkerEvents;
  readonly #calls = new Map<WorkerTask | FetchTask, WorkerCall>();
  readonly #schemas = new Set<number>();
  readonly #over = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Takes over a worker that was started. */
  constructor({ worker, failure }: StartedWorker, events: WorkerEvents) {
    this.#events = events;
    this.#worker = worker;
    worker.onerror = this.#onError;
    worker.onmessageerror = () => this.#crash('a message of the worker could not be read');
    if (failure) queueMicrotask(() => this.#onError(failure));
    this.#service = wrap<WorkerService>(this.#worker);
    this.#timer = setTimeout(() => this.#crash('the worker did not start'), START_MS);
    this.#start().catch((error: unknown) => this.#crash('the worker could not be started', error));
  }

  /** How many calls it has. */
  get calls(): number {
    return this.#calls.size;
  }

  /** How many of them keep it busy: not those that only have a response. */
  get busy(): number {
    let waiting = 0;
    for (const call of this.#calls.values()) if (call.waits) waiting += 1;
    return this.calls - waiting;
  }

  /** Gives it a task. The task's `end` or `fail` is called once, whatever happens. */
  run(task: WorkerTask | FetchTask): void {
    const call = new WorkerCall(task, (over) => this.#settled(over.task));
    this.#calls.set(task, call);
    this.load += call.size;
    // Before the worker is watched, its end would go unnoticed.
    if (this.ready) this.#send(task, call);
  }

  /** Gives it a task that decodes the response which another has fetched; false where that one is over. */
  adopt(task: WorkerTask): boolean {
    const { fetched } = task.input!;
    const call = this.#calls.get(fetched!);
    if (!call) return false;
    this.#calls.delete(fetched!);
    this.#calls.set(task, call);
    this.#register(task, call);
    call.adopt(task);
    this.load += call.size;
    return true;
  }

  /** Asks it to stop a task. The task has been settled; the call goes on until the worker has answered. */
  cancel(task: WorkerTask | FetchTask): void {
    const call = this.#calls.get(task);
    if (!call) return;
    if (!this.ready) {
      this.#settled(task);
      return;
    }
    call.cancel();
    setTimeout(() => {
      if (this.#calls.get(task) === call) this.#crash('the worker did not stop when it was told to');
    }, CANCEL_MS);
  }

  /** Lets the worker decode one more batch of a task that it has. */
  grant(task: WorkerTask, grant: BatchGrant): void {
    this.#calls.get(task)?.grant(grant);
  }

  /** Ends the worker. Calls it still has are dropped. */
  terminate(): void {
    this.#over.abort();
    clearTimeout(this.#timer);
    this.#worker.onerror = null;
    this.#worker.onmessageerror = null;
    this.#worker.terminate();
    for (const call of this.#calls.values()) call.drop();
    this.#calls.clear();
  }

  async #start(): Promise<void> {
    const lock = globalThis.navigator?.locks && globalThis.crypto?.randomUUID && `unspool:${crypto.randomUUID()}`;
    const held = await this.#service.start(lock);
    if (this.#over.signal.aborted) return;
    clearTimeout(this.#timer);
    this.ready = true;
    if (lock && held) this.#watchLock(lock);
    else this.#watchPings();
    this.#events.ready(this);
    for (const [task, call] of this.#calls) this.#send(task, call);
  }

  #send(task: WorkerTask | FetchTask, call: WorkerCall): void {
    this.#register(task, call);
    call.send(this.#service);
  }

  /** Sends the schema that a task needs ahead of it. */
  #register({ schema }: WorkerTask | FetchTask, call: WorkerCall): void {
    if (!schema || this.#schemas.has(schema.id)) return;
    this.#schemas.add(schema.id);
    this.#service.registerSchema(schema.id, schema.compiled).catch((error: unknown) => call.fail(error));
  }

  /** The worker has the lock for its life: whoever gets it next knows that the worker is gone. */
  #watchLock(lock: string): void {
    navigator.locks
      .request(lock, { signal: this.#over.signal }, () => this.#crash('the worker has ended'))
      .catch((error: unknown) => {
        if (!this.#over.signal.aborted) this.#crash('the worker cannot be watched', error);
      });
  }

  /** Where there are no locks: while the worker has calls, it has to answer. */
  #watchPings(): void {
    let missed = 0;
    this.#timer = setInterval(() => {
      if (this.calls === 0) missed = 0;
      else if (++missed > 2) this.#crash('the worker does not answer');
      else this.#service.ping().then(() => (missed = 0), () => {});
    }, PING_MS);
  }

  #settled(task: WorkerTask | FetchTask): void {
    const call = this.#calls.get(task);
    if (!call) return;
    this.#calls.delete(task);
    this.load -= call.size;
    this.#events.free(this);
  }

  readonly #onError = (event: Event): void => {
    // The calls are rejected with it: no need to report it to the page as well.
    event.preventDefault();
    // What a script throws has a message; a script that does not load has none.
    this.#crash('message' in event ? 'the worker failed' : 'the worker could not be loaded', event);
  };

  #crash(reason: string, cause?: unknown): void {
    if (this.#over.signal.aborted) return;
    const { message } = (cause ?? {}) as Partial<Error>;
    const error = new WorkerCrashError(message ? `${reason}: ${message}` : reason, { cause });
    const calls = [...this.#calls.keys()];
    this.terminate();
    this.#events.crashed(this, error);
    for (const task of calls) task.fail(error);
  }
}
