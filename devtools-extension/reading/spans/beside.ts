import { BESIDE, type Beside } from '../../../core/reading/sink-methods.ts';
import type { BesideRanges, SpanData } from '../../../core/sinks/spans/tree.ts';

/** Bits of the length, or of the number of a bit. */
const LENGTH_BITS = 5;

/** A range of bytes outside a value that it is read by. */
export interface BesideRange {
  kind: Beside;
  label: string;
  from: number;
  end: number;
}

/** Collects the ranges of entries, whose numbers ascend. */
export class BesideList {
  #nodes = new Uint32Array(256);
  #starts = new Uint32Array(256);
  #kinds = new Uint8Array(256);
  #count = 0;
  /** Number of ranges whose entry is known. */
  #settled = 0;

  add(kind: Beside, start: number, length: number): void {
    if (this.#count === this.#starts.length) this.#grow();
    this.#starts[this.#count] = start;
    this.#kinds[this.#count++] = (BESIDE.indexOf(kind) << LENGTH_BITS) | length;
  }

  /** Gives the latest ranges to an entry. */
  settle(node: number): void {
    while (this.#settled < this.#count) this.#nodes[this.#settled++] = node;
  }

  /** Ranges of `count` entries; undefined without any range. */
  finish(count: number): BesideRanges | undefined {
    if (this.#settled === 0) return undefined;
    const first = new Uint32Array(count + 1);
    for (let at = 0; at < this.#settled; at += 1) first[this.#nodes[at]! + 1]! += 1;
    for (let node = 1; node <= count; node += 1) first[node]! += first[node - 1]!;
    return { first, starts: this.#starts.slice(0, this.#settled), kinds: this.#kinds.slice(0, this.#settled) };
  }

  #grow(): void {
    const grown = <T extends Uint32Array | Uint8Array>(from: T, to: T): T => {
      to.set(from);
      return to;
    };
    const room = this.#starts.length * 2;
    this.#nodes = grown(this.#nodes, new Uint32Array(room));
    this.#starts = grown(this.#starts, new Uint32Array(room));
    this.#kinds = grown(this.#kinds, new Uint8Array(room));
  }
}

/** Ranges outside the value of an entry that it is read by. */
export function besideOf({ beside }: SpanData, node: number): BesideRange[] {
  if (!beside) return [];
  const { first, starts, kinds } = beside;
  return Array.from(starts.subarray(first[node], first[node + 1]), (from, index) => {
    const packed = kinds[first[node]! + index]!;
    const kind = BESIDE[packed >> LENGTH_BITS]!;
    const number = packed & ((1 << LENGTH_BITS) - 1);
    return kind === 'validity' ? { kind, label: `validity, bit ${number}`, from, end: from + 1 } : { kind, label: kind, from, end: from + number };
  });
}
