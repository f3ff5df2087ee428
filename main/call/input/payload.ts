import { detached } from '../../../core/bytes/bytes-in.ts';
import type { FormatId } from '../../../core/format/format-id.ts';
import type { DecodeOptions, DecodeSource } from '../options/options.ts';
import type { SourceInput } from './source-input.ts';
import { mediaTypeOf } from './sources.ts';

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
