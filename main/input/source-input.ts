import { announced, ByteInput, type ByteSource, readBody } from '../../worker/byte-input.ts';
import type { DecodeSource } from '../decoder/options.ts';
import { bytesOf, requestEnds } from './sources.ts';
import { takeBody } from './fetched-body.ts';
import { FetchedInput } from './fetched-input.ts';
import { type InputOptions, type PayloadInput, progressOf } from './payload-input.ts';

/** Bytes of a buffer that are copied for the worker at once. */
const COPY_BYTES = 256 * 1024;

/** Opens any source. The body of a response that a worker has stays there, unless it is wanted `here`. */
export function openBytes(source: DecodeSource, options: InputOptions, here: boolean): PayloadInput {
  const fetched = here ? undefined : takeBody(source);
  return fetched ? new FetchedInput(fetched, options) : new SourceInput(source, options);
}

/** The bytes of a source that is read on this thread. */
class SourceInput extends ByteInput implements PayloadInput {
  rows: () => number = () => 0;
  readonly #end: ((reason: unknown) => void) | undefined;

  constructor(source: DecodeSource, { stallTimeout, onProgress, transfer }: InputOptions) {
    const { from, size, own } = open(source);
    super(from, { size, own: own || transfer === true, stallTimeout });
    this.#end = requestEnds.get(source);
    if (onProgress) this.moved = () => onProgress(progressOf(this));
  }

  override cancel(reason: unknown): void {
    if (!this.ended) this.#end?.(reason);
    super.cancel(reason);
  }
}

/** What a source is read from, the bytes that it announces, and whether its chunks are nobody else's. */
function open(source: DecodeSource): { from: ByteSource; size: number; own: boolean } {
  const bytes = bytesOf(source);
  if (bytes) return { from: sliced(bytes), size: bytes.length, own: true };
  const { body } = source as Response;
  const response = body === null || typeof body?.getReader === 'function';
  const blob = !response && typeof (source as Blob | undefined)?.stream === 'function';
  const stream = response ? body : blob ? (source as Blob).stream() : (source as ReadableStream<Uint8Array>);
  if (stream !== null && typeof stream?.getReader !== 'function') {
    throw new TypeError('What is to be decoded must be an ArrayBuffer, a view of one, a Blob, a Response or a ReadableStream');
  }
  if (response && (source as Response).bodyUsed) throw new TypeError('The body of the response was read already');
  const reader = (): ByteSource => (response ? readBody(body as ReadableStream<Uint8Array<ArrayBuffer>>) : stream!.getReader());
  return {
    from: stream === null ? sliced(new Uint8Array(0)) : reader(),
    size: blob ? (source as Blob).size : response ? announced(source as Response) : 0,
    own: response || blob,
  };
}

/** Copies of a buffer's bytes, piece by piece. */
function sliced(bytes: Uint8Array<ArrayBuffer>): ByteSource {
  let at = 0;
  return {
    read: async () => {
      if (at >= bytes.length) return { done: true, value: undefined };
      const value = bytes.slice(at, at + COPY_BYTES);
      at += value.length;
      return { done: false, value };
    },
    cancel: async () => {},
  };
}
