import { MemoryInput } from '../../input/memory-input.ts';
import { assertWhole, type Payload } from '../../input/payload.ts';
import { Materialiser } from '../../rows/materialise.ts';
import type { Core } from '../core.ts';
import { lazyReading, loadFormat, loadWorkersFormat } from '../formats.ts';
import type { DecodeReport } from '../observe.ts';
import type { Operation } from '../operation.ts';
import { PoolDecode } from './pool-decode.ts';
import { jobOf, type Prepared } from '../prepare.ts';

/** Payloads of fewer bytes do not count as lacking records. */
const LEAST_JUDGED = 64 * 1024;

/** Decodes a payload in the pool's workers. Rejects where nothing more is wanted of the operation. */
export async function decodeInPool(core: Core, operation: Operation, prepared: Prepared, payload: Payload): Promise<unknown> {
  const { pool } = core;
  const { entry, schema } = prepared;
  operation.enter('waiting');
  // The worker starts while the schema is compiled.
  if (!pool.ready) pool.warm().catch(() => {});
  if (schema) await core.schemas.compile(schema, await loadWorkersFormat(entry.id, pool));
  operation.check();
  assertWhole(payload, entry.id);
  const materialiser = new Materialiser({ as: operation.report.as, ...lazyReading(prepared) });
  operation.signal.addEventListener('abort', () => materialiser.cancel(operation.signal.reason));
  const { bytes, own, given, compression } = payload;
  const input = payload.input ?? new MemoryInput({ bytes, format: entry.id }, { own, notRetryable: given });
  const task = new PoolDecode(input, jobOf(prepared, { compression, raw: mayBeRaw(prepared, operation.report.as) }), operation, materialiser);
  const value = await task.run(pool);
  if (operation.report.as !== 'objects' && operation.report.bytes >= LEAST_JUDGED && materialiser.notTabular) {
    core.router.lacksRecords(entry.id);
    // The next payload is looked at here, and may be read here.
    loadFormat(entry.id).catch(() => {});
  }
  return value;
}

/** Whether lists of nested records may come as their bytes, which the page reads again: of rows that few are read of. */
export function mayBeRaw({ entry, options }: Prepared, as: DecodeReport['as']): boolean {
  return as === 'rows' && !(entry.id === 'json' && (options as { bigints?: string }).bigints === 'bigint');
}
