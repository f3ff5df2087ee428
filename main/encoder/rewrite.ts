import type { ByteInput } from '../../worker/bytes/byte-input.ts';
import type { SessionSetting } from '../../worker/decode.ts';
import type { EncodeSession } from '../../worker/encode.ts';
import type { Revive } from '../../worker/events/revive.ts';
import { ReaderSlices } from '../in-place/reader-slices.ts';
import { Slicer } from '../slicing/slicer.ts';
import type { MadeWriter } from './make-writer.ts';
import type { Put } from './stream-of.ts';

/** The bytes of a payload as they come; undefined after the last. */
export type Input = Pick<ByteInput, 'next' | 'cancel'>;

/** How a payload is read, and what writes it anew. */
export interface Rewriting {
  readonly reading: SessionSetting;
  /** Makes the values of tags before the format's own way does. */
  readonly revive: Revive | undefined;
  readonly writing: MadeWriter;
  readonly signal: AbortSignal;
}

/**
 * Does what reads an input. The input is cancelled where that fails, or the signal says so; then it rejects with the signal's
 * reason.
 */
export async function readFrom(input: Input, signal: AbortSignal, read: () => Promise<void>): Promise<void> {
  const stop = (): void => input.cancel(signal.reason);
  signal.addEventListener('abort', stop);
  try {
    signal.throwIfAborted();
    await read();
  } catch (error) {
    input.cancel(error);
    throw signal.aborted ? signal.reason : error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/**
 * Reads a payload and writes it in another format, while its bytes come, in slices of the calling thread. The items of a list
 * at the root are written as they are read, where the format that is written can hold a list whose length is not known
 * before its end; then no more than a slice of it is in memory. Other values are read as a whole first.
 */
export async function rewrite(input: Input, { reading, revive, writing, signal }: Rewriting, put: Put): Promise<void> {
  const slicer = new Slicer(signal);
  const { writer, id, takesItems } = writing;
  const written = new Written(
    writer.session(id, () => slicer.due()),
    slicer,
    put,
  );
  const take = (items: unknown[]): Promise<void> => written.add(items);
  const reader = new ReaderSlices(reading, revive, slicer, takesItems ? { items: { path: [], take } } : {});
  await readFrom(input, signal, async () => {
    for (let chunk = await input.next(); chunk !== undefined; chunk = await input.next()) {
      signal.throwIfAborted();
      await reader.push(chunk);
    }
    signal.throwIfAborted();
    const value = await reader.end();
    await (reader.found ? written.close() : written.write(value));
  });
}

/** What is written in slices, and put out as it is final. */
class Written {
  readonly #session: EncodeSession;
  readonly #slicer: Slicer;
  readonly #put: Put;

  constructor(session: EncodeSession, slicer: Slicer, put: Put) {
    this.#session = session;
    this.#slicer = slicer;
    this.#put = put;
  }

  async write(value: unknown): Promise<void> {
    this.#session.write(value);
    await this.#run();
  }

  async add(items: readonly unknown[]): Promise<void> {
    this.#session.add(items);
    await this.#run();
  }

  async close(): Promise<void> {
    this.#session.close();
    await this.#run();
  }

  async #run(): Promise<void> {
    while (!this.#session.isIdle) {
      this.#slicer.begin();
      if (this.#slicer.due()) await this.#slicer.pause();
      this.#session.run();
      for (const chunk of this.#session.take()) await this.#put(chunk);
    }
    this.#slicer.end();
  }
}
