import { Output, STOPPED, type Turn } from './bytes/output.ts';
import { encodeError, type Writer } from './formats/writer.ts';

/**
 * One encode of one value. Without a turn `run` writes all of it; with one it stops when the turn ends, and the next `run`
 * goes on. After an error nothing more is given out.
 */
export class EncodeSession {
  readonly #output: Output;
  readonly #writer: Writer;
  readonly #format: string | undefined;
  readonly #value: unknown;
  #state: 'new' | 'stopped' | 'whole' | 'failed' = 'new';

  constructor(writer: Writer, value: unknown, format?: string, turn?: Turn) {
    this.#writer = writer;
    this.#value = value;
    this.#format = format;
    this.#output = new Output(turn);
  }

  /** Whether all of the value is written. */
  get isWhole(): boolean {
    return this.#state === 'whole';
  }

  /** Writes until the turn ends, or to the end. Throws an EncodeError. */
  run(): void {
    if (this.#state !== 'new' && this.#state !== 'stopped') return;
    const isNew = this.#state === 'new';
    this.#state = 'failed';
    const from = this.#output.enter();
    let at = from;
    try {
      at = isNew ? this.#writer.begin(this.#value, from) : this.#writer.resume(from);
      this.#state = at === STOPPED ? 'stopped' : 'whole';
    } catch (error) {
      throw encodeError(error, this.#format);
    } finally {
      this.#output.leave(at === STOPPED ? this.#output.at : at);
    }
  }

  /** Takes the chunks that are final, in order; all of them where the value is whole. */
  take(): Uint8Array<ArrayBuffer>[] {
    return this.isWhole ? this.#output.finish() : this.#output.take(this.#writer.pinned);
  }
}
