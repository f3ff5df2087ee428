import { announced, checkLength, lengthOf, readError } from '../../core/bytes/byte-input.ts';
import { HEAD_BYTES } from '../../core/formats/detect.ts';
import { resolveLimits } from '../../core/limits.ts';
import { LOOK_BYTES } from '../../core/slicing/tuning.ts';
import { claimsBlock } from '../block/is-block.ts';
import type { DecoderState } from '../call/decoder-state.ts';
import { checkCompression } from '../call/options/check.ts';
import { compressionOf, opened, type Payload } from '../call/input/payload.ts';
import { checkBeforeOpening, SourceInput } from '../call/input/source-input.ts';
import { isJson } from '../call/choose-format.ts';
import { canSliceJson, loadJsonSlices } from '../call/json-slices.ts';
import type { Operation } from '../call/operation.ts';
import type { DecodeOptions, DecodeSource } from '../call/options/options.ts';
import { SHORT_BODY_BYTES } from '../call/tuning.ts';

/** Begins to read a source other than uncompressed bytes; reads a short one to its end. */
export async function openPayload(core: DecoderState, operation: Operation, source: DecodeSource, options: DecodeOptions): Promise<Payload> {
  checkBeforeOpening(operation, source);
  if (claimsBlock(source)) {
    const { isOwn, openBlock } = await import('../block/open.ts');
    if (await isOwn(core, source, options)) return { ...opened(new Uint8Array(0)), open: () => openBlock(core, operation, source, options) };
  }
  const compression = compressionOf(source, options);
  if (isShort(core, source, options, compression)) {
    return opened(await readWhole(source as Blob | Response));
  }
  const input = new SourceInput(source, options, () => operation.rows);
  operation.signal.addEventListener('abort', () => input.cancel(operation.signal.reason));
  checkCompression(options.compression);
  const keeps = core.options.keepBodies === true;
  const toWorker = (options.route ?? core.options.route) === 'worker';
  // Long rows mostly go to a worker.
  const needsSlices = operation.report.as === 'objects' && !toWorker && !compression && !canSliceJson() && isJson(source, options);
  const isLong = input.size >= SHORT_BODY_BYTES;
  if (needsSlices && isLong) loadJsonSlices().catch(() => {});
  let bytes = await input.head(keeps ? Infinity : toWorker ? HEAD_BYTES : Math.max(LOOK_BYTES, core.syncBelow));
  if (needsSlices && !isLong && !input.ended) {
    loadJsonSlices().catch(() => {});
    // A short body whose length is not announced is parsed in one step, without waiting for the code.
    bytes = await input.head(SHORT_BODY_BYTES);
  }
  if (compression) {
    const { headOf, unpack } = await import('../call/input/unpack.ts');
    const limits = resolveLimits(options.limits, core.limits);
    if (input.ended) return opened(await unpack(bytes, limits));
    return { ...opened(await headOf(input, limits)), input, compression };
  }
  return { ...opened(bytes), input: input.ended ? undefined : input };
}

/** Reads all bytes of a source. Reasons of aborts and errors of the caller's streams are thrown unchanged. */
async function readWhole(source: Blob | Response): Promise<Uint8Array<ArrayBuffer>> {
  const { bodyUsed, status, headers } = source as Partial<Response>;
  try {
    const bytes = new Uint8Array(await source.arrayBuffer());
    if (headers) checkLength(bytes.length, announced(source as Response), status);
    return bytes;
  } catch (error) {
    throw bodyUsed ? error : readError(error, 0, status);
  }
}

/** True if a source is best read in one step: it is known to be short, or is kept, and no option watches its progress. */
function isShort(core: DecoderState, source: DecodeSource, options: DecodeOptions, compression: 'zstd' | undefined): boolean {
  if (compression) return false;
  if (typeof (source as Partial<Blob> | undefined)?.arrayBuffer !== 'function') return false;
  if (options.onProgress || options.stallTimeout !== undefined) return false;
  // The panel shows whole bodies.
  if (core.options.keepBodies) return true;
  const { size, headers } = source as Partial<Blob> & Partial<Response>;
  const length = size ?? (headers ? lengthOf(headers) : 0);
  return length > 0 && length < Math.max(SHORT_BODY_BYTES, core.syncBelow);
}
