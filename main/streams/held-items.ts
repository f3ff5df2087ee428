import type { HeldInput, SkippedItems } from '../../core/slicing/sliced-decode.ts';

/**
 * The bytes of a payload without most of the items that were emitted. Holds what is around the list, its first items, and what
 * follows the last item that was emitted, so that a reader continues there.
 */
export class HeldItems implements HeldInput {
  /** Number of items that are not held. */
  dropped = 0;
  /** Bytes and skipped items before `#tail`. */
  readonly #parts: (Uint8Array | SkippedItems)[] = [];
  readonly #tail: Uint8Array[] = [];
  /** Position of `#tail` in the payload. */
  #offset = 0;
  /** The list that items were last emitted from, and those of its items that are not held. */
  #list: object | undefined;
  #skipped: SkippedItems = { length: 0, items: 0 };
  /** Number of items that were emitted before these. */
  #before = 0;

  *[Symbol.iterator](): Generator<Uint8Array | SkippedItems, void> {
    yield* this.#parts;
    yield* this.#tail;
  }

  push(chunk: Uint8Array): void {
    this.#tail.push(chunk);
  }

  pass(offset: number, list: object, items: number): void {
    // The first item shows a reader that the list has begun.
    if (items === 0) return;
    const length = offset - this.#offset;
    const passed = this.#cut(length);
    if (list === this.#list) {
      this.dropped += items - this.#before - this.#skipped.items;
      this.#skipped.items = items - this.#before;
      this.#skipped.length += length;
      return;
    }
    for (const part of passed) this.#parts.push(part);
    this.#parts.push((this.#skipped = { length: 0, items: 0 }));
    this.#list = list;
    this.#before = items;
  }

  /** Removes the first bytes of the tail and returns them. */
  #cut(length: number): Uint8Array[] {
    const tail = this.#tail;
    let left = length;
    let whole = 0;
    while (whole < tail.length && tail[whole]!.length <= left) left -= tail[whole++]!.length;
    const cut = tail.splice(0, whole);
    if (left > 0) {
      cut.push(tail[0]!.subarray(0, left));
      tail[0] = tail[0]!.subarray(left);
    }
    this.#offset += length;
    return cut;
  }
}
