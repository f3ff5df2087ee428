// What the driver (kernel.ts) calls of every module.
import { enter } from "./dictionary";
import { Column, context } from "./memory";

export function contextAddress(): usize {
  return changetype<usize>(context);
}

/** Where the driver's memory begins. */
export function freeAddress(): usize {
  return __heap_base;
}

/** Enters the entries from `first` on of a column's dictionary in its slots; where it is 0, these are emptied before. */
export function enterEntries(column: usize, first: i32): void {
  const c = changetype<Column>(column);
  if (first == 0) memory.fill(c.slots, 0, 8 * (c.mask + 1));
  enter(c, first);
}
