import type { Core } from '../decoder/core.ts';
import type { Operation } from '../decoder/operation.ts';
import type { DecodeOptions, DecodeSource } from '../decoder/options.ts';
import type { Payload, SourceBytes } from './sources.ts';
import { isFetched } from './fetched-body.ts';

/** What a source is compressed with, as the caller or its media type says. */
export function compressionOf(source: DecodeSource, { compression }: DecodeOptions): 'zstd' | undefined {
  const type = (source as Partial<Response>).headers?.get('content-type') ?? (source as Partial<Blob>).type;
  return compression ?? (type === 'application/zstd' ? 'zstd' : undefined);
}

/** What is to be decoded: all bytes, or, where they still come and a worker can decode them meanwhile, the first. */
export async function openSource(core: Core, operation: Operation, source: DecodeSource, options: DecodeOptions): Promise<Payload> {
  if (!isStreamed(core, source, options)) return readSource(source as Blob);
  const { openInput } = await import('./open-input.ts');
  return openInput(core, operation, source, options);
}

/**
 * Whether a source that is no buffer is to be decoded while it comes: one that is not known to be small, or a part of
 * what somebody wants to watch or to keep.
 */
function isStreamed({ inlineBelow, options: { keepBodies } }: Core, source: DecodeSource, options: DecodeOptions): boolean {
  if (isFetched(source) || options.onProgress || options.stallTimeout !== undefined || compressionOf(source, options)) return true;
  if (keepBodies || options.route === 'inline' || inlineBelow === Infinity || typeof (source as Blob).size === 'number') return false;
  const { headers } = source as Partial<Response>;
  const length = headers?.get('content-length');
  return !length || Number(length) >= inlineBelow;
}

/** Reads a source that is no buffer to its end. */
async function readSource(source: Exclude<DecodeSource, ArrayBufferLike | ArrayBufferView>): Promise<SourceBytes> {
  if (typeof (source as Blob | undefined)?.arrayBuffer === 'function') {
    return { bytes: new Uint8Array(await (source as Blob | Response).arrayBuffer()), own: true };
  }
  if (typeof (source as ReadableStream | undefined)?.getReader === 'function') {
    return { bytes: new Uint8Array(await new Response(source as ReadableStream).arrayBuffer()), own: true };
  }
  throw new TypeError('What is to be decoded must be an ArrayBuffer, a view of one, a Blob, a Response or a ReadableStream');
}
