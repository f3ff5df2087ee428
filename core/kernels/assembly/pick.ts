// Writes the parts of validated items that are kept: see `lazy-kernel.ts`. What is written of an item is never longer than the item.
import { copy, same } from "./bytes";
import { NODE_HEAD_BYTES, NODE_KEY_BYTES } from "./layout";
import { context } from "./memory";

/** Position of the next byte that is written. */
export let written: usize = 0;

/** Begins to write. Called once in a run. */
@inline export function beginWriting(): void {
  written = context.output;
}

@inline export function writeByte(byte: u8): void {
  store<u8>(written++, byte);
}

@inline export function writeRange(from: usize, end: usize): void {
  copy(written, from, <i32>(end - from));
  written += end - from;
}

/** True if the values of a node are kept as a whole. */
@inline export function isWhole(node: usize): bool {
  return load<i32>(node) < 0;
}

/** The node of a key, which is a range of `length` bytes of text; 0 if the value is dropped. */
export function childOf(node: usize, from: usize, length: i32): usize {
  const end = node + NODE_HEAD_BYTES + NODE_KEY_BYTES * load<i32>(node);
  for (let key = node + NODE_HEAD_BYTES; key < end; key += NODE_KEY_BYTES) {
    if (load<i32>(key, 4) == length && same(load<usize>(key), from, length)) return load<usize>(key, 8);
  }
  return 0;
}
