import { Output, pass, soft, STOPPED, type SliceEnded } from '../bytes/output.ts';
import { EncodeError, PlacedError } from '../errors.ts';
import { thrown } from './thrown.ts';

/** The methods of a writer that a session uses: see `Writer`. */
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
 * Encodes one value (`write`), or a list whose items arrive one by one (`add`, then `close`). `run` writes what is
 * available, or stops when its slice ends; the next `run` continues. After an error nothing more is emitted.
 */
export class EncodeSession {
  readonly #output: Output;
  readonly #writer: Writes;
  readonly #format: string | undefined;
  #state: 'ready' | 'stopped' | 'whole' | 'failed' = 'ready';
  /** Values not yet written, from `#next` on. */
  #values: readonly unknown[] = [];
  #next = 0;
  /** How many values were written. */
  #count = 0;
  #isList = false;
  #isBegun = false;
  #isClosed = false;
  /** Called with each value before it is written. If it throws, the encode ends. */
  before: ((value: unknown) => void) | undefined;

  /** `chunk`: see `Output`. */
  constructor(writer: Writes, format?: string, sliceEnded?: SliceEnded, chunk?: number) {
    this.#writer = writer;
    this.#format = format;
    this.#output = new Output(sliceEnded, chunk);
  }

  /** Sets the value to write. */
  write(value: unknown): this {
    this.#values = [value];
    this.#isClosed = true;
    return this;
  }

  /** Sets the next items of a list. Call it when the previous ones are written. */
  add(items: readonly unknown[]): void {
    this.#values = items;
    this.#next = 0;
    this.#isList = true;
  }

  /** Ends a list. */
  close(): void {
    this.#isList = true;
    this.#isClosed = true;
  }

  /** True once everything is written. */
  get isWhole(): boolean {
    return this.#state === 'whole';
  }

  /** True once all values given so far are written. */
  get isIdle(): boolean {
    return this.#state === 'whole' || (this.#state === 'ready' && this.#next === this.#values.length && !this.#isClosed);
  }

  /** Bytes written so far. */
  get written(): number {
    return this.#output.written;
  }

  /** Writes until the slice ends, or all that is available. Throws an EncodeError. */
  run(): void {
    if (this.#state === 'whole' || this.#state === 'failed') return;
    let isStopped = this.#state === 'stopped';
    this.#state = 'failed';
    const output = this.#output;
    let at = output.enter();
    try {
      for (;;) {
        if (isStopped) at = this.#writer.resume(at);
        if (at !== STOPPED) at = this.#writeMore(at);
        if (at !== STOPPED || !output.isPostponed) break;
        output.isPostponed = false;
        isStopped = true;
        at = output.at;
      }
      if (at === STOPPED) this.#state = 'stopped';
      else this.#state = this.#isClosed ? 'whole' : 'ready';
    } catch (error) {
      throw this.#located(error);
    } finally {
      output.leave(at === STOPPED ? output.at : at);
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
      // In a format of consecutive values (the option `sequence`), a list of one value equals an item.
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

  /** Adds format and path to an error that a writer has thrown. */
  #located(error: unknown): unknown {
    const known = error instanceof Unwinding ? error.toError() : error instanceof PlacedError ? error : thrown(error);
    if (!(known instanceof PlacedError)) return known;
    if (this.#isList && this.#count > 0) known.path = this.#inList(known.path);
    return known.locate({ format: this.#format });
  }

  /** The path of an error in the complete list. */
  #inList(path: readonly (string | number)[] = []): (string | number)[] {
    return [this.#count - 1, ...(this.#writer.takesItems ? path : path.slice(1))];
  }

  /** Takes the chunks that are final, in order; all of them once everything is written. */
  take(): Uint8Array<ArrayBuffer>[] {
    return this.isWhole ? this.#output.finish() : this.#output.take(this.#writer.pinned);
  }
}

/** A container nested too deeply or inside itself. Catching it level by level shows whether it contains itself. */
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
