import { postponeAt, room, soft, STOPPED, type SliceEnded } from '../bytes/output.ts';
import { EncodeSession, Unwinding } from './encode.ts';
import { classOf } from '../values/class-of.ts';
import { isOpaque, opaqueReason } from './written-classes.ts';
import { thrown } from './thrown.ts';
import { EncodeError, type EncodeErrorCode } from '../errors.ts';
import type { Limits } from '../limits.ts';
import type { LoadSchemaCode } from '../format/format.ts';
import type { FormatId } from '../format/format-id.ts';
import { isSource } from '../values/sources.ts';

/**
 * The code that writes a format: the default export of a module of `unspool/encoders/*`, for `encodeSync` and service workers.
 * Its other members are internal.
 */
export interface FormatWriter<Options = object, Schema = undefined> {
  /** The id of the format, for errors. */
  readonly id: FormatId;
  /** Never there: the types of the options, and of a compiled schema, for inference. */
  '~writes'?(options: Options, schema: Schema): void;
  /**
   * Creates a writer. `schema` is the result of `compileSchema`; undefined for self-describing formats.
   *
   * @internal
   */
  createWriter(options: Options, limits: Limits, schema: Schema): Writer;
  /**
   * Encodes a small value into an array with a buffer of its own, if that is faster than a session. Undefined if the
   * value is not small or is uncommon: a session then writes it or reports the error.
   *
   * @internal
   */
  encodeSmall?(value: unknown, options: Options, limits: Limits): Uint8Array<ArrayBuffer> | undefined;
  /**
   * As `compileSchema` of the format's reading side.
   *
   * @internal
   */
  compileSchema?(input: unknown, name?: string, load?: LoadSchemaCode): Promise<Schema> | Schema;
  /**
   * Loads code that writing needs beyond the writer's own, such as a compressor. Undefined if there is nothing to load.
   *
   * @internal
   */
  prepare?(options: Options): Promise<void> | undefined;
}

/** A writer whose options and schema are not known statically. */
export type AnyFormatWriter = FormatWriter<object, unknown>;

/** From the next depth on, open containers are compared, to detect cycles. Few values are so deep. */
const DEEP = 15;
/** Levels that are written by calls inside calls. Deeper ones are resumed from outside, as after a slice. */
export const NESTED_CALLS = 500;

/** Writes a container that was postponed. */
type Write = (at: number) => number;

/** A container whose writing was stopped, and where to resume; or the function that writes a postponed one. */
interface Stopped {
  readonly container: object | Write;
  readonly place: unknown;
  /** How many items a list had; −1 if nothing is to be compared. */
  readonly count: number;
  /** How many containers are open around a postponed one. */
  readonly depth?: number;
}

/**
 * Base of writers: walks values and writes them to the current output (`bytes/output.ts`). `write` is a switch over the
 * types of values, and calls itself for nested values.
 *
 * **Slices.** A loop over the items of a container that finds `at > soft` calls `pass`. If that or the writing of an
 * item returns STOPPED, the loop calls `stopped` with the container and where to resume, and returns STOPPED too.
 * Before that, it writes all open heads, since the chunks after them are emitted. `resume` then continues with the
 * innermost container (`resumeIn`) and so on outwards.
 *
 * **Depth.** Before a container that may nest without end, a format calls `postpone` if `depth` has reached `callDepth`:
 * writing stops in the same way, and the session resumes it at once. So the call stack does not limit the depth.
 *
 * **Errors.** `fail` throws without a path. Loops over items catch, and add their step with `at`.
 */
export abstract class Writer {
  /** How many containers are open. */
  protected depth = 0;
  protected readonly maxDepth: number;
  /** The depth from which `open` checks more than the count. */
  readonly #deep: number;
  /** The depth from which a container is postponed. */
  protected callDepth = NESTED_CALLS;
  /** Containers stopped since the last resume, from the innermost outwards. */
  #stopped: Stopped[] = [];
  /** The containers around them, from the outermost inwards. */
  #around: Stopped[] = [];
  /** By the logarithm of a depth, the latest container opened there; undefined if `open` was called without it. */
  readonly #open: (object | undefined)[] = [];

  constructor(limits: Limits) {
    this.maxDepth = limits.depth;
    this.#deep = Math.min(DEEP, limits.depth);
  }

  /** Writes a value. Returns the position after it, or STOPPED. */
  abstract write(value: unknown, at: number): number;

  /** Resumes in a container at the `place` passed to `stopped`. Returns the position after it, or STOPPED. */
  protected abstract resumeIn(container: object, place: unknown, at: number): number;

  /**
   * The offset from which bytes may still be replaced, because a length before them is not known yet. Chunks after it
   * are not emitted. Default: none.
   */
  get pinned(): number {
    return Infinity;
  }

  /**
   * Creates an encode of one value or, without `write`, of a list whose items are added as they arrive. Errors name
   * `format`. Writing stops when `sliceEnded` says so. `chunk`: see `Output`.
   */
  session(format?: string, sliceEnded?: SliceEnded, chunk?: number): EncodeSession {
    return new EncodeSession(this, format, sliceEnded, chunk);
  }

  /** An encode that never runs: see `keepAlive`. */
  keepAliveInstance(): EncodeSession {
    return new EncodeSession(this, undefined, undefined, 0);
  }

