import type { ServiceAnswer, ServiceCall, WorkerService } from '../../worker/protocol.ts';
import { reviveError } from './revive-error.ts';

/** Settles a call by its answer. */
type Settle = (answer: ServiceAnswer) => void;

/** The service of a worker (`worker/serve-calls.ts`), as the page calls it. */
export class RemoteService {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Settle>();
  #calls = 0;

  constructor(worker: Worker) {
    this.#worker = worker;
    worker.addEventListener('message', ({ data }: MessageEvent<ServiceAnswer>) => {
      this.#waiting.get(data.id)?.(data);
      this.#waiting.delete(data.id);
    });
    // A port waits for this.
    (worker as unknown as Partial<MessagePort>).start?.();
  }

  /** Calls a method. Rejects with the error that it throws, and if its arguments cannot be sent. */
  call<Name extends keyof WorkerService>(
    method: Name,
    args: Parameters<WorkerService[Name]>,
    transfer: Transferable[] = [],
  ): Promise<Awaited<ReturnType<WorkerService[Name]>>> {
    return new Promise((resolve, reject) => {
      const id = ++this.#calls;
      this.#worker.postMessage({ id, method, args } satisfies ServiceCall, transfer);
      this.#waiting.set(id, ({ value, error }) => (error ? reject(reviveError(error)) : resolve(value as never)));
    });
  }
}
