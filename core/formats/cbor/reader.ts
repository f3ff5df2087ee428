import { KEPT, type KeepsRecords } from '../../kept-records.ts';
import type { Limits } from '../../limits.ts';
import { numberRun, NUMBERS, NO_SEPARATOR } from '../../reading/sink-methods.ts';
import { Reader } from '../../reading/reader.ts';
import type { Sink } from '../../reading/sink.ts';
import type { CborOptions } from './options.ts';
import { KEY, NO_TAG } from './read/chunks.ts';
import { checkDeterministic } from './write/deterministic.ts';
import { CUT, Input } from './read/input.ts';
import { readUncommonKey, classifyKey } from './read/keys.ts';
import { beginsRun, readNumberRun } from './read/number-run.ts';
import { RowReading } from './read/rows.ts';
import { readScalars, type ScalarState } from './read/scalars.ts';
import { ARRAY, DEFINITION, MAP, OBJECT, RECORD, ROOT, SET, Stack } from './read/stack.ts';
import { TagContext } from './tags/tag-context.ts';
import { Tags } from './tags/tags.ts';

/**
 * Reads CBOR with cbor-x's extensions. A token is a scalar, the head of a container, a key, a chunk of a string, or a
 * tag with enough of its content to tell its type.
 */
export class CborReader extends Reader {
  readonly #options: CborOptions;
  readonly #maps: 'auto' | 'object' | 'map';
  readonly #input: Input;
  readonly #stack: Stack;
  readonly #scalars: ScalarState;
  /** Set if the sink reads rows itself. */
  readonly #rows: RowReading | undefined;
  /** Created for the first value that needs it. */
  #context: TagContext | undefined;
  #tags: Tags | undefined;
  #started = false;
  #checked: boolean;

