import type { Code, CodeName, LoadCode } from './code.ts';
import { WorkerCrashError } from '../core/errors.ts';
import { KEPT } from '../core/kept-records.ts';
import type { Sink } from '../core/reading/sink.ts';
import type { FormatId } from '../core/format/format-id.ts';
import { Job, type JobSetting } from './job.ts';
import type { DecodeJob, WorkerService } from './protocol.ts';
import { KernelPool } from '../core/kernels/load.ts';
import { mayCompile } from '../core/kernels/policy.ts';
import { JobScheduler } from './job-scheduler.ts';

/**
 * Maximum milliseconds that the first job waits for the kernels. Compiling them takes less time than reading without
 * them.
 */
const KERNEL_MS = 50;

/** The worker's side of `WorkerService`. */
export class DecodeService implements WorkerService {
  readonly #jobScheduler = new JobScheduler();
  /** Resolves to whether the worker holds the lock that shows that it is alive. */
  #watched: Promise<boolean> | undefined;
  /**
   * `#compiled` resolves once the kernels are compiled or known to be unavailable, `#kernelsAwaited` no later than a
   * job may wait.
   */
  #compiled: Promise<void> | undefined;
  #kernelsAwaited: Promise<unknown> | undefined;
  #kernels: KernelPool | undefined;
  readonly #schemas = new Map<number, unknown>();
  readonly #load: LoadCode;
  readonly #urls = new Map<CodeName, string>();
  readonly #code = new Map<CodeName, Promise<Code[CodeName]>>();

  /** `load` loads the code that a job needs. */
  constructor(load: LoadCode) {
    this.#load = load;
  }

  start(lock: string | undefined, kernel?: boolean): Promise<boolean> {
    if (kernel !== false) {
      this.#compiled = this.#compile(kernel);
      this.#kernelsAwaited = Promise.race([this.#compiled, new Promise((resolve) => setTimeout(resolve, KERNEL_MS))]);
    }
    this.#watched = this.#hold(lock);
    return this.#watched;
  }

  async #compile(always: boolean | undefined): Promise<void> {
    if (always || (await mayCompile())) this.#kernels = KernelPool.create();
  }

  async #hold(lock: string | undefined): Promise<boolean> {
    if (lock === undefined || !globalThis.navigator?.locks) return false;
    return await new Promise((resolve) => {
      const held = navigator.locks.request(lock, async () => {
        resolve(true);
        await new Promise(() => {});
      });
      // Refused if the page has an opaque origin.
      held.catch(() => resolve(false));
    });
  }

  async hasKernels(): Promise<boolean> {
    await this.#compiled;
    return this.#kernels !== undefined;
  }

  ping(): void {}

  registerSchema(id: number, compiled: unknown): void {
    this.#schemas.set(id, compiled);
  }

  registerCode(name: CodeName, url: string): void {
    this.#urls.set(name, url);
    // A job that needs it reports the failure.
    this.#loaded(name).catch(() => {});
  }

  async prepare(formats: readonly FormatId[]): Promise<void> {
    await Promise.all(formats.map((id) => this.#loaded(id)));
  }

  decode(job: DecodeJob, port: MessagePort, bytes?: Uint8Array<ArrayBuffer>): void {
    void new Job(port, this.#jobScheduler, bytes).run(this.#begin(job), job);
  }

  /** Closes the channel, which would keep a Node process alive. */
  close(): void {
    this.#jobScheduler.close();
  }

  /** Collects what a job needs. No job begins before the page can notice the worker's end. */
  async #begin(job: DecodeJob): Promise<JobSetting> {
    const [setting] = await Promise.all([this.#setting(job), this.#watched, this.#kernelsAwaited]);
    return { ...setting, kernels: this.#kernels?.of(setting.format) };
  }

  async #setting({ format: id, options, isMessage, limits, schema: schemaId, compression, text, shaping }: DecodeJob): Promise<JobSetting> {
    const [{ default: format }, zstd, writer, shaper] = await Promise.all([
      this.#loaded(id),
      compression && this.#loaded(compression),
      text && this.#loaded('json-text'),
      shaping && this.#loaded('shaping'),
    ]);
    const schema = schemaId === undefined ? undefined : this.#schemas.get(schemaId);
    const wrap = shaper && ((sink: Sink) => shaper.shaped(sink, shaping!));
    return {
      id,
      format,
      options: isMessage ? { ...options, [KEPT]: undefined } : options,
      limits,
      schema,
      wrap,
      unpacker: zstd && (await zstd.ZstdUnpacker.load(limits)),
      TextSink: writer?.JsonTextSink,
    };
  }

  /** Loads code. Concurrent callers share one load; after a failure, the next call tries again. */
  async #loaded<Name extends CodeName>(name: Name): Promise<Code[Name]> {
    let loading = this.#code.get(name) as Promise<Code[Name]> | undefined;
    if (!loading) {
      loading = this.#load(name, this.#urls.get(name));
      this.#code.set(name, loading);
    }
    try {
      return await loading;
    } catch (error) {
      this.#code.delete(name);
      throw new WorkerCrashError(`the code of ${name} could not be loaded: ${(error as Error).message}`, { cause: error });
    }
  }
}
