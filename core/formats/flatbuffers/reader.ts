import type { Limits } from '../../limits.ts';
import { Reader } from '../../reading/reader.ts';
import type { Sink } from '../../reading/sink.ts';
import type { FlatBuffersOptions } from './options.ts';
import { planFor } from './read/plan.ts';
import type { FlatBuffersSchema } from './schema/schema.ts';
import { Walker } from './read/walker.ts';

/** Reads one buffer or a sequence of buffers. Offsets may point anywhere in a buffer, so it is read once it is complete. */
export class FlatBuffersReader extends Reader {
  override readonly readsWhole: boolean;
  readonly #walker: Walker;
  readonly #prefixed: boolean;
  readonly #sequence: boolean;
  #started = false;
  #done = false;
  /** Bytes after a buffer that is still being read. */
  #excess = 0;

  constructor(sink: Sink, options: FlatBuffersOptions, limits: Limits, schema: FlatBuffersSchema | undefined) {
    super(sink, limits);
    this.#walker = new Walker(planFor(schema, options), sink, limits);
    this.#sequence = options.sequence ?? false;
    this.#prefixed = this.#sequence || (options.sizePrefixed ?? false);
    this.readsWhole = !this.#sequence;
  }

  protected read(bytes: Uint8Array, view: DataView, from: number, to: number, last: boolean): number {
    const walker = this.#walker;
    if (to > 0x7fffffff) this.fail('unsupported', 'the buffer has more than 2 GiB', 0);
    walker.useWindow(bytes, view, this.base);
    if (!this.#prefixed) {
      if (!last) {
        this.needed = Number.MAX_SAFE_INTEGER;
        return from;
      }
      walker.budget.receive(this.base + to);
      walker.open(from, to);
      walker.run(this.stepValues);
      return to;
    }
    if (this.#sequence && !this.#started) {
      this.#started = true;
      this.sink.beginArray(-1, from, from);
      walker.outer = 1;
    }
    let at = from;
    while (at < to) {
      if (this.#done) {
        this.#excess = to - at;
        if (!this.isPaused) this.#failAtExcess(to);
        return to;
      }
      if (at + 4 > to) return at;
      const end = at + 4 + view.getUint32(at, true);
      if (end > to) {
        this.needed = end - at;
        return at;
      }
      walker.budget.receive(this.base + end);
      walker.open(at + 4, end);
      walker.run(last && !this.#sequence ? this.stepValues : Infinity);
      this.#done = !this.#sequence;
      at = end;
    }
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
    if (this.#excess > 0) this.#failAtExcess(0);
    if (!this.#prefixed) return;
    if (!this.#sequence && !this.#done) this.fail('truncated', 'the input ends before the buffer', 0);
    if (this.#sequence) this.#walker.endSequence();
  }

  /** `end`: position of the end of the input. */
  #failAtExcess(end: number): never {
    this.fail('trailing-bytes', 'unexpected bytes after the buffer', end - this.#excess);
  }
}
