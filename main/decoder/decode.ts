import { EmptyCells } from '../../core/empty-cells.ts';
import { assertWhole, openPayload, type Payload, sizeOf } from '../input/payload.ts';
import { MINOR_GC } from '../engine/minor-gc.ts';
import { Slicer } from '../slicing/slicer.ts';
import type { DecoderState } from './decoder-state.ts';
import { countRows, timesOf } from './observe.ts';
import type { Operation } from './operation.ts';
import type { DecodeOptions, DecodeSource } from './options/options.ts';
import { OPEN, type Plan, planDecode, reportPlan } from './plan.ts';
import { prepare, type Prepared, readByEngine, reportPrepared } from './prepare.ts';
import { decodeAtOnce, LATER } from './run/at-once.ts';
import { decodeInSlices } from './run/in-slices.ts';
import { loadWorkerDecode, startWorker } from './run/start-worker.ts';

/** Code for `Rows` and columns. */
const loadForms = () => import('../rows/form.ts');

/** Code for the option `previous`. */
const loadAgain = () => import('../previous/decode-again.ts');

/** Code for the options `pick` and `numbers`. */
const loadShaping = () => import('../../core/shaping.ts');

/** A payload in memory that was looked at already. */
export interface Look {
  readonly payload: Payload;
  readonly prepared: Prepared;
  /** Undefined if more than the size decides. */
  readonly plan: Plan | undefined;
}

/** Decodes a payload of any size from any source: opens it, looks at it, makes a plan, runs that, and settles the operation. */
export async function decodePayload(
  core: DecoderState,
  operation: Operation,
  source: DecodeSource,
  options: DecodeOptions,
  look?: Look,
): Promise<void> {
  const { report } = operation;
  try {
    operation.opens(source);
    // Arrives while the payload does.
    if (report.as !== 'objects') loadForms().catch(() => {});
    const isAgain = 'previous' in options;
    if (isAgain && (source as Partial<Response> | undefined)?.status === 304) {
      operation.resolve((await loadAgain()).unchanged(operation, options));
      return;
    }
    const payload = await (look?.payload ?? openPayload(core, operation, source, options));
    operation.check();
    assertWhole(payload);
    const { bytes, input, open } = payload;
    operation.head = bytes;
    report.bytes = bytes.length;
    report.readMs = performance.now() - report.startTime;
    if (input) operation.measure(() => ({ bytes: input.received, readMs: (input.endedAt ?? performance.now()) - report.startTime }));
    else if (core.options.keepBodies && report.url) (await import('./run/for-tools.ts')).recordBody(report.id, bytes);
    if (open) {
      reportPlan(report, OPEN);
      operation.resolve(await open());
      return;
    }
    const prepared = await shaping(operation, look?.prepared ?? prepare(core, source, options, bytes, sizeOf(payload)), options);
    reportPrepared(report, prepared);
    const plan = look?.plan ?? (await planDecode(core, operation, prepared, payload, options));
    reportPlan(report, plan);
    operation.check();
    const decode = isAgain ? (await loadAgain()).decodeAgain : run;
    operation.resolve(await decode(core, operation, plan, prepared, payload, options, run));
  } catch (error) {
    operation.reject(error);
  }
}

/** Loads the code for the options that change which values are made, and checks them. */
export async function shaping(operation: Operation, prepared: Prepared, options: DecodeOptions): Promise<Prepared> {
  if (!prepared.shaping) return prepared;
  operation.isTypical = false;
  return { ...prepared, wrap: (await loadShaping()).wrapper(prepared.shaping, options) };
}

/** Has a plan's runner decode a payload, and gives the value the form that the caller asks for. */
async function run(core: DecoderState, operation: Operation, { where }: Plan, prepared: Prepared, payload: Payload): Promise<unknown> {
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
  const { formInSlices } = await loadForms();
  return await formInSlices(value, as, readByEngine(prepared) ? undefined : revived, slicer, new EmptyCells(prepared.limits));
}

/** Counts the rows of a result: a record outside of its list's table is one, too. */
function reportRows(operation: Operation, value: unknown): void {
  const rows = Math.max(operation.rows, countRows(value));
  operation.measure(() => ({ rows }));
}
