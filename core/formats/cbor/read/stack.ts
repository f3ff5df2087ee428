import { Containers, MAP, OBJECT } from '../../../reading/containers.ts';
import type { Limits } from '../../../limits.ts';
import { INDEFINITE, type Input } from './input.ts';

export { ARRAY, MAP, OBJECT, RECORD, ROOT, SET } from '../../../reading/containers.ts';

/** The content of a tag from which the core or the format makes a value. */
export const TAGGED = 7;
/** The content of an unknown tag. */
export const UNKNOWN = 8;
/** The value after a table of packed values, which applies to it. */
export const PACKED_VALUE = 9;
/** A value inside a byte string. */
export const EMBEDDED = 10;
/** The first of the kinds whose items are not values, so that `readScalars` must not read them. */
export const DEFINITION = 11;
/** The head of a table of packed values, and its entries. */
export const PACKED = 12;
export const TABLE = 13;
/** A list of record definitions and the value after them, which becomes a PACKED_VALUE. */
export const DEFINITIONS = 14;

/** The open containers. The size of one of indefinite length is minus the number of values that it may have. */
export class Stack extends Containers {
  readonly #input: Input;

  constructor(input: Input, limits: Limits) {
    super(limits);
    this.#input = input;
  }

  /** Opens a container of `count` values, which may be INDEFINITE. */
  open(kind: number, count: number, at: number): void {
    const offset = this.#input.base + at;
    if (count === INDEFINITE) {
      this.checkDepth(offset);
      // One more than the limit allows: a container that uses it up exceeds the limit.
      const most = this.mostValues - this.values + 1;
      this.enter(kind, most, -most);
    } else {
      this.push(kind, count, offset);
    }
  }

  /** Ends the innermost container, of indefinite length, at the break at `at`. */
  endByBreak(at: number): void {
    const { kind, size, left, keyed } = this;
    const values = -size - left;
    if (size >= 0 || (kind === OBJECT && keyed) || (kind === MAP && (values & 1) !== 0)) {
      this.#input.fail('malformed', 'unexpected break', at);
    }
    this.count(values, this.#input.base + at);
  }
}
