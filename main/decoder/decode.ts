import type { ListForm } from '../../core/formats/format.ts';
import { claimsBlock } from '../block/is-block.ts';
import { sampleJson } from '../json/sample.ts';
import { NO_LIST } from '../slicing/sampled.ts';
import { assertWhole, openPayload, type Payload } from '../input/payload.ts';
import { urlOf } from '../input/sources.ts';
import type { Core } from './core.ts';
import { decodeInPool } from './run/in-pool.ts';
import { countRows, recordBody } from './observe.ts';
import { bytesAtOnce, decodeOnPage, readyFormat } from './run/on-page.ts';
import type { Operation } from './operation.ts';
import type { DecodeOptions, DecodeSource } from './options/options.ts';
import { prepare, type Prepared, readByEngine, settingOf } from './prepare.ts';

/** Decodes a payload of any size from any source: opens it, finds out how it is read and where, has that done, and settles. */
export async function decodePayload(core: Core, operation: Operation, source: DecodeSource, options: DecodeOptions): Promise<void> {
  const { report } = operation;
  try {
    report.url = urlOf(source);
    report.label ??= report.url;
    if (claimsBlock(source)) {
      const { isOwn, openBlock } = await import('../block/open.ts');
      if (await isOwn(core, source, options)) {
        operation.resolve(await openBlock(core, operation, source, options));
        return;
      }
    }
    const payload = await openPayload(core, operation, source, options);
    operation.check();
    assertWhole(payload);
    const { bytes, input } = payload;
    report.bytes = bytes.length;
    report.readMs = performance.now() - report.startTime;
    if (input) operation.measure(() => ({ bytes: input.received, readMs: (input.endedAt ?? performance.now()) - report.startTime }));
    else if (core.options.keepBodies && report.url) recordBody(report.id, bytes);
    const prepared = prepare(core, source, options, bytes, sizeOf(payload));
    report.format = prepared.entry.id;
    report.schema = prepared.schema?.name;
    await chooseRoute(core, operation, prepared, payload, options);
    operation.check();
    const decode = report.route === 'page' ? decodeOnPage : decodeInPool;
    const value = await decode(core, operation, prepared, payload);
    // A record outside of its list's table is a row, too.
    const rows = Math.max(operation.rows, report.as === 'objects' ? countRows(value) : 0);
    operation.measure(() => ({ rows }));
    operation.resolve(value);
  } catch (error) {
    operation.reject(error);
  }
}

/** Decides where a payload is decoded, and says so in the report. */
export async function chooseRoute(
  core: Core,
  operation: Operation,
  prepared: Prepared,
  payload: Payload,
  options: Pick<DecodeOptions, 'route'>,
): Promise<void> {
  const { route = core.options.route ?? 'auto' } = options;
  const { report } = operation;
  const bytes = sizeOf(payload);
  if (bytes !== undefined && bytes < core.inlineBelow && route !== 'worker') {
    report.why = 'small';
    return;
  }
  if (bytes !== undefined && route === 'auto' && report.as === 'objects' && readByEngine(prepared) && bytes <= bytesAtOnce(core)) {
    report.why = 'parsed in one go';
    return;
  }
  const { ready, startMs } = core.pool;
  const question = { route, as: report.as, format: prepared.entry.id, bytes, ready, startMs };
  // For rows of another format than JSON, its code has to be loaded here first.
  const mayLook = report.as === 'objects' || readByEngine(prepared) || core.router.mayLackRecords(prepared.entry.id);
  const looks = mayLook && core.router.dependsOnRecords(question);
  const sample = looks ? await sampleOf(core, operation, prepared, payload) : undefined;
  const choice = core.router.choose({ ...question, sample });
  report.route = choice.route;
  report.why = choice.why;
  if (choice.warm) core.pool.warm([prepared.entry.id]).catch(() => {});
}

/** What the list is like, by the schema or a look at the first records. */
async function sampleOf(core: Core, operation: Operation, prepared: Prepared, payload: Payload): Promise<ListForm | undefined> {
  if (readByEngine(prepared)) return sampleJson(payload.bytes) ?? NO_LIST;
  const { format, readers } = await readyFormat(core, operation, prepared);
  assertWhole(payload, prepared.entry.id);
  return format.listForm?.(prepared.schema?.compiled) ?? readers.sample(payload.bytes, settingOf(prepared, format));
}

/** Bytes in all; undefined where they are not known. */
function sizeOf({ bytes, input, compression }: Payload): number | undefined {
  if (compression) return undefined;
  return input ? input.size || undefined : bytes.length;
}
