// Functions that the driver (kernel.ts) calls in every module.
import { enter } from "./dictionary";
import { Column, context } from "./memory";

export function contextAddress(): usize {
  return changetype<usize>(context);
}

/** Start of the memory that the driver manages. */
export function freeAddress(): usize {
  return __heap_base;
}

/** Adds the entries from `first` on to the slots of a column's dictionary; clears the slots first if `first` is 0. */
export function enterEntries(column: usize, first: i32): void {
  const c = changetype<Column>(column);
  if (first == 0) memory.fill(c.slots, 0, 8 * (c.mask + 1));
  enter(c, first);
}
