import { STOPPED, type SliceEnded } from '../bytes/output.ts';
import { EncodeSession, Unwinding } from './encode.ts';
import { thrown } from './thrown.ts';
import { EncodeError, type EncodeErrorCode } from '../errors.ts';
import type { Limits } from '../limits.ts';
import type { LoadSchemaCode } from '../formats/format.ts';
import type { FormatId } from '../formats/registry.ts';
import { isSource } from '../reading/sources.ts';

/** What every writer module (`unspool/encoders/*`) exports as its default: the same shape for each. */
export interface FormatWriter<Options = object, Schema = undefined> {
  /** The id of the format, for errors. */
  readonly id: FormatId;
  /** Makes what writes values of the format. `schema` is what `compileSchema` returned; others take none. */
  createWriter(options: Options, limits: Limits, schema: Schema): Writer;
  /**
   * Encodes a small value at once, where that takes less than a session does, into an array with a buffer of its own.
   * Undefined where the value is not small or anything is out of the ordinary: then a session writes it, or says what is wrong.
   */
  encodeSmall?(value: unknown, options: Options, limits: Limits): Uint8Array<ArrayBuffer> | undefined;
  /** As `compileSchema` of the format that is read. */
  compileSchema?(input: unknown, name?: string, load?: LoadSchemaCode): Promise<Schema> | Schema;
  /** Loads code that writing needs beyond the writer's own, such as a compressor. Undefined where there is nothing to load. */
  prepare?(options: Options): Promise<void> | undefined;
}

/** A writer whose options and schema are not known statically. */
export type AnyFormatWriter = FormatWriter<object, unknown>;

/** Open containers deeper than this are kept, to find one that is inside itself. Few values are so deep. */
const DEEP = 16;
/** Every so many levels, the container that opens is looked for among those that are kept. */
const LOOK = 8;

/** A container whose writing was stopped, and what says where to go on. */
interface Stopped {
  readonly container: object;
  readonly place: unknown;
  /** How many items a list had; −1 where nothing is to be compared. */
  readonly count: number;
}

/**
 * Writes values to the current output (`bytes/output.ts`), by walking them itself: `write` is a switch over the types of
 * values, and calls itself for what is inside.
 *
 * **Turns.** A loop over the items of a container that finds `at > soft` calls `pass`. Where that returns STOPPED, or where
 * the writing of an item does, the loop calls `stopped` with the container and its place in it, and returns STOPPED too.
 * Before, it writes whatever heads are still open, since the chunks behind them are given out. `resume` then goes on with
 * the innermost container (`resumeIn`) and so on outwards.
 *
 * **Errors.** `fail` throws without a path. Loops over items catch, and add their step with `at`.
 */
export abstract class Writer {
  /** Containers that are open. */
  protected depth = 0;
  protected readonly maxDepth: number;
  /** The depth from which on `open` does more than count. */
  readonly #deep: number;
  #stopped: Stopped[] = [];
  /** By depth beyond DEEP, the container that is open there, or was last; undefined where `open` was not given it. */
  readonly #open: (object | undefined)[] = [];

  constructor(limits: Limits) {
    this.maxDepth = limits.depth;
    this.#deep = Math.min(DEEP, limits.depth);
  }

  /** Writes a value. Returns the position after it, or STOPPED. */
  abstract write(value: unknown, at: number): number;

  /** Goes on in a container, whose `place` is what `stopped` was given. Returns the position after it, or STOPPED. */
  protected abstract resumeIn(container: object, place: unknown, at: number): number;

  /**
   * The offset from which on bytes may still be replaced, because a length before them is not known yet. The chunks behind
   * it are not given out. Default: none.
   */
  get pinned(): number {
    return Infinity;
  }

  /**
   * An encode of one value, or without one of a list whose items are added as they come. `format` is named in errors. Where
   * a `sliceEnded` is given, writing stops when it says so. `chunk`: see `Output`.
   */
  session(format?: string, sliceEnded?: SliceEnded, chunk?: number): EncodeSession {
    return new EncodeSession(this, format, sliceEnded, chunk);
  }

  /** An encode that never runs, to be kept: see `KeepAlive`. */
  keepAliveInstance(): EncodeSession {
    return new EncodeSession(this, undefined, undefined, 0);
  }

  /**
   * Whether a list whose length is not known before its end has a form of its own, which `beginItems`, `item` and `endItems`
   * write. Without it, such a list can be a sequence: its items are written as lists of one, one after another.
   */
  get takesItems(): boolean {
    return false;
  }

