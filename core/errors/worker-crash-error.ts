import { brandInstances } from '../instanceof-brand.ts';

/** A worker died or could not be loaded; all its calls reject with this error. */
export class WorkerCrashError extends Error {
  override name = 'WorkerCrashError';
  readonly code = 'worker-crash';
}

brandInstances('WorkerCrashError', WorkerCrashError);
