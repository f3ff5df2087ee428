import type { FormatId } from '../../../core/formats/registry.ts';
import type { Pool } from '../../pool/pool.ts';

/**
 * Starts a worker ahead of the payload that it will decode, unless one lives, and loads what the page needs then: the code of
 * formats in the worker, and the code that builds its values here.
 */
export async function startWorker(pool: Pool, formats?: readonly FormatId[]): Promise<void> {
  await Promise.all([pool.warm(formats), loadWorkerDecode()]);
}

/** Loads the code for payloads that a worker decodes, which many pages do not need. */
export function loadWorkerDecode(): Promise<typeof import('./in-worker.ts')> {
  return import('./in-worker.ts');
}
