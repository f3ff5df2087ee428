/** A body that can be read again from its start as long as its bytes are kept. */
export class ReplayBody {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  /** Chunks received; undefined for those already read and not kept. */
  readonly #chunks: (Uint8Array | undefined)[] = [];
  #keeps = true;
  #ended = false;
  #reading: Promise<void> | undefined;

  constructor(body: ReadableStream<Uint8Array>) {
    this.#reader = body.getReader();
  }

  /** Opens the body from its start. Only the latest opened one may be read. */
  open(): ReadableStream<Uint8Array> {
    let at = 0;
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
      while (at === this.#chunks.length && !this.#ended) await (this.#reading ??= this.#read());
      const chunk = this.#chunks[at];
      if (!chunk) {
        controller.close();
        return;
      }
      // The receiver may transfer the chunk.
      controller.enqueue(this.#keeps ? chunk.slice() : chunk);
      if (!this.#keeps) this.#chunks.fill(undefined, 0, at + 1);
      at += 1;
    };
    return new ReadableStream<Uint8Array>({ pull }, { highWaterMark: 0 });
  }

  /** Stops keeping bytes: the latest opened body is the last one. */
  forget(): void {
    this.#keeps = false;
  }

  /** Discards the rest. */
  cancel(reason: unknown): void {
    this.#reader.cancel(reason).catch(() => {});
  }

  async #read(): Promise<void> {
    try {
      const { value } = await this.#reader.read();
      if (value) this.#chunks.push(value);
      else this.#ended = true;
    } finally {
      this.#reading = undefined;
    }
  }
}
