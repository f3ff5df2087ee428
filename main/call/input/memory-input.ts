import { detached } from '../../../core/bytes/bytes-in.ts';
import type { WorkerInput } from '../../pool/task.ts';
import { copies, type MemoryBytes } from './source-input.ts';

/** Bytes copied for a worker in one step: under a millisecond. */
const COPY_BYTES = 1024 * 1024;

/** A payload in memory as the input of a worker: its buffer, if that may be transferred, or copies of its bytes. */
export class MemoryInput implements WorkerInput {
  readonly size: number;
  readonly notRetryable: boolean;
  readonly #source: MemoryBytes;
  readonly #transferable: boolean;
  #copies: Generator<Uint8Array<ArrayBuffer>, void> | undefined;

  /** `transferable`: the buffer may be transferred; `notRetryable`: it is the caller's (see `WorkerInput`). */
  constructor(source: MemoryBytes, { transferable, notRetryable }: { transferable: boolean; notRetryable: boolean }) {
    this.#source = source;
    this.#transferable = transferable;
    this.notRetryable = transferable && notRetryable;
    this.size = source.bytes.length;
  }

  whole(): Uint8Array<ArrayBuffer> | undefined {
    const { bytes, format } = this.#source;
    if (bytes.length !== this.size) throw detached(format);
    if (this.#transferable) return bytes;
    return this.size <= COPY_BYTES ? bytes.slice() : undefined;
  }

  async next(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    this.#copies ??= copies(this.#source, COPY_BYTES);
    return this.#copies.next().value ?? undefined;
  }

  cancel(): void {}
}
