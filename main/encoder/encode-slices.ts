import type { Source } from '../../core/values/sources.ts';
import type { EncodeSession } from '../../core/writing/encode.ts';
import { thrown } from '../../core/writing/thrown.ts';
import { Slicer } from '../../core/slicing/slicer.ts';
import type { MadeWriter } from './make-writer.ts';
import type { EncodeSettings } from './options.ts';

type Chunk = Uint8Array<ArrayBuffer>;

/** Items that arrive one by one. */
export interface IncomingItems {
  next(): PromiseLike<IncomingItem> | IncomingItem;
  /** Tells the source that no more items are needed. */
  close(reason: unknown): unknown;
}

interface IncomingItem {
  readonly done?: boolean | undefined;
  readonly value?: unknown;
}

/** Input of an encode: one value, or the items of a list as they arrive. */
export type EncodeInput = { readonly value: unknown } | { readonly items: IncomingItems };

/** Emits the bytes of an encode. */
export interface ChunkSource {
  /** Resolves to the next chunk; undefined after the last one. Rejects with an EncodeError or the signal's reason. */
  next(): Promise<Chunk | undefined>;
  /** Discards the rest. */
  cancel(reason?: unknown): Promise<void>;
}

/** A stream of Node, as far as it is used here. */
interface NodeStream {
  readonly pipe: unknown;
  destroy(this: unknown): void;
}

/** Returns the items of a source. */
export function itemsOf(source: Source): IncomingItems {
  if ('getReader' in source) {
    // Not every engine can iterate over streams.
    let reader: ReadableStreamDefaultReader<unknown> | undefined;
    const read = (): ReadableStreamDefaultReader<unknown> => (reader ??= source.getReader());
    return { next: () => read().read(), close: (reason) => read().cancel(reason) };
  }
  let iterator: AsyncIterator<unknown> | Iterator<unknown> | undefined;
  const iterate = (): AsyncIterator<unknown> | Iterator<unknown> =>
    (iterator ??= Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]());
  const close = (): unknown => {
    // The iterator of a Node stream closes the stream only if it was begun, and after a pending item.
    const { pipe, destroy } = source as Partial<NodeStream>;
    if (pipe) destroy?.call(source);
    return iterate().return?.();
  };
  return { next: () => iterate().next(), close };
}

/** Settles as a promise does, or rejects with the signal's reason as soon as it aborts: the promise may never settle. */
export async function orAborted(promise: Promise<unknown>, signal: AbortSignal): Promise<void> {
  let abort!: () => void;
  const aborted = new Promise<void>((resolve) => (abort = resolve));
  signal.addEventListener('abort', abort);
  if (signal.aborted) abort();
  try {
    await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
  signal.throwIfAborted();
}

/** Closes a source of items without waiting for it, since it may fail or never answer. */
export function closeItems(items: IncomingItems | undefined, reason: unknown): void {
  void (async () => await items?.close(reason))().catch(() => {});
}

/**
 * Writes a value in slices. A slice may span several calls of `next`; otherwise a stream read to its end in microtasks
 * would block the thread. Closes the source of items after an error, an abort or `cancel`, even while waiting for an
 * item.
 */
export class EncodeSlices implements ChunkSource {
  readonly #session: EncodeSession;
  readonly #slicer: Slicer;
  readonly #options: EncodeSettings;
  readonly #id: string;
  /** Undefined once the source has ended or was closed. */
  #items: IncomingItems | undefined;
  /** Number of items received. */
  #count = 0;
  /** Ends the wait for an item. */
  #interrupt: ((reason: unknown) => void) | undefined;
  #ready: Chunk[] = [];
  /** Bytes written before the current run of the session. */
  #writtenBefore = 0;

  constructor({ writer, id }: MadeWriter, input: EncodeInput, options: EncodeSettings) {
    this.#slicer = new Slicer(options.signal);
    // Also stops after each chunk; otherwise a fast thread would write many chunks per slice before they are requested.
    this.#session = writer.session(id, () => this.#session.written > this.#writtenBefore || this.#slicer.due());
    this.#options = options;
    this.#id = id;
    if ('items' in input) {
      this.#items = input.items;
      options.signal?.addEventListener('abort', this.#abort);
    } else this.#session.write(input.value);
  }

  async next(): Promise<Chunk | undefined> {
    try {
      this.#options.signal?.throwIfAborted();
      while (this.#ready.length === 0 && !this.#session.isWhole) {
        if (this.#session.isIdle) await this.#addItem();
        this.#slicer.begin();
        if (this.#slicer.due()) await this.#slicer.pause();
        this.#writtenBefore = this.#session.written;
        this.#session.run();
        this.#ready = this.#session.take();
        this.#options.onProgress?.({ writtenBytes: this.#session.written });
      }
    } catch (error) {
      this.#fail(error);
      throw error;
    }
    return this.#ready.shift();
  }

  async cancel(reason: unknown): Promise<void> {
    // A generator with a pending `next` cannot be closed until that call settles.
    if (this.#interrupt) this.#fail(reason);
    else await this.#release(reason)?.close(reason);
  }

  async #addItem(): Promise<void> {
    const { done, value } = await this.#nextItem();
    this.#interrupt = undefined;
    this.#options.signal?.throwIfAborted();
    if (!done) return this.#session.add([value]);
    this.#release(undefined);
    this.#session.close();
  }

  async #nextItem(): Promise<IncomingItem> {
    const items = this.#items;
    if (!items) throw new DOMException('The encode was cancelled', 'AbortError');
    return await new Promise((resolve, reject) => {
      this.#interrupt = reject;
      const path = [this.#count++];
      const fail = (cause: unknown): void => {
        // A source that has failed counts as closed.
        this.#interrupt = undefined;
        this.#release(undefined);
        reject(thrown(cause, 'the source', { format: this.#id, path }));
      };
      // An async function, since `next` may throw.
      (async () => items.next())().then(resolve, fail);
    });
  }

  readonly #abort = (): void => this.#fail(this.#options.signal!.reason);

  /** Detaches the source, and closes it without waiting. */
  #fail(reason: unknown): void {
    closeItems(this.#release(reason), reason);
  }

  /** Detaches the source, and rejects a pending wait for its next item. Returns the source if it must be closed. */
  #release(reason: unknown): IncomingItems | undefined {
    const items = this.#items;
    this.#items = undefined;
    this.#options.signal?.removeEventListener('abort', this.#abort);
    this.#interrupt?.(reason);
    this.#interrupt = undefined;
    return items;
  }
}
