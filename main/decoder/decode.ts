import { assertWhole, type Payload, sizeOf } from '../call/input/payload.ts';
import type { DecoderState } from '../call/decoder-state.ts';
import type { Operation } from '../call/operation.ts';
import type { DecodeOptions, DecodeSource } from '../call/options/options.ts';
import { prepare, type Prepared, reportPrepared, shaping } from '../call/prepare.ts';
import { OPEN, type Plan, planDecode, reportPlan } from '../run/plan.ts';
import { run } from '../run/run.ts';
import { openPayload } from './open-payload.ts';

/** Code for the option `previous`. */
const loadAgain = () => import('../previous/decode-again.ts');

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
    else if (core.options.keepBodies && report.url) (await import('../run/for-tools.ts')).recordBody(report.id, bytes);
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
