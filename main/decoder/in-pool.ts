import { MemoryInput } from '../input/memory-input.ts';
import { assertWhole, type Payload } from '../input/payload.ts';
import { Materialiser } from '../materialise/index.ts';
import type { Core } from './core.ts';
import { lazyReading, loadWorkersFormat } from './formats.ts';
import type { DecodeReport } from './observe.ts';
import type { Operation } from './operation.ts';
import type { DecodeOptions } from './options.ts';
import { PoolDecode } from './pool-decode.ts';
import { jobOf, type Prepared } from './prepare.ts';

/** Payloads from this size on may be decoded by several workers. */
const PARALLEL_BYTES = 8 * 1024 * 1024;

/** Decodes a payload in the pool's workers. Rejects where nothing more is wanted of the operation. */
export async function decodeInPool(core: Core, operation: Operation, prepared: Prepared, payload: Payload, options: DecodeOptions): Promise<unknown> {
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
  if (!payload.input && mayShare(core, payload)) {
    const { decodeInParallel } = await import('../parallel/decode-parallel.ts');
    const result = await decodeInParallel({ core, operation, prepared, bytes, options, materialiser });
    if (result) return result.value;
  }
  const input = payload.input ?? new MemoryInput({ bytes, format: entry.id }, { own, precious: given });
  const task = new PoolDecode(input, jobOf(prepared, { compression, raw: mayBeRaw(prepared, operation.report.as) }), operation, materialiser);
  return await task.run(pool);
}

/** Whether lists of nested records may come as their bytes, which the page reads again: of rows that few are read of. */
export function mayBeRaw({ entry, options }: Prepared, as: DecodeReport['as']): boolean {
  return as === 'rows' && !(entry.id === 'json' && (options as { bigints?: string }).bigints === 'bigint');
}

/** Whether it may be worth it to decode a payload in several workers. */
function mayShare({ options: { parallel }, pool }: Core, { bytes }: Payload): boolean {
  return bytes.length >= PARALLEL_BYTES && parallel !== false && pool.spare > 1;
}
