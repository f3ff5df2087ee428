/** Number of equal characters from which a row begins where it differs. */
const MIN_EQUAL = 16;

/**
 * Position of the first key or item at which a text differs from one of its neighbours; 0 if that is near its beginning.
 * Without neighbours, or if they are equal, it is 0 as well.
 */
export function differsFrom(text: string, neighbours: readonly string[]): number {
  const others = neighbours.filter((other) => other !== text);
  if (others.length === 0) return 0;
  let equal = text.length;
  for (const other of others) {
    let at = 0;
    while (at < equal && text[at] === other[at]) at += 1;
    equal = at;
  }
  const boundary = Math.max(...[',', '{', '['].map((mark) => text.lastIndexOf(mark, equal - 1))) + 1;
  return boundary < MIN_EQUAL ? 0 : boundary;
}
