import type { ListForm } from '../../core/format/format.ts';
import { assertWhole, type Payload, sizeOf } from '../call/input/payload.ts';
import { sampleJson } from '../../core/slicing/json/sample.ts';
import { NO_LIST } from '../../core/slicing/list-form.ts';
import type { DecoderState } from '../call/decoder-state.ts';
import { readyFormat } from '../call/formats.ts';
import type { DecodeReport } from '../call/observe.ts';
import type { Operation } from '../call/operation.ts';
import type { DecodeOptions } from '../call/options/options.ts';
import { isSequence, type Prepared, readByEngine, settingOf } from '../call/prepare.ts';
import { startWorker } from './start-worker.ts';
import { AT_ONCE_MS } from '../call/tuning.ts';

/** Where a payload is decoded, and why, in a few words for display. */
export interface Plan {
  /** On this thread, in one step or in slices; in a worker; or nowhere: a block was decoded by a service worker. */
  readonly where: 'at once' | 'in slices' | 'worker' | 'open';
  readonly why: string;
}

/** The plan of a payload that is decoded in the task of the call, unless it needs code that is not loaded. */
export const SMALL: Plan = { where: 'at once', why: 'small' };
/** The plan of a block. */
export const OPEN: Plan = { where: 'open', why: 'decoded by a service worker' };

type Wanted = Pick<DecodeOptions, 'as' | 'route'>;

/** The plan of a payload whose size decides; otherwise undefined. `isWhole`: all its bytes are there. */
export function planBySize(
  core: DecoderState,
  prepared: Prepared,
  { as = 'objects', route = core.options.route ?? 'auto' }: Wanted,
  bytes: number | undefined,
  isWhole: boolean,
): Plan | undefined {
  if (route === 'worker' && !core.router.workers) {
    throw new TypeError('invalid option route: worker; there are no workers here: set createWorker');
  }
  if (bytes !== undefined && bytes < core.syncBelow && route !== 'worker') return isWhole ? SMALL : { ...SMALL, where: 'in slices' };
  // The columns of Arrow are taken over as they are.
  const isFast =
    prepared.entry.id === 'arrow'
      ? !prepared.shaping || prepared.wrap?.picked
      : as === 'objects' && bytes !== undefined && isShort(core, prepared, bytes);
  return isFast && route === 'auto' ? onPage(core, prepared, bytes, isWhole, 'parsed in milliseconds') : undefined;
}

/** Plans a decode: by the payload's size if that decides, otherwise by its first records. */
export async function planDecode(core: DecoderState, operation: Operation, prepared: Prepared, payload: Payload, options: Wanted): Promise<Plan> {
  const bytes = sizeOf(payload);
  const isWhole = !payload.input;
  const bySize = planBySize(core, prepared, options, bytes, isWhole);
  if (bySize) return bySize;
  const { pool, router } = core;
  const { as } = operation.report;
  const { id } = prepared.entry;
  const { route = core.options.route ?? 'auto' } = options;
  const question = { route, as, format: id, bytes, ready: pool.ready, startMs: pool.startMs };
  // A look at another format than JSON loads its code.
  const mayLook = as === 'objects' || readByEngine(prepared) || router.mayLackRecords(id);
  const sample = mayLook && router.dependsOnRecords(question) ? await sampleOf(core, operation, prepared, payload) : undefined;
  const { route: chosen, why, warm } = router.choose({ ...question, sample });
  if (warm) startWorker(pool, [id]).catch(() => {});
  return chosen === 'worker' ? { where: 'worker', why } : onPage(core, prepared, bytes, isWhole, why);
}

/** Enters a plan in the report of its decode. */
export function reportPlan(report: DecodeReport, { where, why }: Plan): void {
  report.route = where === 'worker' ? 'worker' : 'page';
  report.why = why;
}

function onPage(core: DecoderState, prepared: Prepared, bytes: number | undefined, isWhole: boolean, why: string): Plan {
  const isAtOnce = isWhole && isShort(core, prepared, bytes!) && !isSequence(prepared);
  return { where: isAtOnce ? 'at once' : 'in slices', why };
}

/** True for JSON that the engine parses in a few milliseconds. */
function isShort({ router }: DecoderState, prepared: Prepared, bytes: number): boolean {
  return readByEngine(prepared) && bytes <= router.speed('json', 'page') * AT_ONCE_MS;
}

/** The form of the list, by the schema or the first records. */
async function sampleOf(core: DecoderState, operation: Operation, prepared: Prepared, payload: Payload): Promise<ListForm | undefined> {
  if (readByEngine(prepared)) return sampleJson(payload.bytes) ?? NO_LIST;
  const { format, readers } = await readyFormat(core, operation, prepared);
  assertWhole(payload, prepared.entry.id);
  return format.listForm?.(prepared.schema?.compiled) ?? readers.sample(payload.bytes, settingOf(prepared, format));
}
