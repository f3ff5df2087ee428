import type { Limits } from '../../worker/limits.ts';
import type { Slicer } from '../slicing/slicer.ts';
import { ByteWindow } from './byte-window.ts';
import {
  BRACE_BIT,
  COLON,
  COMMA,
  isWhite,
  LINE_FEED,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  RECORD_SEPARATOR,
  scalarEnd,
  skipWhite,
  stringEnd,
} from './json-bytes.ts';
import { guessCut, valueOfMember } from './json-cuts.ts';
import { Level } from './json-level.ts';
import { lineEnd, parseLines } from './json-lines.ts';
import { JsonScan } from './json-scan.ts';
import { soundItems } from './json-items.ts';
import { isDeep, type JsonObject, mayHoldMore, NOT_PLAIN, parseJson, textOf } from './json-values.ts';
import { PieceSize } from './piece-size.ts';
import type { ItemOutlet, SlicedDecode } from './sliced-decode.ts';

/** What comes next in the innermost open container, or outside of all. */
const START = 0;
/** A value: the root's, a member's, or an item that is too long to be parsed at once. */
const VALUE = 1;
/** An item, a member, or the end of a container that has none yet. */
const FIRST = 2;
const ITEM = 3;
const AFTER = 4;
/** In a sequence, outside of its values. */
const BETWEEN = 5;
/** The same, after a number, string, true, false or null. */
const AFTER_SCALAR = 6;
const WHOLE = 7;

/** While bytes are still to come, so many are waited for. */
const LEAST_PIECE = 64 * 1024;

/** Of what was parsed, a part so small may have been parsed in vain, and so many bytes. */
const VAIN_PART = 8;
const VAIN_BYTES = 1024 * 1024;

/** Bytes of lines to look at together, at least and at most. */
const LEAST_LINES = 1024;
const MOST_LINES = 2 ** 30;

/** An item that is so small a part of a piece was not worth being opened. */
const SHORT_PART = 8;

const MARK = [0xef, 0xbb, 0xbf];

/** Options of `JsonSlices`. */
export interface JsonSlicesOptions {
  /** What the items of one list are given to. */
  items?: ItemOutlet | undefined;
  /** The input is any number of values, and the result the list of them: `JsonOptions.sequence`. */
  sequence?: boolean;
  /** How long pieces are. By default that follows the time they take. */
  size?: PieceSize;
}

/**
 * Decodes JSON with the engine's own parser, a piece at a time. Only the containers that are longer than a piece are
 * opened here; their items and members are parsed in runs, as `[` items `]` and `{` members `}`.
 *
 * Why that is exact: JSON is read from left to right, and what was read so far leaves the parser in one state. Where
 * `[` piece `]` parses, the state behind the piece is "after an item of this list", or else the bracket could not have
 * ended the text. A cut inside a string or in another depth does not parse, so that a wrong guess costs time and nothing
 * else. Everything that is not in a piece is read here: brackets, commas, keys and colons. So all of the text is checked
 * once, and in order.
 */
export class JsonSlices implements SlicedDecode {
  /** The chunks so far, for a caller that gives them to the JSON reader. */
  readonly chunks: Uint8Array[] = [];
  /** Items so far of the list that has most, or of the one that is given out. */
  rows = 0;
  /** False as soon as it is known that `end` resolves to `NOT_PLAIN`. */
  plain = true;
  /** Whether there was a list at the outlet's path, so far. */
  found = false;
  readonly #limits: Limits;
  readonly #slicer: Slicer;
  readonly #items: ItemOutlet | undefined;
  readonly #sequence: boolean;
  readonly #window = new ByteWindow();
  readonly #scan = new JsonScan();
  readonly #size: PieceSize;
  /** The open containers, outermost first. */
  readonly #levels: Level[] = [];
  #state = START;
  #value: unknown;
  #received = 0;
  /** What there is is read, however little that is. */
  #isIdle = false;
  /** Bytes that must be there before it is worth while to look again, unless no more come. */
  #wanted = 0;
  /** Bytes that were parsed, and that were looked at or parsed in vain. */
  #parsed = 0;
  #vain = 0;
  /** In a sequence, before this position a line is not a value. */
  #noLine = 0;
  /** Bytes of lines to look at together. */
  #lineBytes = MOST_LINES;
  /** Items that are ready to be given out. */
  #ready: unknown[] | undefined;

  /** The slicer measures the work, and its signal ends it between two slices. */
  constructor(limits: Limits, slicer: Slicer, { items, sequence = false, size = new PieceSize() }: JsonSlicesOptions = {}) {
    this.#limits = limits;
    this.#slicer = slicer;
    this.#items = items;
    this.#sequence = sequence;
    this.#size = size;
  }

