import { countBuilt } from '../slicing/minor-gc.ts';
import { BRACE_BIT, MINUS, OPEN_BRACE, OPEN_BRACKET, QUOTE } from './bytes.ts';
import { guessScalarCut, ItemSearch, valueOfMember } from './cuts.ts';
import type { JsonInput } from './input.ts';
import { soundItems } from './items.ts';
import type { Level } from './level.ts';
import { JsonScan } from './scan.ts';
import { CONTINUED, type JsonTree } from './tree.ts';
import { NOT_PLAIN } from './values.ts';
import { numberLists } from './numbers/load-number-lists.ts';
import { BYTES_A_VALUE, HUGE_BYTES, LARGE_BYTES } from '../slicing/sliced-decode.ts';

/** Of what was parsed, a part so small may have been parsed in vain, and so many bytes. */
const WASTED_PART = 4;
const WASTED_BYTES = 1024 * 1024;

/** Bytes are looked through so many times as fast as they are parsed. */
const LOOK_SPEED = 12;

/** An item that ends before this part of a piece leaves too much of it, where it can be opened instead. */
const LEAST_PART = 1 / 2;
/** In the last of so many parts of a piece, a place where an item of an outer list begins is looked for. */
const TAIL_PART = 8;

/** Items of an outer list that are so many pieces long are seldom looked for. */
const MANY_PIECES = 8;

/** Members of an object that begins with a scalar are looked for in so many bytes: a long one is seldom far. */
const NEAR = 1024;

/** A list that begins with so many bytes without a string is worth being opened. */
const LONG = 2048;

/** Items of which one is so small a part of a piece are seldom worth being opened. */
const SHORT_PART = 32;

/**
 * Reads runs: the bytes from an item or member on, to where one ends, in the same container or in another, with the
 * brackets around it that make it a JSON text.
 *
 * Why that is exact: JSON is read from left to right, and what was read so far leaves the parser in one state, of which
 * the open containers are all that counts behind an item. Where the opening brackets of the containers that were open,
 * the run, and the closing brackets of those that are thought to be open behind it parse together, they are open. A cut
 * inside a string or in another depth does not parse, so that a wrong guess costs time and nothing else.
 */
export class RunReader {
  /** It finds cuts where guesses fail. */
  readonly scan = new JsonScan();
  readonly #near = new JsonScan();
  readonly #input: JsonInput;
  readonly #tree: JsonTree;
  /** Containers of the tree that are none of the text's. */
  readonly #unreal: number;
  /** Bytes that were looked at or parsed in vain. */
  #wasted = 0;

  /** `isSequence`: the outermost container of the tree stands for a sequence. */
  constructor(input: JsonInput, tree: JsonTree, isSequence: boolean) {
    this.#input = input;
    this.#tree = tree;
    this.#unreal = isSequence ? 1 : 0;
  }

