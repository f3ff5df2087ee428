// Results of kernels that validate whole items, whose bytes a table keeps: see `lazy-kernel.ts`.
import { context } from "./memory";

/** Stores the range of an item. */
@inline export function setItem(row: i32, from: usize, end: usize): void {
  store<usize>(context.columns + 8 * row, from);
  store<usize>(context.columns + 8 * row, end, 4);
}

/**
 * Ends a run before an item that was not accepted, or when no room is left; `left` values may still follow. Returns the
 * number of items.
 */
export function stopItems(row: i32, position: usize, status: i32, left: i32): i32 {
  context.position = position;
  context.status = status;
  context.values = context.most - left;
  return row;
}