  async push(chunk: Uint8Array): Promise<void> {
    this.chunks.push(chunk);
    this.#received += chunk.length;
    if (mayHoldMore(this.#received, this.#limits.values)) this.plain = false;
    if (!this.plain || chunk.length === 0) return;
    this.#window.push(chunk);
    this.#moved();
    await this.#run(false);
  }

  /** No bytes come for a while: gives out the items that are whole, however few they are. */
  async idle(): Promise<void> {
    if (!this.#items) return;
    this.#isIdle = true;
    this.#wanted = 0;
    await this.#run(false);
    this.#isIdle = false;
  }

  /** Resolves to the value; to `NOT_PLAIN` where the text is invalid, or may pass a limit: the JSON reader knows. */
  async end(): Promise<unknown> {
    await this.#run(true);
    return this.plain ? this.#value : NOT_PLAIN;
  }

  async #run(last: boolean): Promise<void> {
    const slicer = this.#slicer;
    slicer.begin();
    try {
      while (this.plain) {
        const goesOn = this.#step(last);
        if (this.#ready) await this.#giveOut();
        if (!goesOn) {
          if (!this.#window.grow()) return;
          this.#moved();
        } else if (this.#window.settle()) {
          this.#moved();
        }
        if (slicer.due()) {
          await slicer.pause();
          this.#size.resume();
        }
      }
    } finally {
      slicer.end();
    }
  }

  async #giveOut(): Promise<void> {
    const items = this.#ready!;
    this.#ready = undefined;
    this.rows += items.length;
    const taken = this.#items!.take(items);
    if (!taken) return;
    this.#slicer.end();
    await taken;
    this.#slicer.begin();
    this.#size.resume();
  }

  /** Positions in the window have changed. */
  #moved(): void {
    this.#scan.forget();
    this.#noLine = 0;
  }

  /** Reads on a bit; false where that takes more bytes than there are. */
  #step(last: boolean): boolean {
    const window = this.#window;
    if (this.#state === START) return this.#start(last);
    if (window.left < this.#wanted && !last) return false;
    const { bytes, end } = window;
    if (this.#state === BETWEEN || this.#state === AFTER_SCALAR) return this.#readSequence(last);
    const at = skipWhite(bytes, window.at, end);
    window.at = at;
    if (at === end) {
      if (last && this.#state !== WHOLE) this.plain = false;
      return false;
    }
    switch (this.#state) {
      case VALUE:
        return this.#readValue(last);
      case FIRST:
        if (bytes[at] === this.#level.closing) return this.#close();
        return this.#readItems(last);
      case ITEM:
        return this.#readItems(last);
      case AFTER:
        if (bytes[at] === this.#level.closing) return this.#close();
        this.#state = ITEM;
        window.at = at + 1;
        return bytes[at] === COMMA || this.#fail();
      default:
        return this.#fail();
    }
  }

  /** Skips a byte order mark, and parses what is short at once. */
  #start(last: boolean): boolean {
    const window = this.#window;
    const { bytes, at, end } = window;
    if (!last && window.left < this.#least) return false;
    if (last && !this.#sequence && !this.#items && window.left <= Math.min(this.#size.bytes, this.#limits.stringLength)) {
      this.#value = parseJson(bytes.subarray(at, end), this.#limits);
      this.plain = this.#value !== NOT_PLAIN;
      this.#state = WHOLE;
      window.at = end;
      return true;
    }
    if (MARK.every((byte, index) => bytes[at + index] === byte)) window.at += MARK.length;
    this.#state = VALUE;
    if (this.#sequence) this.#open(OPEN_BRACKET, BETWEEN);
    return this.#received > 0 || this.#fail();
  }

  /** Bytes that must be there to be read, unless they are the last. */
  get #least(): number {
    return this.#isIdle ? 1 : Math.min(this.#size.bytes, LEAST_PIECE);
  }

  get #level(): Level {
    return this.#levels.at(-1)!;
  }

  /** Containers around the next value; the list that stands for a sequence is none. */
  get #depth(): number {
    return this.#levels.length - (this.#sequence ? 1 : 0);
  }

  #fail(): false {
    this.plain = false;
    return false;
  }

  #open(bracket: number, state: number): true {
    const level = new Level(bracket, this.#window.at, this.#levels.at(-1), this.#items?.path);
    this.#levels.push(level);
    if (level.isOutlet) this.found = true;
    if (this.#depth > this.#limits.depth) this.#fail();
    this.#state = state;
    return true;
  }

  /** The innermost container ends at the bracket at hand. */
  #close(): true {
    this.#window.at += 1;
    const level = this.#levels.pop()!;
    const around = this.#levels.at(-1);
    if (around) {
      around.parsed += level.parsed;
      if (level.parsed < this.#size.bytes / SHORT_PART) around.isMixed = true;
    }
    this.#add(level.value, false);
    return true;
  }

  /** A value is whole that was not parsed in a run. */
  #add(value: unknown, isScalar: boolean): void {
    if (this.#levels.length === 0) {
      this.#value = value;
      this.#state = WHOLE;
      return;
    }
    const level = this.#level;
    level.addValue(value);
    this.#count(level, level.isOutlet ? [value] : undefined);
    const inSequence = this.#sequence && this.#levels.length === 1;
    this.#state = inSequence ? (isScalar ? AFTER_SCALAR : BETWEEN) : AFTER;
  }

  /** Items of a level are given out, or counted. */
  #count(level: Level, items: unknown[] | undefined): void {
    if (items) this.#ready = items;
    else if (!this.#items && level.length > this.rows) this.rows = level.length;
  }

  /** Reads a value that is opened here, or a scalar. */
  #readValue(last: boolean): boolean {
    const window = this.#window;
    const { bytes, at, end } = window;
    const first = bytes[at]!;
    if (first === OPEN_BRACE || first === OPEN_BRACKET) {
      window.at = at + 1;
      return this.#open(first, FIRST);
    }
    let to = scalarEnd(bytes, at);
    if (to < 0) {
      if (!last) return this.#wait();
      to = end;
    }
    if (to - at - 2 > this.#limits.stringLength) return this.#fail();
    const value = this.#parse('', at, to, '');
    if (value === NOT_PLAIN) return this.#fail();
    this.#taken(to);
    this.#add(value, true);
    return true;
  }

  /** More is needed: as much again as there is, so that nothing is looked at often. */
  #wait(): false {
    this.#wanted = this.#window.left * 2;
    return false;
  }

  /** What came before `to` was read. */
  #taken(to: number): void {
    const count = to - this.#window.at;
    this.#parsed += count;
    this.#window.at = to;
    this.#wanted = 0;
    this.#size.count(count);
  }

  /** What the bytes are with something around them; `NOT_PLAIN` where they do not parse. `levels`: no more are allowed. */
  #parse(before: string, at: number, to: number, after: string, levels = 0): unknown {
    try {
      const text = before + textOf(this.#window.bytes, at, to) + after;
      const value: unknown = JSON.parse(text);
      return levels > 0 && isDeep(text, value, levels) ? this.#fail() : value;
    } catch {
      return NOT_PLAIN;
    }
  }

  /** Reads a run of items or members, or the beginning of one that is too long. */
  #readItems(last: boolean): boolean {
    const window = this.#window;
    const { at, end, bytes } = window;
    if (!last && end - at < this.#least) return false;
    const to = Math.min(end, at + this.#size.bytes);
    const level = this.#level;
    const { stringLength, depth } = this.#limits;
    if (to - at <= stringLength && level.mayGuess && this.#vain <= this.#parsed / VAIN_PART + VAIN_BYTES) {
      const cut = guessCut(bytes, at, to, level.isObject);
      if (cut > at && this.#readRun(level, at, cut, depth - this.#depth + 1)) return true;
      const vain = cut > at ? cut - at : (to - at) >> 2;
      this.#vain += vain;
      // An item that no other is like within a piece is likely to be a long one.
      if (cut < 0 && !level.isMixed && this.#opensAt(at, level)) {
        // The containers that a look found open may be others than the one that opens here.
        this.#scan.forget();
        return level.isObject ? this.#readKey(last) : this.#descend();
      }
      level.vain += vain;
    }
    const scan = this.#scan;
    const number = this.#levels.length;
    const covers = scan.covers(at, number, level.start);
    let cut = covers ? scan.lastComma(number) : -1;
    // What is open behind here is longer than half a piece, or another look shows more.
    if (cut <= at && !(covers && scan.to - at >= (to - at) >> 1)) {
      scan.look(bytes, at, to, number);
      if (this.#passesLimit()) return this.#failAt(level, at, to);
      cut = scan.closed < 0 ? scan.lastComma(number) : scan.closed;
    }
    if (cut >= at) return this.#readRun(level, at, cut, 0) || this.#failAt(level, at, to);
    if (!last && end - at < this.#size.bytes) return this.#wait();
    if (last && scan.to === end) return this.#failAt(level, at, to);
    return level.isObject ? this.#readKey(last) : this.#descend();
  }

  /** Whether the item or member at hand is a list or an object. */
  #opensAt(at: number, level: Level): boolean {
    const { bytes, end } = this.#window;
    const value = level.isObject ? valueOfMember(bytes, at, end) : at;
    return value >= 0 && value < end && (bytes[value]! | BRACE_BIT) === OPEN_BRACE;
  }

  #descend(): true {
    this.#state = VALUE;
    return true;
  }

  /** Reads items or members that end at `to`; false where they do not parse. */
  #readRun(level: Level, at: number, to: number, levels: number): boolean {
    if (to === at) return false;
    if (level.isObject) {
      const members = this.#parse('{', at, to, '}', levels);
      if (members === NOT_PLAIN || !this.plain) return false;
      const items = level.addMembers(members as JsonObject);
      if (items) this.found = true;
      this.#ready = items;
    } else {
      const items = this.#parse('[', at, to, ']', levels);
      if (items === NOT_PLAIN || !this.plain) return false;
      level.addItems(items as unknown[]);
      this.#count(level, level.isOutlet ? (items as unknown[]) : undefined);
    }
    level.parsed += to - at;
    this.#taken(to);
    this.#state = AFTER;
    return true;
  }

  /** Reads the key of a member that is too long to be parsed at once. */
  #readKey(last: boolean): boolean {
    const window = this.#window;
    const { bytes, at, end } = window;
    const after = bytes[at] === QUOTE ? stringEnd(bytes, at + 1) : at;
    if (after === at) return this.#fail();
    const colon = after < 0 ? end : skipWhite(bytes, after, end);
    if (colon === end) return last ? this.#fail() : this.#wait();
    if (after - at - 2 > this.#limits.stringLength) return this.#fail();
    const key = this.#parse('', at, after, '');
    if (typeof key !== 'string' || bytes[colon] !== COLON) return this.#fail();
    this.#level.key = key;
    window.at = colon + 1;
    return this.#descend();
  }

  /** Somewhere in `at..to` is what the JSON reader has to look at. Items before it are given out. */
  #failAt(level: Level, at: number, to: number): false {
    if (level.isOutlet) this.#ready = soundItems(this.#window.bytes, at, to, this.#limits, this.#depth);
    return this.#fail();
  }

  /** Whether what the scan looked at last has too many levels, or too long a string. */
  #passesLimit(): boolean {
    const { depth, stringLength } = this.#limits;
    return this.#scan.longest > stringLength || this.#scan.deepest - (this.#sequence ? 1 : 0) > depth;
  }

  /** Reads values of a sequence, by lines where each line is one. */
  #readSequence(last: boolean): boolean {
    const window = this.#window;
    const { bytes, end } = window;
    const start = window.at;
    let at = start;
    while (at < end && (isWhite(bytes[at]) || bytes[at] === RECORD_SEPARATOR)) at += 1;
    window.at = at;
    if (at > start) this.#state = BETWEEN;
    if (at === end) {
      if (last) {
        this.#value = this.#levels.pop()!.value;
        this.#state = WHOLE;
      }
      return false;
    }
    if (this.#state === AFTER_SCALAR) return this.#fail();
    if (!last && end - at < this.#least) return false;
    const to = Math.min(end, at + this.#size.bytes);
    const lines = Math.min(to, at + this.#lineBytes);
    if (at >= this.#noLine && this.#readLines(at, last && lines === end ? end : bytes.lastIndexOf(LINE_FEED, lines - 1))) return true;
    const first = bytes[at]!;
    if (first !== OPEN_BRACE && first !== OPEN_BRACKET) return this.#readValue(last);
    const scan = this.#scan;
    scan.look(bytes, at + 1, to, this.#levels.length + 1);
    if (this.#passesLimit()) return this.#fail();
    if (scan.closed >= 0) {
      const value = this.#parse('', at, scan.closed + 1, '');
      if (value === NOT_PLAIN) return this.#fail();
      this.#taken(scan.closed + 1);
      this.#add(value, false);
      return true;
    }
    if (!last && end - at < this.#size.bytes) return this.#wait();
    if (last && to === end) return this.#fail();
    return this.#readValue(last);
  }

  /** Reads lines that are one value each, as far as they are; false where the first is not. */
  #readLines(at: number, to: number): boolean {
    if (to <= at) return false;
    const { bytes } = this.#window;
    let text: string;
    try {
      text = textOf(bytes, at, to);
    } catch {
      this.#noLine = to;
      return false;
    }
    const items: unknown[] = [];
    const lines = parseLines(text, to - at, this.#limits, items);
    let after = at;
    for (let line = 0; line < lines; line += 1) after = lineEnd(bytes, after, to) + 1;
    if (after <= to) this.#noLine = lineEnd(bytes, after, to);
    // A line that is not one value is met again by the next look: it should not have cost much.
    this.#lineBytes = after <= to ? LEAST_LINES : Math.min(this.#lineBytes * 2, MOST_LINES);
    if (lines === 0) return false;
    const level = this.#level;
    level.addItems(items);
    this.#count(level, level.isOutlet ? items : undefined);
    this.#taken(Math.min(after, to));
    return true;
  }
}
