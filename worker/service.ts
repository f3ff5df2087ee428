import type { SessionSetting } from './decode.ts';
import { DecodeError, WorkerCrashError } from './errors.ts';
import type { AnyFormat } from './formats/format.ts';
import { FetchJob } from './fetch-job.ts';
import { formatEntry } from './formats/registry.ts';
import { Job } from './job.ts';
import type { JobInput } from './job-input.ts';
import { TransferredPort } from './part-port.ts';
import type { DecodeJob, FetchRequest, PartPort, WorkerService } from './protocol.ts';
import { Turns } from './turns.ts';

/** What a worker does for the page; see `WorkerService`. */
export class DecodeService implements WorkerService {
  readonly #turns = new Turns();
  readonly #schemas = new Map<number, unknown>();
  readonly #formats = new Map<string, AnyFormat>();

  async start(lock: string | undefined): Promise<boolean> {
    if (lock === undefined || !globalThis.navigator?.locks) return false;
    return await new Promise((resolve) => {
      const held = navigator.locks.request(lock, async () => {
        resolve(true);
        await new Promise(() => {});
      });
      // Refused where the page has no origin of its own.
      held.catch(() => resolve(false));
    });
  }

  ping(): void {}

  registerSchema(id: number, compiled: unknown): void {
    this.#schemas.set(id, compiled);
  }

  decode(job: DecodeJob, bytes?: Uint8Array<ArrayBuffer>): PartPort {
    const { port1, port2 } = new MessageChannel();
    void new Job(port1, this.#turns, bytes).run(this.#setting(job), job);
    return new TransferredPort(port2);
  }

  fetch(request: FetchRequest): PartPort {
    const { port1, port2 } = new MessageChannel();
    const begin = (job: DecodeJob, input: JobInput): void => void new Job(port1, this.#turns, undefined, input).run(this.#setting(job), job);
    void new FetchJob(port1, begin).run(request);
    return new TransferredPort(port2);
  }

  /** Ends what would keep a Node process alive. */
  close(): void {
    this.#turns.close();
  }

  async #setting({ format: id, options, limits, schema: schemaId }: DecodeJob): Promise<SessionSetting> {
    let format = this.#formats.get(id);
    if (!format) {
      const entry = formatEntry(id);
      if (!entry) throw new DecodeError('unknown-format', `there is no format ${id}`);
      try {
        format = (await entry.load()).default;
      } catch (error) {
        throw new WorkerCrashError(`the code of ${id} could not be loaded: ${(error as Error).message}`, { cause: error });
      }
      this.#formats.set(id, format);
    }
    const schema = schemaId === undefined ? undefined : this.#schemas.get(schemaId);
    return { id, format, options, limits, schema };
  }
}
