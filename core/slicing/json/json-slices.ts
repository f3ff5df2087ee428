import { stringEnd } from '../../bytes/text/json-string.ts';
import { DEFAULT_LIMITS, type Limits } from '../../limits.ts';
import { keepAlive } from '../../engine/keep-alive.ts';
import { Slicer } from '../slicer.ts';
import { BRACE_BIT, CLOSE_BRACE, COLON, COMMA, OPEN_BRACE, OPEN_BRACKET, QUOTE } from '../../bytes/text/json-bytes.ts';
import { scalarEnd, skipWhite } from './bytes.ts';
import { JsonInput } from './input.ts';
import { RunReader } from './runs.ts';
import type { SequenceReader } from './sequence.ts';
import { JsonTree } from './tree.ts';
import { NOT_PLAIN, parseJson } from './values.ts';
import { PieceSize } from '../piece-size.ts';
import type { HeldInput, ItemConsumer, SlicedDecode } from '../sliced-decode.ts';

/** States: the next token in the innermost open container, or outside of all. */
const START = 0;
/** A value: of the root, of a member, or of an item too long to be parsed in one go. */
const VALUE = 1;
/** An item, a member, or the end of an empty container. */
const FIRST = 2;
const ITEM = 3;
const AFTER = 4;
/** Between the values of a sequence. */
const BETWEEN = 5;
const DONE = 6;

const MARK = [0xef, 0xbb, 0xbf];

/** Options of `JsonSlices`. */
export interface JsonSlicesOptions {
  /** Receives the items of one list. */
  items?: ItemConsumer | undefined;
  /** Reads the input as a sequence of values, and returns them as a list: `JsonOptions.sequence`. */
  Sequence?: typeof SequenceReader | undefined;
  /** Piece size. Default: adapts to the time that pieces take. */
  size?: PieceSize;
  /** Keeps the input. Default: an array. */
  held?: HeldInput | undefined;
}

/**
 * Decodes JSON with the engine's own parser, one piece at a time. Only containers longer than a piece are opened here;
 * their items and members are parsed in runs (`RunReader`). All bytes outside of runs are read here: brackets, commas,
 * keys and colons. The whole text is therefore checked once, in order.
 */
export class JsonSlices implements SlicedDecode {
  readonly #slicer: Slicer;
  readonly #items: ItemConsumer | undefined;
  readonly #input: JsonInput;
  readonly #tree: JsonTree;
  readonly #runs: RunReader;
  readonly #sequence: SequenceReader | undefined;
  #state = START;

  /** The slicer measures the work, and its signal aborts it between slices. */
  constructor(limits: Limits, slicer: Slicer, { items, Sequence, size = new PieceSize(), held = [] }: JsonSlicesOptions = {}) {
    this.#slicer = slicer;
    this.#items = items;
    this.#input = new JsonInput(limits, size, held);
    this.#tree = new JsonTree(items?.path);
    this.#runs = new RunReader(this.#input, this.#tree, Sequence !== undefined);
    if (Sequence) this.#sequence = new Sequence(this.#input, this.#tree, this.#runs);
  }

  /** Number of items of the longest list, or of the emitted list. */
  get rows(): number {
    return this.#tree.rows;
  }

  /** True once a list was found at the consumer's path. */
  get found(): boolean {
    return this.#tree.found;
  }

  /** True if the text needs the JSON reader: it is invalid, or may exceed a limit. */
  get failed(): boolean {
    return !this.#input.plain;
  }

  async push(chunk: Uint8Array): Promise<void> {
    this.#input.push(chunk);
    this.#forgetPositions();
    await this.#run();
  }

  /** Emits all complete items while the input stalls. */
  async idle(): Promise<void> {
    if (!this.#items) return;
    this.#input.isIdle = true;
    this.#input.wanted = 0;
    await this.#run();
    this.#input.isIdle = false;
  }

  /**
   * Resolves to the value, or to `NOT_PLAIN` if the text is invalid or may exceed a limit; the JSON reader then reports
   * the error.
   */
  async end(): Promise<unknown> {
    this.#input.isLast = true;
    await this.#run();
    if (!this.#input.plain) return NOT_PLAIN;
    keepAlive('json', () => JsonSlices.#keepAliveInstance());
    return this.#tree.value;
  }

  /** Creates an instance for `keepAlive` with an open container and one of each class involved. */
  static #keepAliveInstance(): JsonSlices {
    const slices = new JsonSlices(DEFAULT_LIMITS, new Slicer());
    slices.#tree.open(OPEN_BRACKET, 0);
    return slices;
  }

  async #run(): Promise<void> {
    const slicer = this.#slicer;
    const { window, size } = this.#input;
    slicer.begin();
    try {
      while (this.#input.plain) {
        const goesOn = this.#step();
        // Items that are read one by one are emitted together.
        const ready = !goesOn || slicer.due() ? this.#tree.takeReady() : undefined;
        if (ready) await this.#emit(ready);
        if (!goesOn) {
          if (!window.grow()) return;
          this.#forgetPositions();
        } else if (window.settle()) {
          this.#forgetPositions();
        }
        if (slicer.due()) {
          await slicer.pause();
          size.resume();
        }
      }
    } finally {
      slicer.end();
    }
  }

  async #emit(ready: unknown[]): Promise<void> {
    const advance = this.#items!.take(ready);
    if (!advance) return;
    this.#slicer.end();
    await advance;
    this.#slicer.begin();
    this.#input.size.resume();
  }

