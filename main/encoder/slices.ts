import type { EncodeSession } from '../../worker/encode.ts';
import { Slicer } from '../slicing/slicer.ts';
import type { MadeWriter } from './make-writer.ts';
import type { EncodeOptions } from './options.ts';

type Chunk = Uint8Array<ArrayBuffer>;

/** Items that come one by one: of an AsyncIterator what is used here. */
export interface ComingItems {
  next(): Promise<{ readonly done?: boolean | undefined; readonly value?: unknown }>;
  return?(): Promise<unknown>;
}

/** What is encoded: one value, or the items of a list as they come. */
export type EncodeInput = { readonly value: unknown } | { readonly items: ComingItems };

/** Gives out the bytes of an encode. */
export interface ChunkSource {
  /** Resolves to the next chunk; undefined after the last one. Rejects with an EncodeError or the signal's reason. */
  next(): Promise<Chunk | undefined>;
  /** Nobody wants the rest. */
  cancel(reason?: unknown): Promise<void>;
}

/**
 * Writes a value in slices of the thread's time. The slice goes on over several calls of `next`: a stream that is read to
 * its end in microtasks would keep the thread otherwise.
 */
export class EncodeSlices implements ChunkSource {
  readonly #session: EncodeSession;
  readonly #items: ComingItems | undefined;
  readonly #slicer: Slicer;
  readonly #options: EncodeOptions;
  #ready: Chunk[] = [];
  /** Bytes that were written when the session last began to run. */
  #before = 0;

  constructor({ writer, id }: MadeWriter, input: EncodeInput, options: EncodeOptions) {
    this.#slicer = new Slicer(options.signal);
    // Stops after each chunk as well: a fast thread would write many in a slice that nobody has asked for.
    this.#session = writer.session(id, () => this.#session.written > this.#before || this.#slicer.due());
    this.#options = options;
    if ('items' in input) this.#items = input.items;
    else this.#session.write(input.value);
  }

  async next(): Promise<Chunk | undefined> {
    this.#options.signal?.throwIfAborted();
    while (this.#ready.length === 0 && !this.#session.isWhole) {
      if (this.#session.isIdle) await this.#addItem();
      this.#slicer.begin();
      if (this.#slicer.due()) await this.#slicer.pause();
      this.#before = this.#session.written;
      this.#session.run();
      this.#ready = this.#session.take();
      this.#options.onProgress?.({ writtenBytes: this.#session.written });
    }
    return this.#ready.shift();
  }

  async #addItem(): Promise<void> {
    const { done, value } = await this.#items!.next();
    this.#options.signal?.throwIfAborted();
    if (done) this.#session.close();
    else this.#session.add([value]);
  }

  async cancel(): Promise<void> {
    await this.#items?.return?.();
  }
}
