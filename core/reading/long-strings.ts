import { LimitError } from '../errors.ts';
import type { Sink } from './sink.ts';

interface StringState {
  readonly sink: Sink;
  /** Length limit of strings, in bytes. */
  readonly longest: number;
  /** Offset of the window in the input. */
  readonly base: number;
}

/**
 * Sends the string whose token is at `at` and whose length follows in two (`isShort`) or four bytes. Returns the
 * position after it, or the position up to which bytes are needed.
 */
export function readLongString(state: StringState, view: DataView, at: number, to: number, isShort: boolean): number {
  const from = at + (isShort ? 3 : 5);
  if (from > to) return from;
  const length = isShort ? view.getUint16(at + 1) : view.getUint32(at + 1);
  if (length > state.longest) tooLong(length, state, at);
  if (from + length <= to) state.sink.string(at, from, from + length);
  return from + length;
}

export function tooLong(length: number, state: StringState, at: number): never {
  throw new LimitError('stringLength', `stringLength limit exceeded: a string of ${length} bytes`, { offset: state.base + at });
}
