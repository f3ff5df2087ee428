import { MINOR_GC } from '../../core/slicing/minor-gc.ts';
import { Slicer } from '../../core/slicing/slicer.ts';
import type { DecoderState } from '../call/decoder-state.ts';
import type { Payload } from '../call/input/payload.ts';
import { countRows, timesOf } from '../call/observe.ts';
import type { Operation } from '../call/operation.ts';
import { type Prepared, readByEngine } from '../call/prepare.ts';
import { decodeAtOnce, LATER } from './at-once.ts';
import { decodeInSlices } from './in-slices.ts';
import type { Plan } from './plan.ts';
import { formInSlices } from '../rows/form.ts';
import { loadWorkerDecode, startWorker } from './start-worker.ts';

/** Has a plan's runner decode a payload, and gives the value the form that the caller asks for. */
export async function run(core: DecoderState, operation: Operation, { where }: Plan, prepared: Prepared, payload: Payload): Promise<unknown> {
  const { as } = operation.report;
  if (where === 'worker') {
    if (!core.pool.ready) startWorker(core.pool).catch(() => {});
    const { decodeInWorker } = await loadWorkerDecode();
    operation.check();
    const value = await decodeInWorker(core, operation, prepared, payload);
    if (as === 'objects') reportRows(operation, value);
    return value;
  }
  // Values that the application makes of tags keep their form, with the lists of records in them.
  const revived = new Set<unknown>();
  const { revive } = prepared;
  const reviveAndNote = (tag: string, inner: unknown): unknown => {
    const value = revive!(tag, inner);
    revived.add(value);
    return value;
  };
  const noted = as === 'objects' || !revive ? prepared : { ...prepared, revive: reviveAndNote };
  // V8 collects what is built here in shorter pauses if left alone, except for lists of many small values: those are counted.
  const slicer = new Slicer({ throwIfAborted: () => operation.check() }, { building: MINOR_GC });
  let value: unknown = LATER;
  if (where === 'at once') {
    operation.measure(() => timesOf(slicer));
    slicer.begin();
    value = decodeAtOnce(noted, payload.bytes, as);
    slicer.end();
  }
  if (value === LATER) value = await decodeInSlices(core, operation, noted, payload, slicer);
  reportRows(operation, value);
  // In what the engine parses, no value stands twice.
  if (as === 'objects') return value;
  return await formInSlices(value, as, readByEngine(prepared) ? undefined : revived, slicer, prepared.limits);
}

/** Counts the rows of a result: a record outside of its list's table is one, too. */
function reportRows(operation: Operation, value: unknown): void {
  const rows = Math.max(operation.rows, countRows(value));
  operation.measure(() => ({ rows }));
}