  constructor(sink: Sink, options: CborOptions, limits: Limits) {
    super(sink, limits);
    this.#options = options;
    this.#maps = options.maps ?? 'auto';
    this.#checked = !options.deterministic;
    this.#input = new Input(limits);
    this.#stack = new Stack(this.#input, limits);
    const longest = this.#input.stringLength;
    // Values that need a context may refer to earlier input.
    const isSelfContained =
      options.structures === undefined &&
      (options as KeepsRecords)[KEPT] === undefined &&
      options.packedValues === undefined &&
      !options.deterministic;
    if (sink.acceptsRawItems !== undefined && isSelfContained) sink.itemSeparator = NO_SEPARATOR;
    if (sink.readRows !== undefined) this.#rows = new RowReading(sink, this.#stack, options, this.#input);
    this.#scalars = {
      sink,
      stack: this.#stack,
      int64: options.int64 ?? 'auto',
      decimal: options.float32 === 'decimal',
      longest,
      lastShort: 0x60 + Math.min(longest, 23),
      base: 0,
      needed: 0,
    };
  }

  override cutTextStart(token: Uint8Array): number {
    const { kind, keyed } = this.#stack;
    if (kind > SET || (kind === OBJECT && !keyed) || this.#context?.chunks.open) return 0;
    const head = token[0]!;
    const size = head & 31;
    // Major type 3, with a length in the head or in 1 to 8 bytes.
    return head >> 5 !== 3 || size > 27 ? 0 : size < 24 ? 1 : 1 + (1 << (size - 24));
  }

  protected read(bytes: Uint8Array, view: DataView, from: number, to: number, last: boolean): number {
    const stack = this.#stack;
    const scalars = this.#scalars;
    const input = this.#input;
    let at = from;
    if (!this.#checked && !this.#check(bytes, view, to, last)) return from;
    input.bytes = bytes;
    input.view = view;
    input.to = to;
    input.base = scalars.base = this.base;
    scalars.needed = 0;
    this.#context?.budget.receive(this.received);
    if (!this.#started) this.#start(from);

    for (;;) {
      let next: number;
      if (this.#context?.chunks.open) {
        if (at >= to) break;
        next = this.#readChunk(this.#context, at);
      } else if (stack.left === 0) {
        if (stack.kind === ROOT) {
          if (at < to || this.#context?.bundle.active) at = this.#endRoot(at);
          if (at >= to) break;
          if (!this.#options.sequence) this.fail('trailing-bytes', 'unexpected bytes after the value', at);
          stack.count(1, this.base + at);
          stack.left = 1;
        } else {
          this.#endContainer(at);
        }
        continue;
      } else {
        if (at >= to) break;
        if (stack.kind < DEFINITION) {
          at = readScalars(scalars, bytes, view, at, to);
          if (stack.left === 0) continue;
          if (at >= to) break;
          if (scalars.needed > 0) {
            this.needed = scalars.needed;
            break;
          }
          next = stack.kind === OBJECT && !stack.keyed ? this.#readKey(at) : this.#readUncommon(at);
        } else {
          next = this.#tags!.definitions.read(at);
        }
      }
      if (next < 0) {
        this.needed = input.reach - at;
        break;
      }
      at = next;
    }
    if (this.#context?.bundle.active) this.#context.bundle.shift(at - from);
    return at;
  }

  protected finish(): void {
    const { depth, left } = this.#stack;
    const sequence = this.#options.sequence ?? false;
    if (this.received === 0 && !sequence) this.fail('empty', 'the payload is empty', 0);
    const isComplete = depth === 0 && left === 0 && !this.#context?.chunks.open;
    if (this.received > 0 && !isComplete) this.fail('truncated', 'the input ends inside a value', 0);
    if (sequence) this.sink.endArray(0);
    this.#stack.release();
  }

  /** Checks determinism. Keys can only be compared once they are complete, so the check needs all bytes. */
  #check(bytes: Uint8Array, view: DataView, to: number, last: boolean): boolean {
    if (last) {
      checkDeterministic(bytes, view, to, this.#options.deterministic === 'length-first', this.limits.depth);
      this.#checked = true;
    } else {
      this.needed = Number.MAX_SAFE_INTEGER;
    }
    return last;
  }

  #needContext(): TagContext {
    if (this.#context) return this.#context;
    if (this.sink.acceptsRawItems !== undefined) this.sink.itemSeparator = undefined;
    const context = new TagContext(this.#input, this.#stack, this.sink, this.#options, this.limits);
    this.#context = context;
    context.budget.receive(this.received);
    return context;
  }

  #needTags(): Tags {
    this.#tags ??= new Tags(this.#needContext());
    return this.#tags;
  }

  #readChunk({ chunks }: TagContext, at: number): number {
    if (!chunks.read(at)) return CUT;
    if (!chunks.open && chunks.isKey) this.#stack.keyed = true;
    return this.#input.next;
  }

  /** Reads a key that is not a short string. Returns the position after it, or CUT. */
  #readKey(at: number): number {
    const input = this.#input;
    const stack = this.#stack;
    const token = input.bytes[at]!;
    if (token === 0xff) return this.#break(at);
    if (token >> 5 === 3) {
      if (token === 0x7f) {
        this.#needContext().chunks.begin(3, KEY, at);
        return at + 1;
      }
      if (!input.string(at, 'stringLength')) return CUT;
      this.sink.key(at, input.from, input.next);
      stack.keyed = true;
      return input.next;
    }
    return readUncommonKey(this.#needContext(), this.#maps === 'auto', at);
  }

  /** Reads anything other than a short scalar. Returns the position after it, or CUT. */
  #readUncommon(at: number): number {
    const input = this.#input;
    const token = input.bytes[at]!;
    const major = token >> 5;
    if (this.#rows !== undefined && (major === 5 || major === 6)) {
      const next = this.#readRows(this.#rows, major, at);
      if (next > at) return next;
    }
    if (major === 6) return this.#readRecord(at) || this.#needTags().read(at);
    if (major === 7) return token === 0xff ? this.#break(at) : this.#needTags().readSimple(at);
    if (token === 0x5f || token === 0x7f) {
      this.#stack.took();
      this.#needContext().chunks.begin(major, NO_TAG, at);
      return at + 1;
    }
    if (major === 2 || major === 3) {
      if (!input.string(at, major === 2 ? 'binaryLength' : 'stringLength')) return CUT;
      if (major === 2) this.sink.binary(0, at, input.from, input.next);
      else this.sink.string(at, input.from, input.next);
      this.#stack.took();
      return input.next;
    }
    if (!input.head(at)) return CUT;
    if (major === 4) return this.#openArray(input.value, at, input.next);
    if (major === 5) return this.#openMap(input.value, at, input.next);
    return this.fail('malformed', 'an integer must not have an indefinite length', at);
  }

  /** Lets the sink read maps or records that are items of a list. Returns the position after the last one read. */
  #readRows(rows: RowReading, major: number, at: number): number {
    if (major === 5 && rows.leavesMaps()) return at;
    const { bytes, to } = this.#input;
    const context = this.#context;
    if (context?.bundle.active || (major === 6 && this.sink.acceptsRawItems === true)) return at;
    if (major === 5) return rows.readMaps(bytes, at, to);
    return context ? rows.readRecords(context.records, bytes, at, to) : at;
  }

  /** Opens a record in its usual form: a tag of two bytes and up to 23 values. Returns 0 for other items. */
  #readRecord(at: number): number {
    const { bytes, to } = this.#input;
    const records = this.#context?.records;
    if (!records || bytes[at] !== 0xd9 || at + 4 > to || bytes[at + 1]! < 0xe0 || this.#options.cborx === false) return 0;
    const record = records.find((bytes[at + 1]! << 8) | bytes[at + 2]!);
    const count = bytes[at + 3]! - 0x80;
    if (record < 0 || count < 0 || count > 23 || count > records.size(record)) return 0;
    this.#stack.took();
    this.#stack.open(RECORD, count, at);
    this.sink.beginRecord(records.id(record, this.sink), at, at + 4);
    return at + 4;
  }

  #openArray(count: number, at: number, next: number): number {
    const { bytes, view, to } = this.#input;
    this.#stack.took();
    if (next < to && this.sink.numberArray !== undefined && beginsRun(bytes[next]!) && count > 0 && count <= NUMBERS.length) {
      if (readNumberRun(bytes, view, next, to, count, this.#scalars.decimal) === count) {
        this.#stack.check(count, this.base + at);
        this.sink.numberArray(NUMBERS, count, numberRun.integers);
        return this.#stack.kind === ARRAY ? this.#readShortArrays(numberRun.end) : numberRun.end;
      }
    }
    this.#stack.open(ARRAY, count, at);
    this.sink.beginArray(count, at, next);
    return next;
  }

  /** Reads consecutive items that are short arrays of numbers, such as points. Returns the position after them. */
  #readShortArrays(from: number): number {
    const { bytes, view, to } = this.#input;
    const stack = this.#stack;
    const { decimal } = this.#scalars;
    let at = from;
    while (stack.left > 0 && at + 1 < to) {
      // 100xxxxx array
      const count = bytes[at]! - 0x80;
      if (count <= 0 || count > 23 || !beginsRun(bytes[at + 1]!) || readNumberRun(bytes, view, at + 1, to, count, decimal) < count) break;
      stack.took();
      stack.check(count, this.base + at);
      this.sink.numberArray!(NUMBERS, count, numberRun.integers);
      at = numberRun.end;
    }
    return at;
  }

  #openMap(count: number, at: number, next: number): number {
    const asMap = this.#maps === 'map' ? 1 : this.#maps === 'object' || count === 0 ? 0 : this.#firstKey(next);
    if (asMap < 0) return CUT;
    this.#stack.took();
    if (asMap > 0) {
      this.#stack.open(MAP, count > 0 ? count * 2 : count, at);
      this.sink.beginMap(count, at, next);
    } else {
      this.#stack.open(OBJECT, count, at);
      this.sink.beginObject(count, at, next);
    }
    return next;
  }

  /** Returns 1 if the first key, at `at`, makes the map a Map; 0 if it is a string or missing; −1 if it is cut. */
  #firstKey(at: number): number {
    const input = this.#input;
    input.reach = at + 1;
    if (at >= input.to) return -1;
    const token = input.bytes[at]!;
    if (token >> 5 === 3 || token === 0xff) return 0;
    return classifyKey(this.#needContext(), at);
  }

  #break(at: number): number {
    this.#stack.endByBreak(at);
    this.#close(at + 1);
    return at + 1;
  }

  /** Ends the innermost container after its last value. */
  #endContainer(at: number): void {
    const stack = this.#stack;
    if (stack.size < 0) this.exceed('values', at);
    if (stack.kind === DEFINITION) this.#tags!.definitions.end(at);
    else this.#close(at);
  }

  #close(at: number): void {
    const { sink } = this;
    switch (this.#stack.kind) {
      case ARRAY:
        sink.endArray(at);
        break;
      case OBJECT:
        sink.endObject(at);
        break;
      case RECORD:
        sink.endRecord(at);
        break;
      case MAP:
        sink.endMap(at);
        break;
      case SET:
        sink.endSet(at);
        break;
      default:
        this.#tags!.close(at);
    }
    this.#stack.pop();
  }

  #start(at: number): void {
    this.#started = true;
    if (this.#options.sequence) this.sink.beginArray(-1, at, at);
  }

  /** Ends a value at the root. Its bundled strings follow. */
  #endRoot(at: number): number {
    const context = this.#context;
    if (!context) return at;
    context.sharing.restart();
    return context.bundle.active ? context.bundle.finish(at) : at;
  }
}
