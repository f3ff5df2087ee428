/** Bytes that are kept back: until there are more, a failure can still become the response's status. */
const HELD_BYTES = 1024 * 1024;

/** A body that is written piece by piece: kept back at first, then a stream that the page reads. */
export class Outflow {
  /** The body: whole where it is short, otherwise a stream. Rejects where writing fails before either is there. */
  readonly body: Promise<BodyInit>;
  #held: Uint8Array<ArrayBuffer>[] = [];
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

  /** Takes the next piece. Where the page is behind, it settles later; where the page is gone, it rejects. */
  async write(chunk: Uint8Array<ArrayBuffer>): Promise<void> {
    if (this.#writer) {
      await this.#write(chunk);
      return;
    }
    this.#held.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes <= this.#most) return;
    const { readable, writable } = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>();
    this.#writer = writable.getWriter();
    this.#writer.closed.catch(() => {});
    this.#resolve(readable);
    const held = this.#held;
    this.#held = [];
    for (const piece of held) await this.#write(piece);
  }

  async end(): Promise<void> {
    if (this.#writer) await this.#writer.close();
    else this.#resolve(new Blob(this.#held));
  }

  fail(reason: unknown): void {
    if (this.#writer) this.#writer.abort(reason).catch(() => {});
    else this.#reject(reason);
  }

  async #write(chunk: Uint8Array<ArrayBuffer>): Promise<void> {
    await this.#writer!.ready;
    await this.#writer!.write(chunk);
  }
}
