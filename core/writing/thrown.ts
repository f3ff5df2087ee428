import { EncodeError } from '../errors.ts';

/** The error for what the application's own code threw: `what` names the code, a getter, `toJSON`, proxy or source. */
export function thrown(cause: unknown, what = 'reading the value', place: { format?: string; path?: (string | number)[] } = {}): EncodeError {
  return new EncodeError('thrown', `${what} threw: ${textOf(cause)}`, { ...place, cause });
}

/** The text of whatever was thrown: an object without a prototype has none, and a `toString` may throw again. */
function textOf(cause: unknown): string {
  try {
    return String(cause);
  } catch {
    return 'a value without a text';
  }
}
