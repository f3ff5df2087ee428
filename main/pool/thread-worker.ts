import { builtin, type Thread } from '../../core/platform/node.ts';

/** The file of the thread; undefined if the library was bundled without it. */
export function threadFile(): URL | undefined {
  try {
    const url = new URL('./thread-worker.js', import.meta.url);
    return builtin('node:fs').existsSync(url) ? url : undefined;
  } catch {
    // Bundled as a script, which has no URL.
    return undefined;
  }
}

/** A thread of Node with the interface of a Worker. It keeps the process alive only while a call waits for its answer. */
export class ThreadWorker extends EventTarget {
  onerror: ((event: Event) => void) | null = null;
  onmessageerror: ((event: Event) => void) | null = null;
  readonly #thread: Thread;
  /** Messages without an answer: Comlink answers each one. */
  #waiting = 0;

  /** Starts a thread that runs `worker/thread-entry.ts`. */
  constructor(url: URL) {
    super();
    this.#thread = new (builtin('node:worker_threads').Worker)(url, { name: 'unspool', execArgv: [] });
    this.#thread.unref();
    this.#thread.on('message', (data) => {
      this.#waiting -= 1;
      if (this.#waiting === 0) this.#thread.unref();
      this.dispatchEvent(new MessageEvent('message', { data }));
    });
    this.#thread.on('messageerror', () => this.onmessageerror?.(new Event('messageerror')));
    this.#thread.on('error', ({ message }) => this.#fail(message));
    this.#thread.on('exit', () => this.#fail('the thread has ended'));
  }

  postMessage(message: unknown, transfer?: readonly Transferable[]): void {
    this.#thread.postMessage(message, transfer);
    this.#waiting += 1;
    this.#thread.ref();
  }

  terminate(): void {
    this.#thread.terminate();
  }

  #fail(message: string): void {
    this.onerror?.(Object.assign(new Event('error'), { message }));
  }
}
