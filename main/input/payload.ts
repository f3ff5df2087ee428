import { readError } from '../../core/bytes/byte-input.ts';
import { detached } from '../../core/bytes/bytes-in.ts';
import { HEAD_BYTES } from '../../core/formats/detect.ts';
import type { FormatId } from '../../core/formats/registry.ts';
import { resolveLimits } from '../../core/limits.ts';
import { claimsBlock } from '../block/is-block.ts';
import type { DecoderState } from '../decoder/decoder-state.ts';
import type { Operation } from '../decoder/operation.ts';
import type { DecodeOptions, DecodeSource } from '../decoder/options/options.ts';
import { SourceInput } from './source-input.ts';
import { mediaTypeOf } from './sources.ts';
import { LOOK_BYTES, SHORT_BODY_BYTES } from '../decoder/tuning.ts';

/** An open payload: all its bytes, or the first of them and the input that gives the others. */
export interface Payload {
  /** All bytes, or the first ones, which `input` gives again. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Their number when the payload was opened: the caller may transfer the buffer away later. */
  readonly length: number;
  /** True if the buffer may be transferred to a worker. */
  readonly transferable: boolean;
  /** True if the buffer is the caller's: see `WorkerInput`. */
  readonly notRetryable: boolean;
  readonly input?: SourceInput | undefined;
  /** Compression of `input`; `bytes` are uncompressed. */
  readonly compression?: 'zstd' | undefined;
  /** Opens the block of a service worker, for which `bytes` are empty. */
  readonly open?: (() => Promise<unknown>) | undefined;
}

/** Compression of a source, by the option or the media type. */
export function compressionOf(source: DecodeSource, { compression }: Pick<DecodeOptions, 'compression'>): 'zstd' | undefined {
  return compression ?? (mediaTypeOf(source) === 'application/zstd' ? 'zstd' : undefined);
}

/** Opens the bytes of a caller. */
export function openBytes(bytes: Uint8Array<ArrayBuffer>, { transfer }: Pick<DecodeOptions, 'transfer'>): Payload {
  return { bytes, length: bytes.length, transferable: transfer === true, notRetryable: true };
}

/** Begins to read a source other than uncompressed bytes; reads a short one to its end. */
export async function openPayload(core: DecoderState, operation: Operation, source: DecodeSource, options: DecodeOptions): Promise<Payload> {
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
  const keeps = core.options.keepBodies === true;
  const bytes = await input.head(
    keeps ? Infinity : (options.route ?? core.options.route) === 'worker' ? HEAD_BYTES : Math.max(LOOK_BYTES, core.syncBelow),
  );
  if (compression) {
    const { headOf, unpack } = await import('./unpack.ts');
    const limits = resolveLimits(options.limits, core.limits);
    if (input.ended) return opened(await unpack(bytes, limits));
    return { ...opened(await headOf(input, limits)), input, compression };
  }
  return { ...opened(bytes), input: input.ended ? undefined : input };
}

/** A payload of bytes that nothing else refers to. */
export function opened(bytes: Uint8Array<ArrayBuffer>): Payload {
  return { bytes, length: bytes.length, transferable: true, notRetryable: false };
}

/** Uncompressed size of a payload in bytes; undefined if unknown. */
export function sizeOf({ bytes, input, compression }: Payload): number | undefined {
  if (compression) return undefined;
  return input ? input.size || undefined : bytes.length;
}

/** Throws a DecodeError if the buffer of a payload was transferred away since it was opened. */
export function assertWhole({ bytes, length }: Payload, format?: FormatId): void {
  if (bytes.length !== length) throw detached(format);
}

/** Reads all bytes of a source. Reasons of aborts and errors of the caller's streams are thrown unchanged. */
async function readWhole(source: Blob | Response): Promise<Uint8Array<ArrayBuffer>> {
  const { bodyUsed, status } = source as Partial<Response>;
  try {
    return new Uint8Array(await source.arrayBuffer());
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
  const length = size ?? (headers?.has('content-encoding') ? 0 : Number(headers?.get('content-length')));
  return length > 0 && length < Math.max(SHORT_BODY_BYTES, core.syncBelow);
}
