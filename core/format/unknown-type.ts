import { nearestName } from '../check-names.ts';
import { SchemaError } from '../errors.ts';

/** Names that an error lists. */
const LISTED = 10;

/** The error for a type that a schema does not have: with one that is similar, or has the name in a package, and those it has. */
export function unknownType(kind: string, name: string, known: readonly string[]): SchemaError {
  const near = known.find((other) => other.endsWith(`.${name}`)) ?? nearestName(name, known);
  const listed = known.slice(0, LISTED).join(', ') + (known.length > LISTED ? ' …' : '');
  return new SchemaError(`unknown ${kind} ${name}; ${near === undefined ? '' : `did you mean ${near}? `}known ${kind}s: ${listed || 'none'}`);
}
