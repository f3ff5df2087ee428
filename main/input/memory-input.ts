import type { WorkerInput } from '../pool/task.ts';
import { detached } from './sources.ts';

/** Bytes that are copied for a worker at once: under a millisecond. */
const COPY_BYTES = 1024 * 1024;

/** A payload that is there as a whole. */
interface MemoryBytes {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Its format, for errors. */
  readonly format?: string | undefined;
}

/** Copies of some bytes of a payload, one after the other. Throws a DecodeError where its buffer was detached meanwhile. */
export function* copies({ bytes, format }: MemoryBytes, size = COPY_BYTES): Generator<Uint8Array<ArrayBuffer>, void> {
  const { length } = bytes;
  for (let at = 0; at < length; at += size) {
    if (bytes.length !== length) throw detached(format);
    yield bytes.slice(at, at + size);
  }
}

/** A payload in memory, as a worker gets it: its buffer, where that may go, or copies of its bytes. */
export class MemoryInput implements WorkerInput {
  readonly size: number;
  readonly notRetryable: boolean;
  readonly #source: MemoryBytes;
  readonly #own: boolean;
  #copies: Generator<Uint8Array<ArrayBuffer>, void> | undefined;

  /** `own`: the buffer may be transferred; `precious`: it is the caller's (see `WorkerInput`). */
  constructor(source: MemoryBytes, { own, notRetryable }: { own: boolean; notRetryable: boolean }) {
    this.#source = source;
    this.#own = own;
    this.notRetryable = own && notRetryable;
    this.size = source.bytes.length;
  }

  whole(): Uint8Array<ArrayBuffer> | undefined {
    const { bytes, format } = this.#source;
    if (bytes.length !== this.size) throw detached(format);
    if (this.#own) return bytes;
    return this.size <= COPY_BYTES ? bytes.slice() : undefined;
  }

  async next(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    this.#copies ??= copies(this.#source);
    return this.#copies.next().value ?? undefined;
  }

  cancel(): void {}
}
