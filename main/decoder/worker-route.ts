import { limitsOf } from './core.ts';
import type { Work } from './decode-later.ts';
import type { Materialiser } from '../materialise/index.ts';
import type { Pool } from '../pool/pool.ts';
import { PoolDecode } from './pool-decode.ts';

/** Smaller payloads are decoded by one worker. */
const PARALLEL_BYTES = 8 * 1024 * 1024;

/** What decoding in workers needs on this side. Loaded while the first worker starts. */
export { Pool } from '../pool/pool.ts';

/** Hands a payload to the pool. Its operation settles when the result is there. */
export function decodeInPool(work: Work, materialiser: Materialiser, pool: Pool): void {
  const { core, operation, options, report, content, entry, reading, schema } = work;
  const job = { format: entry.id, options: reading, schema: schema?.id, limits: limitsOf(core, options), compression: content.compression };
  const compiled = schema && { id: schema.id, compiled: schema.compiled };
  const alone = (): void => new PoolDecode(content, job, compiled, operation, materialiser, report).submit(pool);
  if (content.input || !mayShare(work, pool)) {
    alone();
    return;
  }
  import('../parallel/decode-parallel.ts')
    .then(({ decodeInParallel }) => decodeInParallel(work, job, materialiser, pool))
    .then((shared) => shared || alone())
    .catch((error: unknown) => operation.abandon(error));
}

/** Whether it may be worth it to decode a payload in several workers. */
function mayShare({ core, content }: Work, pool: Pool): boolean {
  return content.bytes.length >= PARALLEL_BYTES && core.options.parallel !== false && pool.spare > 1;
}
