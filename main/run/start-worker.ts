import type { FormatId } from '../../core/format/format-id.ts';
import type { Workers } from '../pool/workers.ts';

/**
 * Starts a worker ahead of the payload that it will decode, unless one lives, and loads what the page needs then: the code of
 * formats in the worker, and the code that builds its values here.
 */
export async function startWorker(pool: Workers, formats?: readonly FormatId[]): Promise<void> {
  await Promise.all([pool.warm(formats), loadWorkerDecode()]);
}

type WorkerDecode = typeof import('./in-worker.ts');

let loading: Promise<WorkerDecode> | undefined;

/**
 * Loads the code for payloads that a worker decodes, which many pages do not need. One promise for all, so that calls go on in
 * their order; a failure is forgotten.
 */
export function loadWorkerDecode(): Promise<WorkerDecode> {
  loading ??= import('./in-worker.ts');
  loading.catch(() => (loading = undefined));
  return loading;
}
