import { brandInstances } from '../instanceof-brand.ts';
import { CallError } from './call-error.ts';

/** A worker died or could not be loaded; all its calls reject with this error. */
export class WorkerCrashError extends CallError {
  override name = 'WorkerCrashError';
  readonly code = 'worker-crash';
}

brandInstances('WorkerCrashError', WorkerCrashError);
