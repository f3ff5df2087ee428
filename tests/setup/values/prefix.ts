/**
 * Says where `part`, a value of which only a part has arrived, is no beginning of `whole`; undefined if it is one. A list is a
 * beginning if its items are those of the other, the last one in part; an object if its keys are the first keys of the other,
 * the last one's value in part, keys that are indices in any order, since engines sort them; a string if it ends after a whole code
 * point of the other. `isUnordered`: keys of all objects are in any order.
 */
export function notPrefix(part: unknown, whole: unknown, path = '$', isUnordered = false): string | undefined {
  if (typeof part === 'string' && typeof whole === 'string') {
    const cut = whole.slice(part.length - 1, part.length + 1);
    const isHalf = part.length > 0 && part.length < whole.length && cut.length === 2 && cut.codePointAt(0)! > 0xffff;
    return whole.startsWith(part) && !isHalf ? undefined : `${path}: ${JSON.stringify(part)} does not begin ${JSON.stringify(whole)}`;
  }
  if (typeof part !== 'object' || part === null) return Object.is(part, whole) ? undefined : `${path}: ${String(part)} is not ${String(whole)}`;
  if (typeof whole !== 'object' || whole === null || Object.getPrototypeOf(part) !== Object.getPrototypeOf(whole)) return `${path}: another type`;
  if (part instanceof Map) return notPrefix([...part.values()], [...(whole as Map<unknown, unknown>).values()], path, isUnordered);
  if (part instanceof Set) return notPrefix([...part], [...(whole as Set<unknown>)], path, isUnordered);
  const keys = Object.keys(part);
  const others = Object.keys(whole);
  const isOrdered = !isUnordered && !others.some((key) => String(Number(key)) === key);
  for (const [at, key] of keys.entries()) {
    const isInPlace = isOrdered ? others[at] === key : Object.hasOwn(whole, key);
    if (!isInPlace) return `${path}: key ${at} is ${key}, not ${others[at]}`;
    const one = (part as Record<string, unknown>)[key];
    const other = (whole as Record<string, unknown>)[key];
    const where = notPrefix(one, other, `${path}.${key}`, isUnordered);
    if (where !== undefined) return where;
  }
  return undefined;
}

/** Says which finished part of `before` is another object in `after`; undefined if none is. The last entry may be unfinished. */
export function notKept(before: unknown, after: unknown, path = '$'): string | undefined {
  if (before === after) return undefined;
  if (typeof before !== 'object' || before === null || typeof after !== 'object' || after === null) return undefined;
  const keys = Object.keys(before);
  for (const [at, key] of keys.entries()) {
    const one = (before as Record<string, unknown>)[key];
    const other = (after as Record<string, unknown>)[key];
    if (at < keys.length - 1) {
      if (!Object.is(one, other)) return `${path}.${key} is another value`;
    } else {
      const where = notKept(one, other, `${path}.${key}`);
      if (where !== undefined) return where;
    }
  }
  return undefined;
}
