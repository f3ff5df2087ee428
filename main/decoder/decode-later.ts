import type { FormatEntry } from '../../worker/formats/registry.ts';
import { isBlock } from '../block/type.ts';
import { type Core, formatOptions, inPlace, limitsOf } from './core.ts';
import { decodeInPlace, LATER } from './decode-now.ts';
import { chooseFormat, urlOf } from './detect.ts';
import type { Materialiser } from '../materialise/index.ts';
import { countRows, type DecodeReport } from './observe.ts';
import type { Operation } from './operation.ts';
import type { DecodeOptions, DecodeSource } from './options.ts';
import { recordBody } from './record-body.ts';
import type { Schema } from './schemas.ts';
import { openSource } from '../input/open-source.ts';
import { bytesOf, detached, type Payload } from '../input/sources.ts';
import { buildTools, type FormatTools, inlineTools } from './tools.ts';

/** A payload, and all that was found out about how to decode it. */
export interface Work {
  core: Core;
  operation: Operation;
  options: DecodeOptions;
  report: DecodeReport;
  content: Payload;
  entry: FormatEntry;
  /** The format's options. */
  reading: object;
  schema: Schema | undefined;
}

/** Decodes a payload of any size from any source, and settles the operation. */
export async function decodeLater(
  core: Core,
  operation: Operation,
  source: DecodeSource,
  options: DecodeOptions,
  report: DecodeReport,
): Promise<void> {
  try {
    report.url = urlOf(source);
    report.label ??= report.url;
    if (isBlock(source)) {
      const { openBlock } = await import('../block/open.ts');
      await openBlock(core, operation, source, options, report);
      return;
    }
    const given = options.compression ? undefined : bytesOf(source);
    const content = given ? { bytes: given, own: options.transfer === true } : await openSource(core, operation, source, options);
    if (operation.settled) return;
    // Of an input that goes on, these are the first bytes.
    const { bytes, input }: Payload = content;
    report.bytes = bytes.length;
    report.readMs = performance.now() - report.startTime;
    if (core.options.keepBodies && report.url && !input) recordBody(report.id, bytes);
    const named = options.format ?? core.schemas.formatOf(options.schema);
    const { entry, sequence } = chooseFormat(named, source, bytes, input ? input.size || undefined : bytes.length);
    report.format = entry.id;
    const schema = core.schemas.resolve(options.schema, entry);
    report.schema = schema?.name;
    const reading = formatOptions(core, entry, options, sequence);
    const work: Work = { core, operation, options, report, content, entry, reading, schema };
    const here = !input && (bytes.length === 0 || inPlace(core, bytes.length, options));
    await (here ? runInPlace(work) : runInWorker(work));
  } catch (error) {
    operation.abandon(error);
  }
}

async function runInPlace(work: Work): Promise<void> {
  const { core, operation, options, report, content, entry, reading, schema } = work;
  const wait = performance.now();
  const plain = report.as === 'objects';
  if (plain && !schema) {
    const value = decodeInPlace(core, entry, reading, undefined, content.bytes, options);
    if (value !== LATER) {
      report.rows = countRows(value);
      operation.resolve(value);
      return;
    }
  }
  const tools = inlineTools.get(entry.id) ?? (await inlineTools.load(entry));
  if (schema) await core.schemas.compile(schema, tools.format);
  await tools.format.prepare?.(content.bytes);
  report.queueMs = performance.now() - wait;
  if (operation.settled) return;
  if (content.bytes.length !== report.bytes) throw detached(entry.id);
  if (plain) {
    const value = decodeInPlace(core, entry, reading, schema, content.bytes, options);
    report.rows = countRows(value);
    operation.resolve(value);
    return;
  }
  const materialiser = await makeMaterialiser(work);
  const setting = { id: entry.id, format: tools.format, options: reading, limits: limitsOf(core, options) };
  const parts = await tools.code.decodeParts({ ...setting, schema: schema?.compiled }, content.bytes);
  if (operation.settled) return;
  operation.stop = (reason) => materialiser.cancel(reason);
  for (const part of parts) materialiser.push(part);
  const value = await materialiser.done();
  Object.assign(report, materialiser.stats);
  operation.resolve(value);
}

async function runInWorker(work: Work): Promise<void> {
  const { core, operation, report, entry, schema } = work;
  const wait = performance.now();
  report.route = 'worker';
  const [{ pool, code }, materialiser] = await Promise.all([core.workers.get(), makeMaterialiser(work)]);
  if (schema) await core.schemas.compile(schema, buildTools.get(entry.id)!.format);
  report.queueMs = performance.now() - wait;
  if (!operation.settled) code.decodeInPool(work, materialiser, pool);
}

async function makeMaterialiser({ core, options, report, entry }: Work): Promise<Materialiser> {
  const tools: FormatTools<typeof import('./build.ts')> = buildTools.get(entry.id) ?? (await buildTools.load(entry));
  const revive = tools.code.fullRevive(tools.format, options.revive ?? core.options.revive);
  return new tools.code.Materialiser({ as: report.as, revive });
}
