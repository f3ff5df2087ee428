import { STOPPED } from '../bytes/output.ts';
import { EncodeError, type EncodeErrorCode } from '../errors.ts';
import type { Limits } from '../limits.ts';

/** What every writer module (`unspool/encoders/*`) exports as its default: the same shape for each. */
export interface FormatWriter<Options = object, Schema = undefined> {
  /** Makes what writes values of the format. `schema` is what `compileSchema` returned; others take none. */
  createWriter(options: Options, limits: Limits, schema: Schema): Writer;
  /** As `compileSchema` of the format that is read. */
  compileSchema?(input: unknown, name?: string): Promise<Schema> | Schema;
  /** Loads code that writing needs beyond the writer's own, such as a compressor. Undefined where there is nothing to load. */
  prepare?(options: Options): Promise<void> | undefined;
}

/** A writer whose options and schema are not known statically. */
export type AnyFormatWriter = FormatWriter<object, unknown>;

/** A container whose writing was stopped, and what says where to go on. */
interface Stopped {
  readonly container: object;
  readonly place: unknown;
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
  #stopped: Stopped[] = [];

  constructor(limits: Limits) {
    this.maxDepth = limits.depth;
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

  /** Begins a whole value, with what the format has before it. Returns the position after it, or STOPPED. */
  begin(value: unknown, at: number): number {
    this.depth = 0;
    this.#stopped = [];
    return this.write(value, at);
  }

  /** Goes on in a later turn. Returns the position after the whole value, or STOPPED again. */
  resume(at: number): number {
    const stopped = this.#stopped;
    this.#stopped = [];
    let next = at;
    for (const [index, { container, place }] of stopped.entries()) {
      this.depth = stopped.length - index;
      next = this.#resumeOne(stopped, index, container, place, next);
      if (next === STOPPED) {
        this.#stopped.push(...stopped.slice(index + 1));
        return STOPPED;
      }
    }
    return next;
  }

  #resumeOne(all: readonly Stopped[], index: number, container: object, place: unknown, at: number): number {
    try {
      return this.resumeIn(container, place, at);
    } catch (error) {
      // The steps of the containers around it.
      let outer = error;
      for (const around of all.slice(index + 1)) outer = this.at(this.stepOf(around.place), outer, around.container);
      throw outer;
    }
  }

  /** The step that a place, as `stopped` was given it, stands for: of the item before it, in which writing stopped. */
  protected abstract stepOf(place: unknown): string | number;

  /** A loop was stopped. `place` says where it goes on. */
  protected stopped(container: object, place: unknown): number {
    this.#stopped.push({ container, place });
    return STOPPED;
  }

  /** A container opens. Throws where that is too deep. */
  protected open(): void {
    if (++this.depth > this.maxDepth) throw new Unwinding(this.maxDepth);
  }

  protected fail(code: EncodeErrorCode, reason: string): never {
    throw new EncodeError(code, reason);
  }

  /** Adds a step to the path of an error that was thrown by the writing of an item of `container`. */
  protected at(step: string | number, error: unknown, container: object): unknown {
    if (error instanceof Unwinding) {
      error.containers.push(container);
      error.path.push(step);
      return error;
    }
    const known = error instanceof EncodeError ? error : new EncodeError('thrown', `reading the value threw: ${String(error)}`, { cause: error });
    (known.path ??= []).unshift(step);
    return known;
  }
}

/** Too deep: whether a container contains itself is seen on the way out. */
class Unwinding extends Error {
  readonly containers: object[] = [];
  readonly path: (string | number)[] = [];
  readonly limit: number;

  constructor(limit: number) {
    super('too deep');
    this.limit = limit;
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

/** What a writer threw, as an EncodeError that names its format. */
export function encodeError(error: unknown, format: string | undefined): unknown {
  const known = error instanceof Unwinding ? error.toError() : error;
  return known instanceof EncodeError ? known.locate({ format }) : known;
}
