import type { Consumer } from './consumer.ts';

/** Bytes that are kept back: until there are more, a failure can still become the response's status. */
const HELD_BYTES = 1024 * 1024;

/** A body that is written piece by piece: kept back at first, then a stream that the page reads. */
export class Outflow implements Consumer {
  /** The body: whole where it is short, otherwise a stream. Rejects where writing fails before either is there. */
  readonly body: Promise<BodyInit>;
  #held: (ArrayBuffer | Uint8Array<ArrayBuffer>)[] = [];
  #bytes = 0;
  #writer: WritableStreamDefaultWriter<Uint8Array> | undefined;
  #resolve!: (body: BodyInit) => void;
  #reject!: (reason: unknown) => void;
  readonly #most: number;

  constructor(most = HELD_BYTES) {
    this.#most = most;
    this.body = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  get begun(): boolean {
    return this.#writer !== undefined;
  }

  /** Takes the next piece. Where the page is behind, it settles later; where the page is gone, it rejects. */
  async take(piece: ArrayBuffer | Uint8Array<ArrayBuffer>): Promise<void> {
    if (this.#writer) {
      await this.#write(piece);
      return;
    }
    this.#held.push(piece);
    this.#bytes += piece.byteLength;
    if (this.#bytes <= this.#most) return;
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
 * What `write` puts out, as a body. Resolves when all of it is there, or, where it is long, when its beginning is: what goes
 * wrong afterwards breaks the body off. `done` is told when the writing has ended.
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
