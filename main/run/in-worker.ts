import type { WorkerStats } from '../../worker/protocol.ts';
import { MemoryInput } from '../call/input/memory-input.ts';
import { assertWhole, type Payload } from '../call/input/payload.ts';
import type { WorkerTask } from '../pool/task.ts';
import { Materialiser } from '../rows/materialise.ts';
import type { DecoderState } from '../call/decoder-state.ts';
import { loadFormat, loadWorkersFormat } from '../call/formats.ts';
import { lazyReading } from '../call/lazy-reading.ts';
import type { DecodeReport } from '../call/observe.ts';
import type { Operation } from '../call/operation.ts';
import { jobOf, type Prepared } from '../call/prepare.ts';
import { MIN_MEASURED_BYTES } from '../call/tuning.ts';

/** Decodes a payload in a worker of the pool. Rejects with the operation. */
export async function decodeInWorker(core: DecoderState, operation: Operation, prepared: Prepared, payload: Payload): Promise<unknown> {
  const pool = await core.pool.load();
  const { entry, schema } = prepared;
  const { signal, report } = operation;
  const { as } = report;
  if (schema) await core.schemas.compile(schema, await loadWorkersFormat(entry.id, core.pool));
  operation.check();
  assertWhole(payload, entry.id);
  const materialiser = new Materialiser({ as, ...lazyReading(prepared) });
  const { bytes, transferable, notRetryable, compression } = payload;
  const input = payload.input ?? new MemoryInput({ bytes, format: entry.id }, { transferable, notRetryable });
  /** Milliseconds of the steps that were taken. */
  const times = { queueMs: 0, transferMs: 0, decodeMs: 0, kernel: false };
  const created = performance.now();
  let posted = 0;
  operation.measure(() => ({ ...times, ...materialiser.stats, mainMs: materialiser.stats.materialiseMs, workerStartMs: pool.startMs ?? 0 }));
  const value = await new Promise((resolve, reject) => {
    const task: WorkerTask = {
      input,
      ...jobOf(prepared, { compression, raw: mayBeRaw(prepared, as) }),
      started() {
        posted = performance.now();
        times.queueMs = posted - created;
      },
      part(part) {
        if (operation.settled) return;
        try {
          materialiser.push(part);
        } catch (error) {
          reject(error);
        }
      },
      end({ arrived, sent, decodeMs, kernelRows }: WorkerStats) {
        if (operation.settled) return;
        const origin = performance.timeOrigin;
        times.transferMs = Math.max(0, arrived - origin - posted) + Math.max(0, performance.now() + origin - sent);
        times.decodeMs = decodeMs;
        times.kernel = kernelRows > 0;
        materialiser.done().then(resolve, reject);
      },
      fail: reject,
    };
    signal.addEventListener('abort', () => {
      materialiser.cancel(signal.reason);
      pool.cancel(task);
      input.cancel(signal.reason);
      reject(signal.reason);
    });
    pool.submit(task);
  });
  if (as !== 'objects' && report.bytes >= MIN_MEASURED_BYTES && materialiser.notTabular) {
    core.router.noteNoRecords(entry.id);
    // The page looks at the next payload's records, and may read it.
    loadFormat(entry.id).catch(() => {});
  }
  return value;
}

/** True if nested records may stay bytes, which the page reads on demand: applications read few of these. */
export function mayBeRaw({ entry, options, shaping }: Prepared, as: DecodeReport['as']): boolean {
  return as === 'rows' && !shaping?.numbers && !(entry.id === 'json' && (options as { bigints?: string }).bigints === 'bigint');
}