  /** Forgets positions after the window moved. */
  #forgetPositions(): void {
    this.#runs.forget();
    this.#sequence?.forget();
  }

  /** Takes one step; false if that needs more bytes. */
  #step(): boolean {
    const { window, isLast, wanted } = this.#input;
    if (this.#state === START) return this.#start();
    if (window.left < wanted && !isLast) return false;
    if (this.#state === BETWEEN) return this.#readSequence();
    const { bytes, end } = window;
    const at = skipWhite(bytes, window.at, end);
    window.at = at;
    if (at === end) {
      if (isLast && this.#state !== DONE) this.#input.fail();
      return false;
    }
    switch (this.#state) {
      case VALUE:
        return this.#readValue();
      case FIRST:
        if (bytes[at] === this.#tree.innermost.closing) return this.#close();
        return this.#readItems();
      case ITEM:
        // A run framed by brackets would parse as an empty container.
        if ((bytes[at]! | BRACE_BIT) === CLOSE_BRACE) return this.#input.fail();
        this.#input.pass(this.#tree);
        return this.#readItems();
      case AFTER:
        if (bytes[at] === this.#tree.innermost.closing) return this.#close();
        this.#state = ITEM;
        window.at = at + 1;
        return bytes[at] === COMMA || this.#input.fail();
      default:
        return this.#input.fail();
    }
  }

  /** Skips a byte order mark, and parses short input in one go. */
  #start(): boolean {
    const { window, isLast, size, limits } = this.#input;
    const { bytes, at, end } = window;
    if (this.#input.isShort(at)) return false;
    if (isLast && !this.#sequence && !this.#items && window.left <= Math.min(size.bytes, limits.stringLength)) {
      const value = parseJson(bytes.subarray(at, end), limits);
      if (value === NOT_PLAIN) return this.#input.fail();
      this.#tree.add(value);
      this.#state = DONE;
      window.at = end;
      return true;
    }
    if (MARK.every((byte, index) => bytes[at + index] === byte)) window.at += MARK.length;
    this.#state = VALUE;
    if (this.#sequence) this.#open(OPEN_BRACKET, BETWEEN);
    return this.#input.received > 0 || this.#input.fail();
  }

  #readSequence(): boolean {
    const read = this.#sequence!.read();
    if (this.#tree.isComplete) this.#state = DONE;
    return read === 'value' ? this.#readValue() : read;
  }

  #open(bracket: number, state: number): boolean {
    this.#tree.open(bracket, this.#input.window.at);
    this.#state = state;
    return this.#tree.levels.length - (this.#sequence ? 1 : 0) <= this.#input.limits.depth || this.#input.fail();
  }

  /** Closes the innermost container. */
  #close(): true {
    this.#input.window.at += 1;
    this.#runs.closed(this.#tree.close());
    this.#added(false);
    return true;
  }

  /** Sets the state after a value that was not part of a run. */
  #added(isScalar: boolean): void {
    const inSequence = this.#sequence !== undefined && this.#tree.levels.length === 1;
    this.#state = this.#tree.isComplete ? DONE : inSequence ? BETWEEN : AFTER;
    if (inSequence) this.#sequence.isAfterScalar = isScalar;
  }

  /** Opens a container, or reads a scalar. */
  #readValue(): boolean {
    const { window, isLast, limits } = this.#input;
    const { bytes, at, end } = window;
    const first = bytes[at]!;
    if ((first | BRACE_BIT) === OPEN_BRACE) {
      window.at = at + 1;
      return this.#open(first, FIRST);
    }
    let to = scalarEnd(bytes, at);
    if (to < 0) {
      if (!isLast) return this.#input.wait();
      to = end;
    }
    if (to - at - 2 > limits.stringLength) return this.#input.fail();
    if (this.#tree.levels.length === 1 && this.#sequence?.mayBeCut(at, to)) return this.#input.fail();
    const value = this.#input.parse('', at, to, '');
    if (value === NOT_PLAIN) return this.#input.fail();
    this.#input.advance(to);
    this.#tree.add(value);
    this.#added(true);
    return true;
  }

  /** Reads a run of items or members, or opens one that is too long. */
  #readItems(): boolean {
    const read = this.#runs.read();
    if (read === true) this.#state = AFTER;
    if (read !== 'open') return read;
    if (this.#tree.innermost.isObject) return this.#readKey();
    this.#state = VALUE;
    return true;
  }

  /** Reads the key of a member that is too long to be parsed in one go. */
  #readKey(): boolean {
    const { window, isLast, limits } = this.#input;
    const { bytes, at, end } = window;
    const after = bytes[at] === QUOTE ? stringEnd(bytes, at + 1) : at;
    if (after === at) return this.#input.fail();
    const colon = after < 0 ? end : skipWhite(bytes, after, end);
    if (colon === end) return isLast ? this.#input.fail() : this.#input.wait();
    if (after - at - 2 > limits.stringLength) return this.#input.fail();
    const key = this.#input.parse('', at, after, '');
    if (typeof key !== 'string' || bytes[colon] !== COLON) return this.#input.fail();
    this.#tree.innermost.key = key;
    window.at = colon + 1;
    this.#state = VALUE;
    return true;
  }
}
