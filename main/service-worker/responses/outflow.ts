import type { Consumer } from './consumer.ts';

/** Bytes held back at first: until there are more, a failure can still set the response's status. */
const HELD_BYTES = 1024 * 1024;

/** A body written piece by piece: held back at first, then streamed to the page. */
export class Outflow implements Consumer {
  /** The complete body if it is short, otherwise a stream. Rejects if writing fails before either. */
  readonly body: Promise<BodyInit>;
  #held: (ArrayBuffer | Uint8Array<ArrayBuffer>)[] = [];
  #bytes = 0;
  #writer: WritableStreamDefaultWriter<Uint8Array> | undefined;
  #resolve!: (body: BodyInit) => void;
  #reject!: (reason: unknown) => void;
  readonly #heldLimit: number;

  constructor(limit = HELD_BYTES) {
    this.#heldLimit = limit;
    this.body = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  get begun(): boolean {
    return this.#writer !== undefined;
  }

  /** Adds the next piece. Settles once a slow page is ready for more; rejects if the page is gone. */
  async take(piece: ArrayBuffer | Uint8Array<ArrayBuffer>): Promise<void> {
    if (this.#writer) {
      await this.#write(piece);
      return;
    }
    this.#held.push(piece);
    this.#bytes += piece.byteLength;
    if (this.#bytes <= this.#heldLimit) return;
    const { readable, writable } = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>();
    this.#writer = writable.getWriter();
    this.#writer.closed.catch(() => {});
    this.#resolve(readable);
    const held = this.#held;
    this.#held = [];
    for (const one of held) await this.#write(one);
  }

  drop(): void {
    this.#held = [];
    this.#bytes = 0;
  }

  async end(): Promise<void> {
    if (this.#writer) await this.#writer.close();
    else this.#resolve(new Blob(this.#held));
  }

  fail(reason: unknown): void {
    if (this.#writer) this.#writer.abort(reason).catch(() => {});
    else this.#reject(reason);
  }

  async #write(piece: ArrayBuffer | Uint8Array<ArrayBuffer>): Promise<void> {
    await this.#writer!.ready;
    await this.#writer!.write(piece instanceof ArrayBuffer ? new Uint8Array(piece) : piece);
  }
}

/**
 * Returns the output of `write` as a body, once it is complete, or, if it is long, once it has begun; later failures
 * abort the stream. Calls `done` with a promise for the end of the writing.
 */
export function streamBody(write: (flow: Outflow) => Promise<void>, done: (ended: Promise<void>) => void): Promise<BodyInit> {
  const flow = new Outflow();
  const run = async (): Promise<void> => {
    try {
      await write(flow);
      await flow.end();
    } catch (error) {
      flow.fail(error);
    }
  };
  done(run());
  return flow.body;
}
