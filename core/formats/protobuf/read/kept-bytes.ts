const NOTHING = new Uint8Array(0);

/** Bytes of the input kept for later, in pieces that need not be adjacent. */
export class KeptBytes {
  bytes: Uint8Array<ArrayBuffer> = NOTHING;
  length = 0;
  /** Input offset of the first kept byte. */
  readonly origin: number;
  /** For each piece, its first position and the input offset that corresponds to position 0. */
  readonly starts: number[] = [];
  readonly bases: number[] = [];
  readonly #room: number;

  /** `room`: initial capacity in bytes. */
  constructor(origin: number, room = 256) {
    this.origin = origin;
    this.#room = room;
  }

  /** Appends `from..to` of a window; `base` is the input offset of the window's position 0. */
  append(source: Uint8Array, from: number, to: number, base: number): void {
    const at = this.length;
    const grown = at + to - from;
    if (grown > this.bytes.length) {
      const larger = new Uint8Array(Math.max(grown, this.bytes.length * 2, this.#room));
      larger.set(this.bytes.subarray(0, at));
      this.bytes = larger;
    }
    if (to - from < 16) for (let i = from; i < to; i += 1) this.bytes[at + i - from] = source[i]!;
    else this.bytes.set(source.subarray(from, to), at);
    this.length = grown;
    const shifted = base + from - at;
    if (this.bases.at(-1) !== shifted) {
      this.starts.push(at);
      this.bases.push(shifted);
    }
  }

  /** Index of the piece that contains a position. */
  pieceOf(position: number): number {
    let low = 0;
    let high = this.starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.starts[middle]! <= position) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
