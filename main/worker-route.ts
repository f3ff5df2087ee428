import { limitsOf } from './core.ts';
import type { Work } from './decode-later.ts';
import type { Materialiser } from './materialise/index.ts';
import type { Pool } from './pool.ts';
import { PoolDecode } from './pool-decode.ts';

/** What decoding in workers needs on this side. Loaded while the first worker starts. */
export { Pool } from './pool.ts';

/** Hands a payload to the pool. Its operation settles when the result is there. */
export function decodeInPool(work: Work, materialiser: Materialiser, pool: Pool): void {
  const { core, operation, options, report, content, entry, reading, schema } = work;
  const job = { format: entry.id, options: reading, schema: schema?.id, limits: limitsOf(core, options), compression: content.compression };
  const compiled = schema && { id: schema.id, compiled: schema.compiled };
  new PoolDecode(content, job, compiled, operation, materialiser, report).submit(pool);
}
