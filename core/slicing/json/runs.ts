import { countBuilt } from '../minor-gc.ts';
import { BRACE_BIT, MINUS, OPEN_BRACE, OPEN_BRACKET, QUOTE } from '../../bytes/text/json-bytes.ts';
import { guessScalarCut, ItemSearch, valueOfMember } from './cuts.ts';
import type { JsonInput } from './input.ts';
import type { Level } from './level.ts';
import { JsonScan } from './scan.ts';
import { continuedKey, type JsonTree } from './tree.ts';
import { NOT_PLAIN } from './values.ts';
import { numberLists } from './numbers/load-number-lists.ts';
import { ARRAY_VALUES, BYTES_PER_VALUE, COUNT_ARRAYS_FROM, COUNT_VALUES_FROM, SMALL_ITEM_BYTES, SMALL_ITEM_VALUES } from '../tuning.ts';

/** Limits for wasted work: this fraction (1/n) of the parsed bytes, plus this many bytes. */
const WASTED_PART = 4;
const WASTED_BYTES = 256 * 1024;

/** Speed of scanning relative to parsing. */
const SCAN_SPEED = 12;

/**
 * Items that end before this fraction of a piece leave too much of the piece unused if the next item can be opened
 * instead.
 */
const MIN_PART = 1 / 2;
/** Fraction (1/n) at the end of a piece that is searched for the start of an outer list's item. */
const TAIL_PART = 8;

/** Outer items longer than this many pieces are searched for only at the end of a piece. */
const MANY_PIECES = 8;

/** Bytes searched for the end of a member in an object that begins with a scalar: a long member seldom follows later. */
const NEAR = 1024;

/** Bytes without a string after which a list is worth opening. */
const LONG = 2048;

/** Items shorter than this fraction (1/n) of a piece are seldom worth opening. */
const SHORT_PART = 32;

/**
 * Reads runs: the bytes from one item or member to the end of another, in the same or another container, framed by the
 * brackets that make them a JSON text.
 *
 * This is exact. JSON is read from left to right, and after an item, only the open containers determine what may
 * follow. If the opening brackets of the containers open before the run, the run itself, and the closing brackets of
 * those assumed open after it parse together, the assumption holds. A cut inside a string or at another depth does not
 * parse, so a wrong guess only costs time.
 */
export class RunReader {
  /** Finds cuts if guesses fail. */
  readonly scan = new JsonScan();
  readonly #near = new JsonScan();
  readonly #input: JsonInput;
  readonly #tree: JsonTree;
  /** Number of containers that the parser adds around the text. */
  readonly #synthetic: number;
  /** Bytes scanned or parsed without a result. */
  #wasted = 0;

  /** `isSequence`: the outermost container represents a sequence. */
  constructor(input: JsonInput, tree: JsonTree, isSequence: boolean) {
    this.#input = input;
    this.#tree = tree;
    this.#synthetic = isSequence ? 1 : 0;
  }

