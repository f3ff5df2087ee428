import type { LimitError } from '../errors.ts';
import { classOf } from '../values/class-of.ts';
import { errorParts, textOf } from '../writing/written-classes.ts';
import type { FormatId } from '../format/format-id.ts';
import { Budget, BYTES_PER_VALUE } from '../budget.ts';
import type { Limits } from '../limits.ts';

/** An object whose content is being counted. */
interface Frame {
  readonly value: object;
  readonly inside: readonly unknown[];
  next: number;
  /** Values so far; characters and bytes count as fractions of a value, as in the expansion limit. */
  size: number;
}

/**
 * Counts the expansion of references when a graph of values is written as a tree: a shared object is written at each
 * place, and one that contains shared objects multiplies them. The bytes of the input pay for the first place of an
 * object; each further one counts with all its content against the expansion limit, before any of it is written.
 */
export class SharedExpansion {
  /** Sizes of the counted objects: 0 while they are open, or if they contain themselves, which writers refuse. */
  readonly #sizes = new WeakMap<object, number>();
  readonly #budget: Budget;
  readonly #format: FormatId | undefined;

  /** Errors name `format`. */
  constructor(limits: Limits, format?: FormatId) {
    this.#format = format;
    this.#budget = new Budget(limits);
  }

  /** Updates the number of bytes received. */
  receive(total: number): void {
    this.#budget.receive(total);
  }

  /** Counts characters about to be written again. Throws a LimitError. */
  spend(characters: number): void {
    this.#budget.spendBytes(characters);
  }

  /** Counts a value about to be written. Throws a LimitError whose path leads from the value to a shared object. */
  count(value: unknown): void {
    const root: Frame = { value: [], inside: [value], next: 0, size: 0 };
    const open = [root];
    for (let frame = root; ; frame = open.at(-1)!) {
      if (frame.next >= frame.inside.length) {
        open.pop();
        this.#sizes.set(frame.value, frame.size);
        if (open.length === 0) return;
        open.at(-1)!.size += frame.size;
        continue;
      }
      const item = frame.inside[frame.next++];
      if (typeof item === 'string') frame.size += item.length / BYTES_PER_VALUE;
      frame.size += 1;
      if (typeof item !== 'object' || item === null) continue;
      const known = this.#sizes.get(item);
      if (known === undefined) {
        this.#sizes.set(item, 0);
        open.push(frameOf(item));
      } else {
        frame.size += known;
        this.#spend(known, open);
      }
    }
  }

  #spend(size: number, open: readonly Frame[]): void {
    try {
      this.#budget.spend(size + 1);
    } catch (error) {
      (error as LimitError).path = open.slice(1).map(stepOf);
      throw (error as LimitError).locate({ format: this.#format });
    }
  }
}

const NOTHING: readonly unknown[] = [];

function frameOf(value: object): Frame {
  const frame = (inside: readonly unknown[], bytes = 0): Frame => ({ value, inside, next: 0, size: bytes / BYTES_PER_VALUE });
  if (Array.isArray(value)) return frame(value as unknown[]);
  if (ArrayBuffer.isView(value)) return frame(NOTHING, value.byteLength);
  switch (classOf(value)) {
    case 'Map':
      return frame([...(value as Map<unknown, unknown>)].flat(1));
    case 'Set':
      return frame([...(value as Set<unknown>)]);
    case 'Error':
      return frame(Object.values(errorParts(value as Error)));
    case 'RegExp':
      return frame(NOTHING, textOf(value, 'source').length);
    case 'URL':
      return frame(NOTHING, textOf(value, 'href').length);
    case 'ArrayBuffer':
      return frame(NOTHING, (value as ArrayBuffer).byteLength);
    default:
      return frame(
        Object.values(value),
        Object.keys(value).reduce((sum, { length }) => sum + length, 0),
      );
  }
}

/** Step from an object to the item counted last. */
function stepOf({ value, inside, next }: Frame): string | number {
  if (Array.isArray(value) || classOf(value) === 'Set') return next - 1;
  if (classOf(value) === 'Map') return String(inside[(next - 1) & ~1]);
  return classOf(value) === 'Error' ? 'cause' : Object.keys(value)[next - 1]!;
}
