// What checks whole items, of which a table keeps the bytes: see `raw-kernel.ts`.
import { context } from "./memory";

/** An item lies in `from..end`. */
@inline export function setItem(row: i32, from: usize, end: usize): void {
  store<usize>(context.columns + 8 * row, from);
  store<usize>(context.columns + 8 * row, end, 4);
}

/** Ends a run before an item that was not taken, or where there is no room; `left` values may still come. Returns the number of items. */
export function stopItems(row: i32, position: usize, status: i32, left: i32): i32 {
  context.position = position;
  context.status = status;
  context.values = context.most - left;
  return row;
}