  /**
   * Reads a run from the current item or member. Returns `'open'` if it is too long and must be opened; false if more
   * bytes are needed, or the text needs the JSON reader.
   */
  read(): boolean | 'open' {
    const { at, end } = this.#input.window;
    if (this.#input.isShort(at)) return false;
    const to = this.#input.pieceEnd(at);
    if (this.#readNumbers(at, to)) return true;
    if (this.#opensNumbers(at)) return 'open';
    const guessed = this.#mayGuess(to - at) ? this.#guess(at, to) : false;
    if (guessed !== false || !this.#input.plain) return guessed;
    return this.#scanAhead(at, to, end);
  }

  /** Forgets positions after the window moved. */
  forget(): void {
    this.scan.forget();
    for (const { search } of this.#tree.levels) search?.forget();
  }

  /** Records whether an opened container was worth opening. */
  closed(level: Level): void {
    const parent = this.#tree.levels.at(-1);
    if (parent && level.parsed < this.#input.size.bytes / SHORT_PART) parent.isMixed = true;
  }

  /** True if the last scan found too many levels or too long a string. */
  passesLimit({ longest, deepest } = this.scan): boolean {
    const { depth, stringLength } = this.#input.limits;
    return longest > stringLength || deepest - this.#synthetic > depth;
  }

  /** Reads numbers and lists of numbers; false if nothing was read. */
  #readNumbers(at: number, to: number): boolean {
    const { bytes } = this.#input.window;
    const { levels, innermost } = this.#tree;
    if (innermost.isObject || !mayBeginNumbers(bytes[at]!)) return false;
    const run = numberLists()?.(innermost.listToFill(), bytes, at, to, this.#input.limits.depth + this.#synthetic - levels.length);
    if (run === undefined) return false;
    if (this.#input.received >= COUNT_ARRAYS_FROM) countBuilt(run.created * ARRAY_VALUES);
    this.#tree.addLists(run.lists);
    this.#tree.innermost.parsed += run.end - at;
    this.#input.advance(run.end);
    return true;
  }

  /** True if the current member is a long list that begins without a string, which is usually a list of numbers. */
  #opensNumbers(at: number): boolean {
    const { bytes, end } = this.#input.window;
    if (!this.#tree.innermost.isObject) return false;
    const value = valueOfMember(bytes, at, end);
    if (value < 0 || bytes[value] !== OPEN_BRACKET || value + LONG > end) return false;
    if (bytes.subarray(value, value + LONG).includes(QUOTE)) return false;
    this.scan.forget();
    return true;
  }

  #mayGuess(length: number): boolean {
    const { parsed, limits } = this.#input;
    return length <= limits.stringLength && this.#tree.innermost.mayGuess && this.#wasted <= parsed / WASTED_PART + WASTED_BYTES;
  }

  /** Reads a run up to a guessed item boundary; false if that does not parse, or there is no candidate. */
  #guess(at: number, to: number): boolean | 'open' {
    const { levels } = this.#tree;
    const { bytes } = this.#input.window;
    const innermost = levels.length - 1;
    const level = levels[innermost]!;
    const outer = this.#outerList(innermost);
    // If an item of an outer list begins in the piece, this container has probably ended before it. If those items are
    // long, the end of the piece is enough to search.
    const tail = outer >= 0 && this.#opensLong(levels[outer]!, to - at) ? to - Math.floor((to - at) / TAIL_PART) : at;
    if (outer >= 0 && this.#guessAt(outer, outer, at, tail, to)) return true;
    const middle = at + Math.floor((to - at) * MIN_PART);
    level.search = ItemSearch.like(bytes, at, to, level.isObject);
    if (level.search === undefined) {
      const cut = level.isObject ? this.#endOfScalars(at, to) : guessScalarCut(bytes, at, middle, to);
      if (cut > at && this.#readRun(innermost, innermost, at, cut)) return true;
      if (this.#input.plain) this.#wastedBytes(level, cut > at ? cut - at : (to - at) / SCAN_SPEED);
      return false;
    }
    const base = this.#firstOfLists(innermost);
    if (this.#guessAt(base, innermost, at, middle, to)) return true;
    if (!this.#input.plain) return false;
    if (level.isMixed || !this.#opensAt(at, level)) return this.#guessAt(base, innermost, at, at, middle);
    // An item without a similar one within half a piece is probably long. The containers that a scan found open may
    // differ from the one opened now.
    this.scan.forget();
    level.opened += 1;
    level.openedAt = this.#input.parsed;
    return 'open';
  }

  /** True if the last item opened in a container spans many pieces, as far as known. */
  #opensLong({ openedBytes, openedAt }: Level, piece: number): boolean {
    return Math.max(openedBytes, this.#input.parsed - openedAt) > piece * MANY_PIECES;
  }

  /** End of the last member that ends near `at`, if the first member is a scalar; −1 if not found. */
  #endOfScalars(at: number, to: number): number {
    const scan = this.#near;
    const number = this.#tree.levels.length;
    scan.run(this.#input.window.bytes, at, Math.min(to, at + NEAR), number);
    if (this.passesLimit(scan)) return -1;
    return scan.closed < 0 ? scan.lastComma(number) : scan.closed;
  }

  /** Reads a run up to an item in `from..to` of the container at `end` that is similar to the last one opened there. */
  #guessAt(base: number, end: number, at: number, from: number, to: number): boolean {
    const search = this.#tree.levels[end]!.search!;
    const cut = search.last(this.#input.window.bytes, from, to);
    if (cut > at && this.#readRun(base, end, at, cut)) return true;
    this.#wasted += search.work / SCAN_SPEED;
    if (cut > at) this.#wastedBytes(this.#tree.innermost, cut - at);
    return false;
  }

  #wastedBytes(level: Level, bytes: number): void {
    this.#wasted += bytes;
    level.wasted += bytes;
  }

  /**
   * Index of the container at `index`, or of the outermost list if it is the innermost of directly nested lists. A run within a
   * list whose items are emitted ends between two of them: none is needed again once it was emitted.
   */
  #firstOfLists(index: number): number {
    const { levels } = this.#tree;
    let first = index;
    while (first > this.#synthetic && !levels[first]!.isObject && !levels[first - 1]!.isObject && !levels[first - 1]!.isConsumer) first -= 1;
    return first;
  }

  /** Index of the innermost container around those lists that is known to have several items; −1 if not found. */
  #outerList(index: number): number {
    const { levels } = this.#tree;
    for (let outer = this.#firstOfLists(index) - 1; outer >= this.#synthetic; outer -= 1) {
      const { search, isObject, opened } = levels[outer]!;
      if (search !== undefined && (!isObject || opened > 1)) return outer;
    }
    return -1;
  }

  /** Reads a run up to a boundary found by a scan, or opens the item if it exceeds the available bytes. */
  #scanAhead(at: number, to: number, end: number): boolean | 'open' {
    const { scan } = this;
    const { levels } = this.#tree;
    const level = this.#tree.innermost;
    const number = levels.length;
    const covers = scan.covers(at, number, level.start);
    let cut = covers ? scan.lastComma(number) : -1;
    // Either the open item is longer than half a piece, or another scan finds more.
    if (cut <= at && !(covers && scan.to - at >= (to - at) >> 1)) {
      scan.run(this.#input.window.bytes, at, to, number);
      if (this.passesLimit()) return this.#input.fail();
      cut = scan.closed < 0 ? scan.lastComma(number) : scan.closed;
      if (cut < at) this.#wasted += (to - at) / SCAN_SPEED;
    }
    if (cut >= at) return this.#readRun(number - 1, number - 1, at, cut) || this.#input.fail();
    if (!this.#input.isLast && !this.#input.isIdle && end - at < this.#input.size.bytes) return this.#input.wait();
    if (this.#input.isLast && scan.to === end) return this.#input.fail();
    return 'open';
  }

  /** True if the current item or member is a list or an object. */
  #opensAt(at: number, level: Level): boolean {
    const { bytes, end } = this.#input.window;
    const value = level.isObject ? valueOfMember(bytes, at, end) : at;
    return value >= 0 && value < end && (bytes[value]! | BRACE_BIT) === OPEN_BRACE;
  }

  /**
   * Reads up to `to`, which is in the container at `end` or in a later sibling of it, without leaving the one at
   * `base`. Only lists lie between the two. Returns false if the text does not parse.
   */
  #readRun(base: number, end: number, at: number, to: number): boolean {
    if (to === at) return false;
    const { levels } = this.#tree;
    let before = '';
    let after = '';
    for (let index = base; index < levels.length; index += 1) {
      const { opening, isObject } = levels[index]!;
      before += opening;
      if (isObject && index < levels.length - 1) before += `"${continuedKey()}":`;
      if (index <= end) after = (isObject ? '}' : ']') + after;
    }
    const value = this.#input.parse(before, at, to, after, this.#input.limits.depth - base + this.#synthetic);
    if (value === NOT_PLAIN) return false;
    if (this.#input.received >= COUNT_VALUES_FROM) countBuilt((to - at) / BYTES_PER_VALUE);
    if (Array.isArray(value)) countSmall(value, to - at);
    this.#tree.addRun(base, end, value);
    this.#tree.innermost.parsed += to - at;
    this.#input.advance(to);
    return true;
  }
}

function mayBeginNumbers(byte: number): boolean {
  return byte === OPEN_BRACKET || byte === MINUS || (byte >= 0x30 && byte <= 0x39);
}

/** Counts a list's items for the collector if they are small lists or objects. */
function countSmall(items: readonly unknown[], bytes: number): void {
  if (items.length * SMALL_ITEM_BYTES > bytes && typeof items.at(-1) === 'object') countBuilt(items.length * SMALL_ITEM_VALUES);
}
