import { DEFAULT_LIMITS } from './limits.ts';

// Checks of names that callers in plain JavaScript may misspell.

/** Throws for an option that does not exist. */
export function checkNames(options: object | undefined, known: readonly string[]): void {
  for (const name of Object.keys(options ?? {})) check('unknown option', name, known);
}

/** Throws for a limit that does not exist, or is negative or no number. */
export function checkLimits(limits: Readonly<Record<string, number | undefined>> | undefined): void {
  for (const [name, limit] of Object.entries(limits ?? {})) {
    check('unknown limit', name, Object.keys(DEFAULT_LIMITS));
    if (!((limit ?? 0) >= 0)) throw new TypeError(`invalid option ${name}: ${limit}`);
  }
}

/** Throws for a value that is not the module of a format or an encoder. */
export function checkModule(module: unknown, method: 'createReader' | 'createWriter'): void {
  if (typeof (module as Record<string, unknown> | null | undefined)?.[method] === 'function') return;
  throw new TypeError(`invalid format: ${String(module)}; expected the default export of a format's module`);
}

/** Throws a TypeError for a value that is not known, with those that are, and one that is similar. */
export function check(problem: string, value: string | undefined, known: readonly string[]): void {
  if (value === undefined || known.includes(value)) return;
  const near = nearestName(String(value), known);
  throw new TypeError(`${problem} ${String(value)}; ${near ? `did you mean ${near}? ` : ''}expected one of ${known.join(', ')}`);
}

/** A known name that begins and ends like a misspelled one, in three fifths of its characters; undefined if no name does. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  return known.find((other) => {
    const longest = Math.max(name.length, other.length);
    let start = 0;
    while (start < longest && name[start] === other[start]) start += 1;
    let end = 0;
    while (end < longest - start && name.at(-1 - end) === other.at(-1 - end)) end += 1;
    return (start + end) * 5 >= longest * 3;
  });
}
