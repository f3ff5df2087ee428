import { stringEnd } from '../../bytes/text/json-string.ts';
import { BRACE_BIT, CLOSE_BRACE, COMMA, OPEN_BRACE, QUOTE } from '../../bytes/text/json-bytes.ts';

/** Bytes of a string searched word by word before falling back to the engine's `indexOf`. */
const NEAR = 64;

/**
 * Finds item boundaries exactly. It tracks strings and depth, and ignores the rest of the grammar. One scan covers all
 * containers open at its end, so that deeply nested text is not scanned once per level.
 */
export class JsonScan {
  /** Range of the last scan, for which the results hold. */
  from = 0;
  to = 0;
  /** Number of containers open at `from`. */
  base = 0;
  /** Position of the bracket that closes the innermost of them, where the scan ends; −1 if not found. */
  closed = -1;
  /** Maximum number of containers open at once, including those around `from`. */
  deepest = 0;
  /** Bytes of the longest string, without its quotation marks. */
  longest = 0;
  /** Position of the last comma in each container still open at the end, outermost first; −1 if not found. */
  readonly #commas: number[] = [];
  /** Position of each container's content; unused for the outermost. */
  readonly #starts: number[] = [];

  /** Forgets the results after the window moved. */
  forget(): void {
    this.to = 0;
  }

  /** Scans `from..to`, with `base` containers open at `from`. */
  run(bytes: Uint8Array, from: number, to: number, base: number): void {
    const part = bytes.subarray(0, to);
    const view = new DataView(part.buffer, part.byteOffset, to);
    const commas = this.#commas;
    const starts = this.#starts;
    let depth = 0;
    let maxDepth = 0;
    let longest = 0;
    let at = from | 0;
    let comma = -1;
    this.closed = -1;
    while (at < to) {
      at = nextMark(view, at, to);
      const byte = part[at];
      if (byte === QUOTE) {
        let end = nextQuote(view, at + 1, to);
        if (part[end] !== QUOTE) {
          end = stringEnd(part, end) - 1;
          if (end < 0) end = to;
        }
        if (end - at > longest) longest = end - at;
        at = end + 1;
        continue;
      }
      if (byte === COMMA) {
        comma = at;
      } else if ((byte! | BRACE_BIT) === OPEN_BRACE) {
        commas[depth] = comma;
        comma = -1;
        depth += 1;
        starts[depth] = at + 1;
        if (depth > maxDepth) maxDepth = depth;
      } else if ((byte! | BRACE_BIT) === CLOSE_BRACE) {
        if (depth === 0) {
          this.closed = at;
          break;
        }
        depth -= 1;
        comma = commas[depth]!;
      }
      at += 1;
    }
    commas[depth] = comma;
    commas.length = depth + 1;
    this.from = from;
    this.to = this.closed < 0 ? to : this.closed;
    this.base = base;
    this.deepest = base + maxDepth;
    this.longest = longest - 1;
  }

  /**
   * True if the scan covers `at` in the container number `level`, counted from 1 at the root, whose content begins at
   * `start`.
   */
  covers(at: number, level: number, start: number): boolean {
    const index = level - this.base;
    if (at < this.from || at >= this.to || index < 0 || index >= this.#commas.length) return false;
    return index === 0 || this.#starts[index] === start;
  }

  /** Position of the last comma in that container; −1 if not found. */
  lastComma(level: number): number {
    return this.#commas[level - this.base] ?? -1;
  }
}

/**
 * Position of the first quotation mark, comma or bracket in `at..to`, or of a letter that differs from one by a bit;
 * otherwise `to`.
 */
function nextMark(view: DataView, from: number, to: number): number {
  let at = from | 0;
  for (const words = (to - 4) | 0; at <= words; at = (at + 4) | 0) {
    const word = view.getInt32(at, true);
    const quote = word ^ 0x22222222;
    const comma = word ^ 0x2c2c2c2c;
    // The four brackets differ only in the bits set here; Y, y, _ and DEL match too.
    const bracket = (word | 0x26262626) ^ 0x7f7f7f7f;
    const found = (((quote - 0x01010101) & ~quote) | ((comma - 0x01010101) & ~comma) | ((bracket - 0x01010101) & ~bracket)) & 0x80808080;
    if (found !== 0) return at + ((31 - Math.clz32(found & -found)) >> 3);
  }
  while (at < to && !isMark(view.getUint8(at))) at += 1;
  return at;
}

function isMark(byte: number): boolean {
  return byte === QUOTE || byte === COMMA || (byte | BRACE_BIT) === OPEN_BRACE || (byte | BRACE_BIT) === CLOSE_BRACE;
}

/**
 * Position of the first quotation mark or backslash within the first words of `at..to`; otherwise a position after
 * those words.
 */
function nextQuote(view: DataView, from: number, to: number): number {
  let at = from | 0;
  for (const words = Math.min(to - 4, at + NEAR) | 0; at <= words; at = (at + 4) | 0) {
    const word = view.getInt32(at, true);
    const quote = word ^ 0x22222222;
    const escape = word ^ 0x5c5c5c5c;
    const found = (((quote - 0x01010101) & ~quote) | ((escape - 0x01010101) & ~escape)) & 0x80808080;
    if (found !== 0) return at + ((31 - Math.clz32(found & -found)) >> 3);
  }
  return at;
}
