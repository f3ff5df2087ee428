import { VERSION } from '../../core/block/block.ts';
import { DecodeError, PlacedError } from '../../core/errors.ts';
import type { FormatId } from '../../core/format/format-id.ts';
import { formatEntry } from '../../core/formats/registry.ts';
import { type Limits, resolveLimits } from '../../core/limits.ts';
import type { DecoderState } from '../call/decoder-state.ts';
import { lazyReading } from '../call/lazy-reading.ts';
import type { Operation } from '../call/operation.ts';
import type { DecodeOptions } from '../call/options/options.ts';
import { Materialiser, type MaterialiseOptions } from '../rows/materialise.ts';
import { Slicer } from '../../core/slicing/slicer.ts';
import { hasOwnBlock } from './key.ts';
import { type PlacedPart, readBlockOf } from './kept.ts';
import { readParts } from './part-stream.ts';
import { parseBlockType } from './type.ts';
import { BlockVerifier } from './verify/verify.ts';

/** Options for reading a block. */
export interface BlockReading extends Pick<MaterialiseOptions, 'revive' | 'readItems' | 'prepare' | 'emptyCells'> {
  id: FormatId;
  limits: Limits;
}

/** Opens a block that a service worker has decoded. Resolves to the result: to the previous value if the block is the same. */
export async function openBlock(core: DecoderState, operation: Operation, source: Response, options: DecodeOptions): Promise<unknown> {
  if (!('previous' in options)) return await openParts(core, operation, source, options);
  const { openAgain } = await import('./open-again.ts');
  return await openAgain(core, operation, source, options, (onPart) => openParts(core, operation, source, options, onPart));
}

/** `onPart` is called with the bytes of each part, before they are used. */
async function openParts(
  core: DecoderState,
  operation: Operation,
  source: Response,
  options: DecodeOptions,
  onPart?: (bytes: Uint8Array<ArrayBuffer>) => void,
): Promise<unknown> {
  const { report } = operation;
  const parts = partsOf(source, report.as !== 'objects');
  try {
    const reading = readingOf(core, source, options);
    report.format = reading.id;
    const verifier = new BlockVerifier(reading.limits, false);
    const materialiser = new Materialiser({ as: report.as, ...reading });
    const progress = { bytes: 0, readMs: 0 };
    operation.measure(() => ({ ...progress, ...materialiser.stats, mainMs: materialiser.stats.materialiseMs }));
    operation.signal.addEventListener('abort', () => {
      materialiser.cancel(operation.signal.reason);
      source.body?.cancel(operation.signal.reason).catch(() => {});
    });
    const slicer = new Slicer();
    slicer.begin();
    for await (const { buffer, base, length } of parts) {
      operation.check();
      progress.bytes += length;
      onPart?.(new Uint8Array(buffer, base, length));
      const steps = verifier.part(buffer, base, length);
      while (!steps.next().done) if (slicer.due()) await slicer.pause();
      materialiser.push(buffer, base);
      if (slicer.due()) await slicer.pause();
    }
    verifier.end();
    progress.readMs = performance.now() - report.startTime;
    return await materialiser.done();
  } catch (error) {
    throw located(error, report.format);
  } finally {
    // Stops reading if not all parts are needed.
    parts.return().catch(() => {});
  }
}

/**
 * Checks whether a block comes from this origin's service worker. If not, the response is a payload of the format that
 * the call names; throws a DecodeError if it names none.
 */
export async function isOwn(core: DecoderState, source: Response, { format, schema }: Pick<DecodeOptions, 'format' | 'schema'>): Promise<boolean> {
  if (await hasOwnBlock(source)) return true;
  if ((format ?? core.schemas.formatOf(schema)) !== undefined) return false;
  const reason = 'the response claims to be a decoded block, but no service worker of this origin made it; set the option format, or clear the cache';
  throw new DecodeError('unknown-format', reason);
}

/** Determines how to read a block. Throws a DecodeError for an unknown format or version, and a TypeError for options that a block has no use for. */
export function readingOf(
  core: DecoderState,
  source: Response,
  options: Pick<DecodeOptions, 'limits' | 'reviveTag' | 'pick' | 'numbers' | 'invalidText'>,
): BlockReading {
  const unfit = (['pick', 'numbers', 'invalidText'] as const).find((name) => options[name] && options[name] !== 'error');
  if (unfit) {
    throw new TypeError(`the option ${unfit} is not for responses that a service worker has decoded: decode without it`);
  }
  const type = parseBlockType(source.headers.get('content-type'));
  const entry = type && formatEntry(type.format);
  if (!type || !entry) throw new DecodeError('unknown-format', `unknown kind of block: format ${type?.format}`);
  if (type.version !== VERSION) {
    throw new DecodeError('unsupported', `unsupported block version ${type.version}; expected ${VERSION}: clear the cache`);
  }
  const limits = resolveLimits(options.limits, core.limits);
  return { id: entry.id, limits, ...lazyReading({ entry, limits, revive: options.reviveTag ?? core.revive }) };
}

/** Adds the format of the block to an error. */
export function located(error: unknown, format: string | undefined): unknown {
  return error instanceof PlacedError ? error.locate({ format }) : error;
}

async function* partsOf(source: Response, sharesBuffers: boolean): AsyncGenerator<PlacedPart, void> {
  if (parseBlockType(source.headers.get('content-type'))?.form === 'block') yield* readBlockOf(source, sharesBuffers);
  else for await (const buffer of readParts(source)) yield { buffer, base: 0, length: buffer.byteLength };
}
