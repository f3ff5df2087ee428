import { check } from './check-names.ts';
import { keepAlive } from './engine/keep-alive.ts';
import { PickSink } from './sinks/pick/pick-sink.ts';
import type { PickPath } from './sinks/pick/tree.ts';
import type { Wrap } from './format/decode-session.ts';
import type { Sink } from './reading/sink.ts';
import { checkInvalidText, type InvalidText, InvalidTextSink } from './sinks/invalid-text.ts';
import { TypedSink } from './sinks/typed/typed-sink.ts';

/** Options that change which values are made of a payload, whatever its format. Plain data. */
export interface Shaping {
  /** The parts that are decoded: see `DecodeSettings.pick`. */
  readonly pick?: readonly PickPath[] | undefined;
  /** See `DecodeSettings.numbers`. */
  readonly numbers?: 'typed' | undefined;
  /** See `DecodeSettings.invalidText`. */
  readonly invalidText?: 'error' | InvalidText | undefined;
}

/** Makes the sink of a reader from that of the result. */
export function shaped(sink: Sink, { pick, numbers, invalidText }: Shaping): Sink {
  if (numbers !== undefined) keepAlive(TypedSink, () => new TypedSink(Object.create(null)));
  const inner = numbers === undefined ? sink : new TypedSink(sink);
  const outer = pick === undefined ? inner : new PickSink(inner, pick);
  return invalidText === undefined || invalidText === 'error' ? outer : new InvalidTextSink(outer, invalidText);
}

/**
 * Checks the options, and makes the function that makes the sinks. Throws a TypeError for invalid ones, and with
 * `previous`, whose comparison needs all of the payload. `of` has all options of the call.
 */
export function wrapper(shaping: Shaping, of: object): Wrap {
  const { pick, numbers, invalidText } = shaping;
  checkInvalidText(invalidText);
  const takesAllText = invalidText !== undefined && invalidText !== 'error';
  const name = pick ? 'pick' : numbers ? 'numbers' : takesAllText && 'invalidText';
  if (name && 'previous' in of) throw new TypeError(`the options ${name} and previous cannot be combined: decode without one of them`);
  check('invalid option numbers:', numbers, ['typed']);
  const isPath = (path: unknown): boolean => typeof path === 'string' || (Array.isArray(path) && path.every((key) => typeof key === 'string'));
  if (pick !== undefined && !(Array.isArray(pick) && pick.every(isPath))) {
    throw new TypeError("invalid option pick; expected an array of paths, such as ['orders.id'] or [['orders', 'id']]");
  }
  const paths = numbers === undefined && !takesAllText ? pick?.map((path) => (typeof path === 'string' ? path.split('.') : path)) : undefined;
  const picked = paths?.every((path) => path.length === 1) ? new Set(paths.flat()) : undefined;
  return Object.assign((sink: Sink) => shaped(sink, shaping), { picked });
}
