import { HEAD_BYTES } from '../../worker/detect.ts';
import { isBlock } from '../block/type.ts';
import { type Core, formatOptions, limitsOf } from '../decoder/core.ts';
import { chooseFormat, isTyped, urlOf } from '../decoder/detect.ts';
import type { DecodeReport } from '../decoder/observe.ts';
import { compressionOf } from '../input/open-source.ts';
import type { Operation } from '../decoder/operation.ts';
import type { BatchOptions, DecodeSource } from '../decoder/options.ts';
import { buildTools } from '../decoder/tools.ts';
import { Assembler } from './assembler.ts';
import { BatchFeed } from './feed.ts';
import { decodeBatches } from './inline-batches.ts';
import { openBytes } from '../input/source-input.ts';
import { PoolBatches } from './pool-batches.ts';

/** Begins to decode a payload into batches. */
export async function startBatches(
  core: Core,
  operation: Operation,
  source: DecodeSource,
  options: BatchOptions,
  report: DecodeReport,
): Promise<BatchFeed> {
  report.url = urlOf(source);
  report.label ??= report.url;
  if (isBlock(source)) return (await import('../block/batches.ts')).openBatches(core, operation, source, options, report);
  const here = options.route === 'inline' || core.inlineBelow === Infinity;
  const input = openBytes(source, options, here);
  operation.stop = (reason) => input.cancel(reason);
  try {
    const named = options.format ?? core.schemas.formatOf(options.schema);
    const head = await input.head(named !== undefined || isTyped(source) ? 1 : HEAD_BYTES);
    check(operation);
    const compression = compressionOf(source, options);
    const limits = limitsOf(core, options);
    const first = compression && named === undefined ? await (await import('../input/unpack.ts')).headOf(input, limits) : head;
    const length = input.ended ? input.received : input.size || undefined;
    const { entry, sequence } = chooseFormat(named, source, first, compression ? undefined : length);
    report.format = entry.id;
    const schema = core.schemas.resolve(options.schema, entry);
    report.schema = schema?.name;
    const reading = formatOptions(core, entry, options, sequence);
    const tools = buildTools.get(entry.id) ?? (await buildTools.load(entry));
    if (schema) await core.schemas.compile(schema, tools.format);
    // It looks at the first bytes too.
    if (tools.format.prepare) await input.head(HEAD_BYTES);

    const assembler = new Assembler({
      as: report.as,
      revive: tools.code.fullRevive(tools.format, options.revive ?? core.options.revive),
    });
    input.rows = () => assembler.items;
    const feed = new BatchFeed(operation, assembler, options.buildMs);
    operation.ended = () => {
      report.bytes = input.received;
      report.rows = assembler.items;
      report.materialiseMs = assembler.materialiseMs;
      report.longestSliceMs = assembler.longestSliceMs;
    };
    const batches = { path: pathOf(options.path), items: options.rows };
    const small = !input.fetched && (input.ended || (input.size > 0 && input.size < core.inlineBelow));
    if (here || (small && options.route !== 'worker')) {
      check(operation);
      operation.stop = (reason) => {
        input.cancel(reason);
        feed.abandon(reason);
      };
      const setting = { id: entry.id, format: tools.format, options: reading, limits, schema: schema?.compiled };
      const plain = compression ? await (await import('../input/unpack.ts')).unpacked(input, limits) : input;
      void decodeBatches(setting, batches, plain, feed, assembler);
      return feed;
    }
    report.route = 'worker';
    const { pool } = await core.workers.get();
    check(operation);
    const job = { format: entry.id, options: reading, schema: schema?.id, limits, compression, batches };
    const compiled = schema && { id: schema.id, compiled: schema.compiled };
    const task = new PoolBatches(job, input, compiled, { pool, feed, assembler, report });
    operation.stop = (reason) => task.stop(reason);
    task.submit();
    return feed;
  } catch (error) {
    input.cancel(error);
    throw error;
  }
}

/** The keys of a path: a string is one key, or several with dots between. */
function pathOf(path: string | readonly string[] | undefined): string[] {
  if (path === undefined || path === '') return [];
  return typeof path === 'string' ? path.split('.') : [...path];
}

/** Throws where the operation has ended meanwhile. */
function check(operation: Operation): void {
  if (operation.settled) throw operation.reason;
}