  /** What comes before the first item of a list whose length is not known. Default: nothing. */
  beginItems(at: number): number {
    return at;
  }

  /** Writes an item of such a list; the first has the index 0. */
  item(value: unknown, _index: number, at: number): number {
    return this.begin(value, at);
  }

  /** What comes after the last item of such a list. */
  endItems(_count: number, at: number): number {
    return at;
  }

  /** Begins a whole value, with what the format has before it. Returns the position after it, or STOPPED. */
  begin(value: unknown, at: number): number {
    this.reset();
    return this.writeRoot(value, at);
  }

  /** Writes the whole value, with what the format has around it. Default: nothing. */
  protected writeRoot(value: unknown, at: number): number {
    return this.write(value, at);
  }

  /** Forgets what was open: a value begins. */
  protected reset(): void {
    this.depth = 0;
    this.#stopped = [];
  }

  /** In `resumeIn`: the length of the list when its loop began, which may not be read again. */
  protected resumedCount = -1;

  /** Goes on in a later turn. Returns the position after the whole value, or STOPPED again. */
  resume(at: number): number {
    const stopped = this.#stopped;
    this.#stopped = [];
    let next = at;
    for (const [index, one] of stopped.entries()) {
      this.depth = stopped.length - index;
      next = this.#resumeOne(stopped, index, one, next);
      if (next === STOPPED) {
        this.#stopped.push(...stopped.slice(index + 1));
        return STOPPED;
      }
    }
    return next;
  }

  #resumeOne(all: readonly Stopped[], index: number, { container, place, count }: Stopped, at: number): number {
    try {
      this.#compare(container, count);
      this.resumedCount = count;
      return this.resumeIn(container, place, at);
    } catch (error) {
      // The steps of the containers around it.
      let outer = error;
      for (const around of all.slice(index + 1)) outer = this.at(this.stepOf(around.place), outer, around.container);
      throw outer;
    }
  }

  /**
   * The step that a place, as `stopped` was given it, stands for: of the item before it, in which writing stopped. Undefined
   * where it is none, as around the root.
   */
  protected abstract stepOf(place: unknown): string | number | undefined;

  /** A loop was stopped. `place` says where it goes on; `count` is the length that a list had when its loop began. */
  protected stopped(container: object, place: unknown, count = -1): number {
    this.#compare(container, count);
    this.#stopped.push({ container, place, count });
    return STOPPED;
  }

  #compare(container: object, count: number): void {
    if (count >= 0 && (container as ArrayLike<unknown>).length !== count) this.fail('changed', 'the list changed while it was written');
  }

  /** A container opens. Throws where that is too deep, or where `container` is found to be inside itself. */
  protected open(container?: object): void {
    if (++this.depth > this.#deep) this.#openDeep(container);
  }

  /** Looks for cycles now and then: one would be written up to the limit of depth, with all that is in it. */
  #openDeep(container: object | undefined): void {
    const { depth, maxDepth } = this;
    const index = depth - DEEP;
    const isInside = index % LOOK === 0 && container !== undefined && this.#open.lastIndexOf(container, index - 1) >= 0;
    if (depth > maxDepth || isInside) throw new Unwinding(maxDepth, container);
    this.#open[index] = container;
  }

  /** Refuses an object without keys that gives its items one by one. */
  protected refuseSource(value: object): void {
    if (isSource(value)) this.fail('unsupported', 'an iterator inside a value: collect its items in an array');
  }

  protected fail(code: EncodeErrorCode, reason: string): never {
    throw new EncodeError(code, reason);
  }

  /** Adds a step to the path of an error that was thrown by the writing of an item of `container`. */
  protected at(step: string | number | undefined, error: unknown, container: object): unknown {
    if (step === undefined) return error;
    if (error instanceof Unwinding) {
      error.containers.push(container);
      error.path.push(step);
      return error;
    }
    const known = error instanceof EncodeError ? error : thrown(error);
    (known.path ??= []).unshift(step);
    return known;
  }
}

/** Names what a value is, for errors. */
export function kindOf(value: unknown): string {
  switch (typeof value) {
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? 'an array' : `an object (${value.constructor?.name ?? 'without a prototype'})`;
    case 'undefined':
      return 'undefined';
    default:
      return `a ${typeof value}`;
  }
}
