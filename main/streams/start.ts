import { HEAD_BYTES } from '../../core/formats/detect.ts';
import { claimsBlock } from '../block/is-block.ts';
import { isJson, isTyped } from '../call/choose-format.ts';
import type { DecoderState } from '../call/decoder-state.ts';
import { loadFormat, loadWorkersFormat } from '../call/formats.ts';
import { loadJsonSlices } from '../call/json-slices.ts';
import { lazyReading } from '../call/lazy-reading.ts';
import { mayBeRaw } from '../run/in-worker.ts';
import type { Operation } from '../call/operation.ts';
import type { BatchOptions, DecodeSource } from '../call/options/options.ts';
import { OPEN, planDecode, reportPlan } from '../run/plan.ts';
import { jobOf, prepare, reportPrepared, shaping } from '../call/prepare.ts';
import { checkCompression } from '../call/options/check.ts';
import { compressionOf, opened, type Payload } from '../call/input/payload.ts';
import { SourceInput } from '../call/input/source-input.ts';
import type { StandardSchema, Validated } from '../call/options/standard-schema.ts';
import { Assembler } from './assembler.ts';
import { BatchFeed, type Feed } from './feed.ts';
import { SlicedBatches } from './sliced-batches.ts';
import { WorkerBatches } from './worker-batches.ts';

/** Starts to decode a payload into batches, whose items are checked if `options` has a schema for them. */
export async function startBatches(
  core: DecoderState,
  operation: Operation,
  source: DecodeSource,
  options: BatchOptions & Partial<Validated<StandardSchema>>,
): Promise<Feed> {
  const { validate: schema } = options;
  if (!schema) return start(core, operation, source, options);
  const [{ validBatches }, feed] = await Promise.all([import('../validate.ts'), start(core, operation, source, options)]);
  return validBatches(feed, schema, operation);
}

async function start(core: DecoderState, operation: Operation, source: DecodeSource, options: BatchOptions): Promise<BatchFeed> {
  const { report, signal } = operation;
  if ('previous' in options) {
    throw new TypeError('the option previous is not for batches or growingRows: which rows were kept is known only after the last one; use decode');
  }
  operation.opens(source);
  if (claimsBlock(source)) {
    const { isOwn, openBatches } = await import('./block-batches.ts');
    if (await isOwn(core, source, options)) {
      reportPlan(report, OPEN);
      return openBatches(core, operation, source, options);
    }
  }
  const input = new SourceInput(source, options, () => operation.rows);
  signal.addEventListener('abort', () => input.cancel(signal.reason));
  /** Error of a source that failed within its first bytes, thrown once the items before it are given. */
  let failure: { readonly error: unknown } | undefined;
  try {
    operation.measure(() => ({ bytes: input.received, readMs: (input.endedAt ?? performance.now()) - report.startTime }));
    checkCompression(options.compression);
    const compression = compressionOf(source, options);
    // The code comes while the first bytes do.
    if (isJson(source, options)) loadJsonSlices().catch(() => {});
    const bytes = await firstBytes(core, input, source, options, compression).catch((error: unknown) => {
      if (compression || input.received === 0) throw error;
      failure = { error };
      return failAfterHead(input, error);
    });
    operation.check();
    operation.head = bytes;
    const length = input.ended && !failure ? input.received : input.size || undefined;
    const prepared = await shaping(operation, prepare(core, source, options, bytes, compression ? undefined : length), options);
    if (prepared.shaping?.numbers) throw new TypeError('the option numbers is not for batches: decode the whole payload, or leave it out');
    const { entry, schema } = prepared;
    reportPrepared(report, prepared);
    const payload: Payload = { ...opened(bytes), input, compression };
    const plan = await planDecode(core, operation, prepared, payload, options);
    reportPlan(report, plan);
    operation.check();
    const batches = { path: pathOf(options.path), items: options.batchSize };
    if (plan.where !== 'worker') {
      const supply = new SlicedBatches(core, operation, prepared, payload, batches);
      const feed = new BatchFeed(operation, supply, options.buildMs);
      void supply.begin(feed);
      return feed;
    }
    if (!core.pool.ready) core.pool.warm().catch(() => {});
    const raw = mayBeRaw(prepared, report.as);
    // Nested records may arrive as bytes. Loads their reader while the worker decodes the first.
    if (raw && entry.id !== 'json') loadFormat(entry.id).catch(() => {});
    if (schema) await core.schemas.compile(schema, await loadWorkersFormat(entry.id, core.pool));
    const pool = await core.pool.load();
    operation.check();
    const assembler = new Assembler({ as: report.as, ...lazyReading(prepared) });
    operation.measure(() => assembler.stats);
    const supply = new WorkerBatches(operation, pool, input, jobOf(prepared, { compression, batches, raw }), assembler);
    const feed = new BatchFeed(operation, supply, options.buildMs);
    supply.begin(feed);
    return feed;
  } catch (error) {
    input.cancel(error);
    // The bytes before the failure may not suffice to choose a format.
    throw failure ? failure.error : error;
  }
}

/** Lets an input that has failed give the bytes before that, then the error. Resolves to these bytes. */
async function failAfterHead(input: SourceInput, error: unknown): Promise<Uint8Array<ArrayBuffer>> {
  const head = await input.head(1);
  let left: typeof head | undefined = head;
  input.next = async () => {
    const bytes = left;
    left = undefined;
    if (!bytes) throw error;
    return bytes;
  };
  return head;
}

/** First bytes of the payload, enough to detect the format if it is not given. Does not wait for a slow stream. */
async function firstBytes(
  core: DecoderState,
  input: SourceInput,
  source: DecodeSource,
  options: BatchOptions,
  compression: 'zstd' | undefined,
): Promise<Uint8Array<ArrayBuffer>> {
  const named = options.format ?? core.schemas.formatOf(options.schema);
  if (compression) {
    if (named !== undefined) return input.head(1);
    const { headOf } = await import('../call/input/unpack.ts');
    return headOf(input, core.limits);
  }
  return input.head(named !== undefined || isTyped(source) ? 1 : HEAD_BYTES);
}

/** Keys of a path: a string is one key, or several joined by dots. */
function pathOf(path: string | readonly string[] | undefined): string[] {
  if (path === undefined || path === '') return [];
  return typeof path === 'string' ? path.split('.') : [...path];
}
