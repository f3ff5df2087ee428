import type { Limits } from '../../limits.ts';
import { Reader } from '../../reading/reader.ts';
import type { Sink } from '../../reading/sink.ts';
import type { CapnProtoOptions } from './options.ts';
import { looksPacked, unpack } from './read/packed.ts';
import { planFor } from './read/plan.ts';
import type { CapnProtoSchema } from './schema/schema.ts';
import { Walker } from './read/walker.ts';

/**
 * Reads one message or a sequence of messages. Pointers may lead anywhere in a message, so it is read once it is
 * complete. Packed messages are unpacked first, and positions, also those in errors, refer to the unpacked bytes.
 */
export class CapnProtoReader extends Reader {
  override readonly readsWhole: boolean;
  readonly #walker: Walker;
  readonly #packed: boolean | 'auto';
  readonly #flat: boolean;
  readonly #sequence: boolean;
  #started = false;
  #done = false;
  /** Position after a message that is still being read, if more bytes follow it. */
  #excess = -1;

  constructor(sink: Sink, options: CapnProtoOptions, limits: Limits, schema: CapnProtoSchema | undefined) {
    super(sink, limits);
    this.#walker = new Walker(planFor(schema, options), sink, limits);
    this.#packed = options.packed ?? 'auto';
    this.#flat = options.flat ?? false;
    this.#sequence = (options.sequence ?? false) && !this.#flat;
    this.readsWhole = !(this.#sequence && this.#packed === false);
  }

  protected read(bytes: Uint8Array, view: DataView, from: number, to: number, last: boolean): number {
    const walker = this.#walker;
    if (to > 0x7fffffff) this.fail('unsupported', 'the message has more than 2 GiB', 0);
    const inPieces = !this.readsWhole;
    if (!last && !inPieces) {
      this.needed = Number.MAX_SAFE_INTEGER;
      return from;
    }
    if (this.#sequence && !this.#started) {
      this.#started = true;
      this.sink.beginArray(-1, from, from);
      walker.outer = 1;
    }
    const { message } = walker;
    if (!inPieces) walker.budget.receive(this.base + to);
    message.useWindow(bytes, view, this.base);
    if (this.#packed === true || (this.#packed === 'auto' && looksPacked(message, from, to, this.#flat, this.#sequence))) {
      const words = unpack(bytes, from, to, this.base, walker.budget);
      const wordsView = new DataView(words.buffer);
      this.sink.window(words, wordsView, 0);
      message.useWindow(words, wordsView, 0);
      this.#messages(0, words.length, true, false);
      return to;
    }
    return this.#messages(from, to, last, inPieces);
  }

  /** Sends the messages in `from..to`. Returns the position after the last complete message. */
  #messages(from: number, to: number, last: boolean, inPieces: boolean): number {
    const walker = this.#walker;
    const { message } = walker;
    if (this.#flat) {
      message.useFlat(from, to);
      walker.open();
      walker.run(this.stepValues);
      return to;
    }
    let at = from;
    while (at < to) {
      if (this.#done) {
        this.#excess = at;
        if (!this.isPaused) this.#failAtExcess();
        return to;
      }
      const end = message.frame(at, to);
      if (end < 0 || end > to) {
        if (last) message.fail('the input ends inside a message', to, 'truncated');
        if (end > 0 && end < Infinity) this.needed = end - at;
        return at;
      }
      if (inPieces) walker.budget.receive(this.base + end);
      walker.open();
      walker.run(last && !this.#sequence ? this.stepValues : Infinity);
      this.#done = !this.#sequence;
      at = end;
    }
    if (last && !this.#sequence && !this.#done) message.fail('the input ends before the message', to, 'truncated');
    return at;
  }

  override get isPaused(): boolean {
    return this.#walker.isOpen;
  }

  protected override readOn(): void {
    this.#walker.run(this.stepValues);
  }

  protected finish(): void {
    this.#walker.release();
    if (this.#excess >= 0) this.#failAtExcess();
    if (this.#sequence) this.#walker.endSequence();
  }

  #failAtExcess(): never {
    this.#walker.message.fail('unexpected bytes after the message', this.#excess, 'trailing-bytes');
  }
}
