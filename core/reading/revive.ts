/**
 * Makes the values of the core's tags, which JSON lacks and no event carries, from their inner values. Shared by every
 * sink and by the page. This file imports nothing.
 */

/** Makes the value of a tag from its inner value. Throws if the inner value does not fit. */
export type ReviveTag = (tag: string, inner: unknown) => unknown;

/**
 * The value of a tag without a colon: `RegExp` from `[source, flags]`, `Error` from `[name, message, cause]`, `URL`
 * from a string. Throws a TypeError or SyntaxError that says what is wrong.
 */
export function reviveCore(tag: string, inner: unknown): unknown {
  switch (tag) {
    case 'RegExp':
      return reviveRegExp(inner);
    case 'Error':
      return reviveErrorValue(inner);
    case 'URL':
      if (typeof inner !== 'string') throw new TypeError('a URL that is not a string');
      return new URL(inner);
    default:
      throw new TypeError(`an unknown tag: ${tag}`);
  }
}

function reviveRegExp(inner: unknown): RegExp {
  if (!Array.isArray(inner) || typeof inner[0] !== 'string' || typeof (inner[1] ?? '') !== 'string') {
    throw new TypeError('a regular expression has no source');
  }
  return new RegExp(inner[0], inner[1] as string | undefined);
}

const ERRORS = [Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError];

function reviveErrorValue(inner: unknown): Error {
  if (!Array.isArray(inner) || typeof inner[0] !== 'string' || typeof (inner[1] ?? '') !== 'string') {
    throw new TypeError('an error without a name');
  }
  const [name, message = '', cause] = inner as [string, string?, unknown?];
  const options = cause === undefined ? undefined : { cause };
  if (name === 'AggregateError') return new AggregateError([], message, options);
  const own = ERRORS.find((constructor) => constructor.name === name);
  const error = new (own ?? Error)(message, options);
  if (!own) error.name = name;
  return error;
}