  /**
   * Reads a run from the item or member at hand. `'open'` where it is too long for that, and has to be opened; false where
   * more bytes must come, or the text is for the JSON reader.
   */
  read(): boolean | 'open' {
    const { at, end } = this.#input.window;
    if (this.#input.isShort(at)) return false;
    const to = this.#input.pieceEnd(at);
    if (this.#readNumbers(at, to)) return true;
    if (this.#opensNumbers(at)) return 'open';
    const guessed = this.#mayGuess(to - at) ? this.#guess(at, to) : false;
    if (guessed !== false || !this.#input.plain) return guessed;
    return this.#look(at, to, end);
  }

  /** Positions in the window have changed. */
  forget(): void {
    this.scan.forget();
    for (const { search } of this.#tree.levels) search?.forget();
  }

  /** A container that was opened has ended: whether it was worth being opened. */
  closed(level: Level): void {
    const around = this.#tree.levels.at(-1);
    if (around && level.parsed < this.#input.size.bytes / SHORT_PART) around.isMixed = true;
  }

  /** Whether what a scan looked at last has too many levels, or too long a string. */
  passesLimit({ longest, deepest } = this.scan): boolean {
    const { depth, stringLength } = this.#input.limits;
    return longest > stringLength || deepest - this.#unreal > depth;
  }

  /** Reads numbers and lists of them; false where there is none. */
  #readNumbers(at: number, to: number): boolean {
    const { bytes } = this.#input.window;
    const { levels, innermost } = this.#tree;
    if (innermost.isObject || !mayBeginNumbers(bytes[at]!)) return false;
    const run = numberLists()?.(innermost.listToFill(), bytes, at, to, this.#input.limits.depth + this.#unreal - levels.length);
    if (run === undefined) return false;
    if (this.#input.received >= LARGE_BYTES) countBuilt(run.made * LIST_VALUES);
    this.#tree.addLists(run.lists);
    this.#tree.innermost.parsed += run.end - at;
    this.#input.taken(run.end);
    return true;
  }

  /** Whether the member at hand is a long list in whose beginning there is no string: of numbers, as a rule. */
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

  /** Reads a run that ends where an item seems to; false where it does not, or there is no such place. */
  #guess(at: number, to: number): boolean | 'open' {
    const { levels } = this.#tree;
    const { bytes } = this.#input.window;
    const innermost = levels.length - 1;
    const level = levels[innermost]!;
    const outer = this.#outerList(innermost);
    // Where an item of an outer list begins in the piece, this container has probably ended before. Of long ones it is
    // enough to look in the end.
    const tail = outer >= 0 && this.#opensLong(levels[outer]!, to - at) ? to - Math.floor((to - at) / TAIL_PART) : at;
    if (outer >= 0 && this.#guessAt(outer, outer, at, tail, to)) return true;
    const middle = at + Math.floor((to - at) * LEAST_PART);
    level.search = ItemSearch.like(bytes, at, to, level.isObject);
    if (level.search === undefined) {
      const cut = level.isObject ? this.#endOfScalars(at, to) : guessScalarCut(bytes, at, middle, to);
      if (cut > at && this.#readRun(innermost, innermost, at, cut)) return true;
      if (this.#input.plain) this.#wastedBytes(level, cut > at ? cut - at : (to - at) / LOOK_SPEED);
      return false;
    }
    const base = this.#firstOfLists(innermost);
    if (this.#guessAt(base, innermost, at, middle, to)) return true;
    if (!this.#input.plain) return false;
    if (level.isMixed || !this.#opensAt(at, level)) return this.#guessAt(base, innermost, at, at, middle);
    // An item that no other is like within half a piece is likely to be a long one. The containers that a look found open
    // may be others than the one that opens here.
    this.scan.forget();
    level.opened += 1;
    level.openedAt = this.#input.parsed;
    return 'open';
  }

  /** Whether the last item that was opened in a container is many pieces long, as far as that is known. */
  #opensLong({ openedBytes, openedAt }: Level, piece: number): boolean {
    return Math.max(openedBytes, this.#input.parsed - openedAt) > piece * MANY_PIECES;
  }

  /** The end of the last member that ends near to `at`, where a scalar is the first; −1 where none does. */
  #endOfScalars(at: number, to: number): number {
    const scan = this.#near;
    const number = this.#tree.levels.length;
    scan.look(this.#input.window.bytes, at, Math.min(to, at + NEAR), number);
    if (this.passesLimit(scan)) return -1;
    return scan.closed < 0 ? scan.lastComma(number) : scan.closed;
  }

  /** Reads a run up to an item in `from..to` of the container at `end`, which is like the last one that was opened there. */
  #guessAt(base: number, end: number, at: number, from: number, to: number): boolean {
    const level = this.#tree.levels[end]!;
    const cut = level.search!.last(this.#input.window.bytes, from, to);
    if (cut > at && this.#readRun(base, end, at, cut)) return true;
    this.#wasted += (to - from) / LOOK_SPEED;
    if (cut > at) this.#wastedBytes(this.#tree.innermost, (cut - at) / 2);
    return false;
  }

  #wastedBytes(level: Level, bytes: number): void {
    this.#wasted += bytes;
    level.wasted += bytes;
  }

  /** The container at `index`, or the outermost of the lists in one another that it is the innermost of. */
  #firstOfLists(index: number): number {
    const { levels } = this.#tree;
    let first = index;
    while (first > this.#unreal && !levels[first]!.isObject && !levels[first - 1]!.isObject) first -= 1;
    return first;
  }

  /** The innermost container around those lists that has several items, as far as is known; −1 where there is none. */
  #outerList(index: number): number {
    const { levels } = this.#tree;
    for (let outer = this.#firstOfLists(index) - 1; outer >= this.#unreal; outer -= 1) {
      const { search, isObject, opened } = levels[outer]!;
      if (search !== undefined && (!isObject || opened > 1)) return outer;
    }
    return -1;
  }

  /** Reads the run up to a place that a scan finds, or opens the item that is longer than what there is. */
  #look(at: number, to: number, end: number): boolean | 'open' {
    const { scan } = this;
    const { levels } = this.#tree;
    const level = this.#tree.innermost;
    const number = levels.length;
    const covers = scan.covers(at, number, level.start);
    let cut = covers ? scan.lastComma(number) : -1;
    // What is open behind here is longer than half a piece, or another look shows more.
    if (cut <= at && !(covers && scan.to - at >= (to - at) >> 1)) {
      scan.look(this.#input.window.bytes, at, to, number);
      if (this.passesLimit()) return this.#failAt(at, to);
      cut = scan.closed < 0 ? scan.lastComma(number) : scan.closed;
    }
    if (cut >= at) return this.#readRun(number - 1, number - 1, at, cut) || this.#failAt(at, to);
    if (!this.#input.isLast && end - at < this.#input.size.bytes) return this.#input.wait();
    if (this.#input.isLast && scan.to === end) return this.#failAt(at, to);
    return 'open';
  }

  /** Whether the item or member at hand is a list or an object. */
  #opensAt(at: number, level: Level): boolean {
    const { bytes, end } = this.#input.window;
    const value = level.isObject ? valueOfMember(bytes, at, end) : at;
    return value >= 0 && value < end && (bytes[value]! | BRACE_BIT) === OPEN_BRACE;
  }

  /**
   * Reads what ends at `to`, in the container at `end` or one that has come in its place; it does not leave the one at
   * `base`. Between the two there are lists only. False where that does not parse.
   */
  #readRun(base: number, end: number, at: number, to: number): boolean {
    if (to === at) return false;
    const { levels } = this.#tree;
    let before = '';
    let after = '';
    for (let index = base; index < levels.length; index += 1) {
      const { opening, isObject } = levels[index]!;
      before += opening;
      if (isObject && index < levels.length - 1) before += `"${CONTINUED}":`;
      if (index <= end) after = (isObject ? '}' : ']') + after;
    }
    const value = this.#input.parse(before, at, to, after, this.#input.limits.depth - base + this.#unreal);
    if (value === NOT_PLAIN) return false;
    if (this.#input.received >= HUGE_BYTES) countBuilt((to - at) / BYTES_A_VALUE);
    if (Array.isArray(value)) countSmall(value, to - at);
    this.#tree.addRun(base, end, value);
    this.#tree.innermost.parsed += to - at;
    this.#input.taken(to);
    return true;
  }

  /** Somewhere in `at..to` is what the JSON reader has to look at. Items before it are given out. */
  #failAt(at: number, to: number): false {
    const { levels, innermost } = this.#tree;
    const { window, limits } = this.#input;
    if (innermost.isConsumer)
      this.#tree.addRun(levels.length - 1, levels.length - 1, soundItems(window.bytes, at, to, limits, levels.length - this.#unreal));
    return this.#input.fail();
  }
}

function mayBeginNumbers(byte: number): boolean {
  return byte === OPEN_BRACKET || byte === MINUS || (byte >= 0x30 && byte <= 0x39);
}

/** Lists and objects that take no more bytes each are as many objects as V8 has to copy at once that its pauses are seen. */
const SMALL_BYTES = 8;

/** What a short list of numbers takes, counted in values. */
const LIST_VALUES = 3;

/** What an empty list or object takes, counted in values. */
const SMALL_VALUES = 2;

/** Counts the items of a list for the collector, where they are small lists or objects. */
function countSmall(items: readonly unknown[], bytes: number): void {
  if (items.length * SMALL_BYTES > bytes && typeof items.at(-1) === 'object') countBuilt(items.length * SMALL_VALUES);
}
