import type { ByteInput } from '../../../core/bytes/byte-input.ts';
import type { SessionSetting } from '../../../core/format/decode-session.ts';
import type { EncodeSession } from '../../../core/writing/encode.ts';
import type { ReviveTag } from '../../../core/reading/revive.ts';
import { SharedExpansion } from '../../../core/sinks/shared-expansion.ts';
import { ReaderSlices } from '../../../core/slicing/reader-slices.ts';
import { Slicer } from '../../../core/slicing/slicer.ts';
import type { MadeWriter } from '../make-writer.ts';
import { JsonParts } from './json.ts';
import { listTarget, type PartWriter, type Target } from './target.ts';
import type { Put } from '../stream-of.ts';

/** Bytes of a payload as they arrive; undefined after the last. */
export type Input = Pick<ByteInput, 'next' | 'cancel'>;

/** Parameters of a rewrite. */
export interface Rewriting {
  readonly reading: SessionSetting;
  /** Converts tagged values before the format's own conversion. */
  readonly revive: ReviveTag | undefined;
  readonly writing: MadeWriter;
  readonly signal: AbortSignal;
  /**
   * Creates the target for lists in a format that writes their counts first. Default: such values are read completely
   * before they are written.
   */
  readonly counted?: (writing: MadeWriter, writer: PartWriter, put: Put) => Target | undefined;
}

/** Runs `read`. Cancels the input if it fails or the signal aborts; an abort rejects with the signal's reason. */
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
 * Reads a payload and writes it in another format, in slices while its bytes arrive. Items of a root list are written
 * as they are read if the target format allows lists of unknown length, and in JSON also those of lists in the root
 * object; memory then holds only the current slice. `counted` does the same for formats that write the length first,
 * but buffers the bytes. Other values are read completely before they are written.
 */
export async function rewrite(input: Input, { reading, revive, writing, signal, counted }: Rewriting, put: Put): Promise<void> {
  const slicer = new Slicer(signal);
  const expansion = new SharedExpansion(reading.limits, reading.id);
  // Shared values written as references do not expand.
  const counts = !('references' in writing.options && writing.options.references === true);
  const count = (value: unknown): void => {
    if (counts && reader.shares) expansion.count(value);
  };
  const writer = new SlicedWriter(writing, slicer, count);
  const target = writing.takesItems ? targetOf(writing, writer, put) : counted?.(writing, writer, put);
  const reader = new ReaderSlices(reading, revive, slicer, target && { items: target.consumer });
  let received = 0;
  await readFrom(input, signal, async () => {
    for (let chunk = await input.next(); chunk !== undefined; chunk = await input.next()) {
      signal.throwIfAborted();
      expansion.receive((received += chunk.length));
      await reader.push(chunk);
    }
    signal.throwIfAborted();
    const value = await reader.end();
    if (target !== undefined && reader.found) await target.close(value);
    else await writer.run(writer.session().write(value), put);
  });
}

function targetOf({ id, options }: MadeWriter, writer: SlicedWriter, put: Put): Target {
  if (id === 'json' && (options as { sequence?: boolean }).sequence !== true) return listTarget(new JsonParts(writer, put));
  const session = writer.session();
  const take = async (items: unknown[]): Promise<void> => {
    session.add(items);
    await writer.run(session, put);
  };
  const close = async (): Promise<void> => {
    session.close();
    await writer.run(session, put);
  };
  return { consumer: { path: [], take }, close };
}

/** Writes in slices. */
class SlicedWriter implements PartWriter {
  readonly #writing: MadeWriter;
  readonly #slicer: Slicer;
  readonly #before: (value: unknown) => void;

  /** `before` is called with each value before it is written. */
  constructor(writing: MadeWriter, slicer: Slicer, before: (value: unknown) => void) {
    this.#writing = writing;
    this.#slicer = slicer;
    this.#before = before;
  }

  session(): EncodeSession {
    const { writer, id } = this.#writing;
    const session = writer.session(id, () => this.#slicer.due());
    session.before = this.#before;
    return session;
  }

  /** Writes the session's values, and emits their bytes once final. */
  async run(session: EncodeSession, put: Put): Promise<void> {
    while (!session.isIdle) {
      this.#slicer.begin();
      if (this.#slicer.due()) await this.#slicer.pause();
      session.run();
      for (const chunk of session.take()) await put(chunk);
    }
    this.#slicer.end();
  }
}
