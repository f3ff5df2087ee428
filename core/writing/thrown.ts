import { EncodeError } from '../errors.ts';

/**
 * The error for an exception of the application's own code. `what` names the code: a getter, `toJSON`, proxy or source.
 */
export function thrown(cause: unknown, what = 'reading the value', place: { format?: string; path?: (string | number)[] } = {}): EncodeError {
  return new EncodeError('thrown', `${what} threw: ${textOf(cause)}`, { ...place, cause });
}

/** The text of a thrown value. Objects without a prototype have none, and a `toString` may throw again. */
function textOf(cause: unknown): string {
  try {
    return String(cause);
  } catch {
    return 'a value without a text';
  }
}

/** Rejects a string that UTF-8 cannot represent. */
export function refuseSurrogate(): never {
  throw new EncodeError('text', 'the string has a lone surrogate');
}
