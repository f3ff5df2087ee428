import { BRACE_BIT, CLOSE_BRACE, COMMA, OPEN_BRACE, QUOTE, stringEnd } from './bytes.ts';

/** How far the end of a string is looked for in words, before the engine's own search takes over. */
const NEAR = 64;

/**
 * Looks for the ends of items exactly: it knows strings and depth, though no more of the grammar. One look serves all
 * the containers that it finds open, so that a deeply nested text is not read once for each level.
 */
export class JsonScan {
  /** Where the look began and ended; what it found holds for positions between them. */
  from = 0;
  to = 0;
  /** How many containers were open around `from`. */
  base = 0;
  /** The position of the bracket that closes the innermost of those; −1 where it does not come. The look ends there. */
  closed = -1;
  /** The most containers open at once, those around `from` included. */
  deepest = 0;
  /** Bytes of the longest string, between its quotation marks. */
  longest = 0;
  /** The last comma in each container that is open in the end, outermost first; −1 where there is none. */
  readonly #commas: number[] = [];
  /** Where the content of each begins; of the outermost that does not matter. */
  readonly #starts: number[] = [];

  /** What was found holds no longer: the bytes have other positions. */
  forget(): void {
    this.to = 0;
  }

  /** Looks from `from`, with `base` containers open, to `to`. */
  look(bytes: Uint8Array, from: number, to: number, base: number): void {
    const part = bytes.subarray(0, to);
    const view = new DataView(part.buffer, part.byteOffset, to);
    const commas = this.#commas;
    const starts = this.#starts;
    let depth = 0;
    let most = 0;
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
        if (depth > most) most = depth;
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
    this.deepest = base + most;
    this.longest = longest - 1;
  }

  /**
   * Whether the look knows what lies at `at` in a container: the one of that number, counted from the root's, which is 1,
   * whose content begins at `start`.
   */
  covers(at: number, level: number, start: number): boolean {
    const index = level - this.base;
    if (at < this.from || at >= this.to || index < 0 || index >= this.#commas.length) return false;
    return index === 0 || this.#starts[index] === start;
  }

  /** The position of the last comma in that container; −1 where there is none. */
  lastComma(level: number): number {
    return this.#commas[level - this.base] ?? -1;
  }
}

/** The position of the first quotation mark, comma or bracket in `at..to`, or of a letter that looks like one; else `to`. */
function nextMark(view: DataView, from: number, to: number): number {
  let at = from | 0;
  for (const words = (to - 4) | 0; at <= words; at = (at + 4) | 0) {
    const word = view.getInt32(at, true);
    const quote = word ^ 0x22222222;
    const comma = word ^ 0x2c2c2c2c;
    // All four brackets have these bits set, and no others but those that are set here.
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

/** The position of the first quotation mark or backslash in `at..to`, among the first words; else of a place behind them. */
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

/** The position of what ends the item at `from`: a comma, or the bracket of its list; `to` where neither comes. */
export function itemEnd(bytes: Uint8Array, from: number, to: number): number {
  const part = bytes.subarray(0, to);
  let depth = 0;
  for (let at = from; at < to; at += 1) {
    const byte = part[at]!;
    if (byte === QUOTE) {
      const end = stringEnd(part, at + 1);
      if (end < 0) return to;
      at = end - 1;
    } else if ((byte | BRACE_BIT) === OPEN_BRACE) depth += 1;
    else if (depth === 0 && (byte === COMMA || (byte | BRACE_BIT) === CLOSE_BRACE)) return at;
    else if ((byte | BRACE_BIT) === CLOSE_BRACE) depth -= 1;
  }
  return to;
}
