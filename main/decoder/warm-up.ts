import type { FormatId } from '../../core/format/format-id.ts';
import { nextTask } from '../../core/platform/platform.ts';
import type { DecoderState } from '../call/decoder-state.ts';
import { decodePayload } from './decode.ts';
import { loadedFormat } from '../call/formats.ts';
import { loadJsonSlices } from '../call/json-slices.ts';
import { newReport } from '../call/observe.ts';
import { Operation } from '../call/operation.ts';
import type { DecodeOptions } from '../call/options/options.ts';
import { Router } from '../call/route.ts';
import { WARM_UP_MS, WARM_UP_RECORDS } from '../call/tuning.ts';

let isDone = false;

/**
 * Decodes a few records once per page, while it waits for the answer to its first request: the engine compiles a function when
 * it is first called, and optimises it when it is called often. These decodes are not reported. They warm
 * up `format` if its code is loaded, and JSON, which the engine reads, if no format is named.
 */
export async function warmUpFormat(core: DecoderState, answer: Promise<unknown>, format: FormatId = 'json'): Promise<void> {
  if (isDone) return;
  isDone = true;
  let isAnswered = false;
  const stop = (): void => void (isAnswered = true);
  answer.then(stop, stop);
  // The request is sent first.
  await nextTask();
  if (format === 'json') {
    // Requested once the headers are there, this code would come after a fast body.
    loadJsonSlices().catch(() => {});
    return warmUpJson(core);
  }
  const payload = loadedFormat(format)?.format.warmUp?.();
  if (!payload) return;
  const start = performance.now();
  while (!isAnswered && performance.now() - start < WARM_UP_MS) {
    await decodeUnseen(core, new Response(payload), { format });
    await nextTask();
  }
}

async function warmUpJson(core: DecoderState): Promise<void> {
  const text = JSON.stringify(Array.from({ length: WARM_UP_RECORDS }, (_, id) => ({ id, name: `name ${id}`, at: [id / 2] })));
  await decodeUnseen(core, new Response(text, { headers: { 'content-type': 'application/json' } }), { route: 'page' });
}

/** Decodes with the decoder's code, but not with its options or measurements. */
async function decodeUnseen(core: DecoderState, source: Response, options: DecodeOptions): Promise<void> {
  const own = { ...core, options: {}, syncBelow: 0, router: new Router(core.router.workers) };
  await decodePayload(own, new Operation(newReport({}), {}, () => {}), source, options);
}
