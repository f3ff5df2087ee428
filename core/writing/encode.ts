import { Output, pass, soft, STOPPED, type SliceEnded } from '../bytes/output.ts';
import { EncodeError, PlacedError } from '../errors.ts';
import { thrown } from './thrown.ts';

/** What a session needs of a writer: see `formats/writer.ts`. */
export interface Writes {
  begin(value: unknown, at: number): number;
  resume(at: number): number;
  beginItems(at: number): number;
  item(value: unknown, index: number, at: number): number;
  endItems(count: number, at: number): number;
  readonly takesItems: boolean;
  readonly pinned: number;
}

/**
 * One encode: of one value (`write`), or of a list whose items come one by one (`add`, then `close`). `run` writes what there
 * is, or stops when its turn ends, and the next `run` goes on. After an error nothing more is given out.
 */
export class EncodeSession {
  readonly #output: Output;
  readonly #writer: Writes;
  readonly #format: string | undefined;
  #state: 'ready' | 'stopped' | 'whole' | 'failed' = 'ready';
  /** Values that are not written yet, from `#next` on. */
  #values: readonly unknown[] = [];
  #next = 0;
  /** Values that were written. */
  #count = 0;
  #isList = false;
  #isBegun = false;
  #isClosed = false;
  /** Called with each value that is about to be written. What it throws ends the encode. */
  before: ((value: unknown) => void) | undefined;

  /** `chunk`: see `Output`. */
  constructor(writer: Writes, format?: string, sliceEnded?: SliceEnded, chunk?: number) {
    this.#writer = writer;
    this.#format = format;
    this.#output = new Output(sliceEnded, chunk);
  }

  /** Gives the value that is to be written. */
  write(value: unknown): this {
    this.#values = [value];
    this.#isClosed = true;
    return this;
  }

  /** Gives the next items of a list, when those before are written. */
  add(items: readonly unknown[]): void {
    this.#values = items;
    this.#next = 0;
    this.#isList = true;
  }

  /** Says that no more items come. */
  close(): void {
    this.#isList = true;
    this.#isClosed = true;
  }

  /** Whether everything is written. */
  get isWhole(): boolean {
    return this.#state === 'whole';
  }

  /** Whether all that was given is written. */
  get isIdle(): boolean {
    return this.#state === 'whole' || (this.#state === 'ready' && this.#next === this.#values.length && !this.#isClosed);
  }

  /** Bytes written so far. */
  get written(): number {
    return this.#output.written;
  }

  /** Writes until the turn ends, or all that there is. Throws an EncodeError. */
  run(): void {
    if (this.#state === 'whole' || this.#state === 'failed') return;
    const isStopped = this.#state === 'stopped';
    this.#state = 'failed';
    let at = this.#output.enter();
    try {
      if (isStopped) at = this.#writer.resume(at);
      if (at !== STOPPED) at = this.#writeMore(at);
      if (at === STOPPED) this.#state = 'stopped';
      else this.#state = this.#isClosed ? 'whole' : 'ready';
    } catch (error) {
      throw this.#located(error);
    } finally {
      this.#output.leave(at === STOPPED ? this.#output.at : at);
    }
  }

  #writeMore(at: number): number {
    const writer = this.#writer;
    if (this.#isList && !this.#isBegun) {
      this.#isBegun = true;
      at = writer.beginItems(at);
    }
    while (this.#next < this.#values.length) {
      if (at > soft && (at = pass(at)) === STOPPED) return STOPPED;
      const isItem = this.#isList && writer.takesItems;
      // Where values follow one another (the option `sequence`), a list of one is the same as an item.
      const value = this.#isList && !isItem ? [this.#values[this.#next]] : this.#values[this.#next];
      const index = this.#count++;
      this.#next += 1;
      this.before?.(value);
      if ((at = isItem ? writer.item(value, index, at) : writer.begin(value, at)) === STOPPED) return STOPPED;
    }
    if (!this.#isClosed || !this.#isList) return at;
    this.#isList = false;
    return writer.endItems(this.#count, at);
  }

  /** What a writer threw, with its format and path. */
  #located(error: unknown): unknown {
    const known = error instanceof Unwinding ? error.toError() : error instanceof PlacedError ? error : thrown(error);
    if (!(known instanceof PlacedError)) return known;
    if (this.#isList && this.#count > 0) known.path = this.#inList(known.path);
    return known.locate({ format: this.#format });
  }

  /** The path of an error as it is in the whole list. */
  #inList(path: readonly (string | number)[] = []): (string | number)[] {
    return [this.#count - 1, ...(this.#writer.takesItems ? path : path.slice(1))];
  }

  /** Takes the chunks that are final, in order; all of them where everything is written. */
  take(): Uint8Array<ArrayBuffer>[] {
    return this.isWhole ? this.#output.finish() : this.#output.take(this.#writer.pinned);
  }
}

/** Too deep, or a container inside itself: whether a container contains itself is seen on the way out. */
export class Unwinding extends Error {
  readonly containers: object[];
  readonly path: (string | number)[] = [];
  readonly limit: number;

  constructor(limit: number, container?: object) {
    super('too deep');
    this.limit = limit;
    this.containers = container === undefined ? [] : [container];
  }

  toError(): EncodeError {
    const path = this.path.reverse();
    const containers = this.containers.reverse();
    const last = containers.lastIndexOf(containers.at(-1)!);
    const isCycle = new Set(containers).size < containers.length;
    if (!isCycle) return new EncodeError('depth', `depth limit exceeded (${this.limit})`, { path: path.slice(0, 16) });
    const seen = new Set<object>();
    let at = 0;
    while (at < last && !seen.has(containers[at]!)) seen.add(containers[at++]!);
    return new EncodeError('cycle', 'a value contains itself', { path: path.slice(0, at) });
  }
}