  /**
   * True if a list whose length is not known in advance has its own form, written by `beginItems`, `item` and
   * `endItems`. Otherwise such a list can be a sequence: its items are written as lists of one, one after another.
   */
  get takesItems(): boolean {
    return false;
  }

  /** Writes the bytes before the first item of a list of unknown length. Default: none. */
  beginItems(at: number): number {
    return at;
  }

  /** Writes an item of such a list; the first has the index 0. */
  item(value: unknown, _index: number, at: number): number {
    return this.begin(value, at);
  }

  /** Writes the bytes after the last item of such a list. */
  endItems(_count: number, at: number): number {
    return at;
  }

  /** Begins a complete value, with the format's bytes before it. Returns the position after it, or STOPPED. */
  begin(value: unknown, at: number): number {
    this.reset();
    return this.writeRoot(value, at);
  }

  /** Writes the complete value, with the format's bytes around it. Default: no such bytes. */
  protected writeRoot(value: unknown, at: number): number {
    return this.write(value, at);
  }

  /** Forgets all open containers before a new value. */
  protected reset(): void {
    this.depth = 0;
    this.callDepth = NESTED_CALLS;
    this.#stopped = [];
    this.#around = [];
  }

  /** In `resumeIn`: the length of the list when its loop began, which must not be read again. */
  protected resumedCount = -1;

  /** Resumes in a later slice. Returns the position after the complete value, or STOPPED again. */
  resume(at: number): number {
    const around = this.#around;
    let next = at;
    for (;;) {
      for (let one = this.#stopped.pop(); one !== undefined; one = this.#stopped.pop()) around.push(one);
      const innermost = around.pop();
      if (innermost === undefined) return next;
      if ((next = this.#resumeOne(innermost, next)) === STOPPED) return STOPPED;
    }
  }

  #resumeOne({ container, place, count, depth = this.#around.length + 1 }: Stopped, at: number): number {
    this.depth = depth;
    this.callDepth = depth + NESTED_CALLS;
    try {
      if (typeof container === 'function') return container(at);
      this.#compare(container, count);
      this.resumedCount = count;
      // Its loop may end without a check for room, and so may those of the containers around it.
      return this.resumeIn(container, place, at > soft ? room(at, 0) : at);
    } catch (error) {
      throw this.#fromRoot(error);
    }
  }

  /** Adds the steps of the outer containers to an error, all at once: there may be many. */
  #fromRoot(error: unknown): unknown {
    const outer = error instanceof Unwinding ? error : new Unwinding(0);
    for (const { container, place } of this.#around.reverse()) this.at(this.stepOf(place), outer, container);
    if (outer === error) return error;
    const known = error instanceof EncodeError ? error : thrown(error);
    known.path = [...outer.path.reverse(), ...(known.path ?? [])];
    return known;
  }

  /**
   * The step of a place passed to `stopped`: that of the item before it, in which writing stopped. Undefined if there
   * is no such item, as at the root.
   */
  protected abstract stepOf(place: unknown): string | number | undefined;

  /**
   * Records that a loop was stopped. `place` says where to resume; `count` is the length that a list had when its loop
   * began.
   */
  protected stopped(container: object, place: unknown, count = -1): number {
    this.#compare(container, count);
    this.#stopped.push({ container, place, count });
    return STOPPED;
  }

  /**
   * Stops before a container at the depth `callDepth`, which `write` writes later: a bound method, since an arrow function would have V8
   * keep the arguments of every call on the heap.
   */
  protected postpone(at: number, write: Write): number {
    this.#stopped.push({ container: write, place: undefined, count: -1, depth: this.depth });
    return postponeAt(at);
  }

  #compare(container: object, count: number): void {
    if (count >= 0 && (container as ArrayLike<unknown>).length !== count) this.fail('changed', 'the list changed while it was written');
  }

  /** Opens a container. Throws if it is nested too deeply, or if `container` is found inside itself. */
  protected open(container?: object): void {
    if (++this.depth > this.#deep) this.#openDeep(container);
  }

  /**
   * Compares each container with the one at the last depth that is a power of two, which finds every cycle (R. P.
   * Brent, 1980). Otherwise a cycle would be written, with all its contents, up to the depth limit.
   */
  #openDeep(container: object | undefined): void {
    const { depth, maxDepth } = this;
    const isInside = container !== undefined && this.#open[31 - Math.clz32(depth - 1)] === container;
    if (depth > maxDepth || isInside) throw new Unwinding(maxDepth, container);
    if ((depth & (depth - 1)) === 0) this.#open[31 - Math.clz32(depth)] = container;
  }

  /** Rejects an object without keys that only yields items. */
  protected refuseSource(value: object): void {
    if (isSource(value)) this.fail('unsupported', 'cannot encode an iterator inside a value: collect its items in an array');
    const name = classOf(value);
    if (isOpaque(name)) this.fail('unsupported', opaqueReason(name));
  }

  protected fail(code: EncodeErrorCode, reason: string): never {
    throw new EncodeError(code, reason);
  }

  /** Adds a step to the path of an error thrown while writing an item of `container`. */
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

/** Names the type of a value, for errors. */
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
