/**
 * Makes an array of the first values. Engines learn the kind of elements for each place in the source: a place that
 * makes only arrays of numbers stores them unboxed.
 */
export function makeNumbers(values: Float64Array, count: number): number[] {
  switch (count) {
    case 2:
      return [values[0]!, values[1]!];
    case 3:
      return [values[0]!, values[1]!, values[2]!];
    case 4:
      return [values[0]!, values[1]!, values[2]!, values[3]!];
    default: {
      const list = new Array<number>(count);
      for (let at = 0; at < count; at += 1) list[at] = values[at]!;
      return list;
    }
  }
}

/** Like `makeNumbers`, for integers: small ones take half the memory. */
export function makeIntegers(values: Float64Array, count: number): number[] {
  if (count === 2) {
    const one = values[0]! | 0;
    const other = values[1]! | 0;
    if (one === values[0] && other === values[1]) return [one, other];
  }
  const list = new Array<number>(count);
  for (let at = 0; at < count; at += 1) {
    const value = values[at]!;
    list[at] = (value | 0) === value ? value | 0 : value;
  }
  return list;
}
