import type { Limits } from '../../limits.ts';
import { numberRun, NUMBERS, type RowRequest } from '../../reading/sink-methods.ts';
import { readRows, rowRequest } from '../../reading/rows/request.ts';
import type { Sink } from '../../reading/sink.ts';
import type { JsonOptions } from './options.ts';
import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  LETTER_F,
  MINUS,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  RECORD_SEPARATOR,
  SPACE,
  ZERO,
} from '../../bytes/text/json-bytes.ts';
import { ALSE, nameByte, NULL, skipSeparators, skipWhite, TRUE } from './read/characters.ts';
import { type FieldState, NO_KEY, OTHER_FIRST_KEY, OTHER_KEY, readFields } from './read/fields.ts';
import { KnownKeys } from './read/known-keys.ts';
import { FLOAT, INT32, NumberValue, readNumber } from './read/number.ts';
import { listRun, readNumberLists, readNumberRun } from './read/number-run.ts';
import { CUT, TokenReader } from './read/token-reader.ts';
import { ROWS_BIGINTS, ROWS_SEQUENCE } from '../../reading/rows/flags.ts';

/** States: the token expected next. `read` compares the numbers, so their order matters. */
const KEY = 0;
const FIRST_KEY = 1;
const BEFORE_COLON = 2;
const VALUE = 3;
const FIRST_ITEM = 4;
/** In a sequence, before a value at the top level. */
const BETWEEN = 5;
const AFTER_VALUE = 6;
const DONE = 7;
/** In a sequence, after a number, string, true, false or null. */
const AFTER_SCALAR = 8;

const EXPECTED: Readonly<Record<number, string>> = {
  [KEY]: 'a key in double quotes',
  [FIRST_KEY]: "a key in double quotes or '}'",
  [BEFORE_COLON]: "':' after a key",
  [VALUE]: 'a value',
  [FIRST_ITEM]: "a value or ']'",
  [BETWEEN]: 'a value',
  [DONE]: 'the end of the input after the value',
  [AFTER_SCALAR]: 'white space between two values',
};

const encoder = new TextEncoder();

/** Bytes that one call of the loop reads, approximately. */
const STRETCH = 1 << 16;

/** Values that one call of the loop for fields reads at most. */
const MAX_FIELDS = 2 ** 30;

const ARRAY = 0;
const OBJECT = 1;

/**
 * Reads JSON (RFC 8259) from UTF-8 with or without a byte order mark. Accepts and rejects the same texts as
 * `JSON.parse`, with the same values. The loop below handles the common forms of each token, and leaves the others to
 * `TokenReader`.
 */
export class JsonReader extends TokenReader {
  override readonly isText = true;
  readonly #sequence: boolean;
  #state: number;
  #started = false;
  #depth = 0;
  /** 1 for each open container that is an object, outermost first. */
  #stack = new Uint8Array(64);
  #values = 0;
  /** True in a sequence with record separators. */
  #isSeparated = false;
  /** Compares keys with the expected ones and sends them by number. */
  readonly #fields: FieldState | undefined;
  /** Request for rows that the sink can read; undefined if it cannot. */
  readonly #rows: RowRequest | undefined;
  readonly #number = new NumberValue();
  /** True if the sink takes several numbers of a list in one call. */
  readonly #takesNumbers: boolean;

  constructor(sink: Sink, options: JsonOptions, limits: Limits) {
    super(sink, options, limits);
    if (sink.listedKey !== undefined && options.ranges !== true) {
      this.#fields = {
        sink,
        keys: new KnownKeys(),
        number: this.#number,
        longest: limits.stringLength,
        readLong: (bytes, at, to) => this.readLongNumber(bytes, at, to, false),
        left: 0,
        next: 0,
        objects: 0,
      };
    }
    this.#takesNumbers = sink.numberArray !== undefined && options.ranges !== true;
    this.#rows = jsonRows(sink, options, limits);
    // The sink parses items with JSON.parse, so not with options that change values or ask for ranges.
    if (sink.acceptsRawItems !== undefined && options.bigints !== 'bigint' && options.ranges !== true) sink.itemSeparator = COMMA;
    this.#sequence = options.sequence === true;
    this.#state = this.#sequence ? BETWEEN : VALUE;
  }

  override cutTextStart(token: Uint8Array): number {
    return token[0] === QUOTE && this.#state > BEFORE_COLON ? 1 : 0;
  }

  protected read(bytes: Uint8Array, view: DataView, from: number, to: number, last: boolean): number {
    let at = from;
    if (!this.#started) {
      at = this.skipMark(bytes, from, to, last);
      if (at === CUT) return from;
      this.#started = true;
      if (this.#sequence) this.sink.beginArray(-1, at, at);
    }
    if (this.stillCut(bytes, view, at, to, last)) return at;
    // Bounded calls: V8 optimises a loop that runs long without a call less well.
    for (let pause = at; pause < to;) {
      pause = Math.min(at + STRETCH, to);
      at = this.#readTokens(bytes, view, at, to, pause, last);
      if (at < pause) return at;
    }
    if (last) this.#finish(to);
    return at;
  }

  /** `read` itself closes the value, while positions still refer to the window. */
  protected finish(): void {}

  /** Reads until `pause`, or until a token cut by `end`. */
  #readTokens(bytes: Uint8Array, view: DataView, from: number, end: number, pause: number, last: boolean): number {
    const { sink } = this;
    const number = this.#number;
    const fields = this.#fields;
    const rows = this.#rows;
    const takesNumbers = this.#takesNumbers;
    const { depth: maxDepth, stringLength: maxString, values: maxValues } = this.limits;
    // `| 0` tells the compiler that these are 32-bit integers.
    const to = end | 0;
    const stop = pause | 0;
    const words = (to - 4) | 0;
    let at = from | 0;
    let byte = 0;
    let state = this.#state | 0;
    let depth = this.#depth | 0;
    let values = this.#values | 0;
    let stack = this.#stack;
    let inObject = depth > 0 && stack[depth - 1] === OBJECT;
    // Where the current key began, white space included; −1 if that is before the window.
    let written = -1;

    for (;;) {
      if (at === written && fields !== undefined) {
        const left = Math.min(maxValues - values, MAX_FIELDS) | 0;
        fields.left = left;
        const objects = depth > 1 && stack[depth - 2] === ARRAY ? (rows?.skipRecords ?? MAX_FIELDS) : 0;
        fields.objects = objects;
        at = readFields(fields, bytes, view, at, to, stop) | 0;
        if (rows !== undefined) rows.skipRecords -= objects - fields.objects;
        values = (values + left - fields.left) | 0;
        if (fields.left < left) fields.keys.confirm();
        if (fields.next === OTHER_KEY) {
          if (at > written) state = KEY;
          written = at;
        } else if (fields.next === OTHER_FIRST_KEY) {
          state = FIRST_KEY;
          written = at;
        } else {
          state = fields.next === NO_KEY ? AFTER_VALUE : VALUE;
          written = -1;
        }
      }
      // Every step begins with the next byte that is not white space.
      if (at >= stop) break;
      byte = bytes[at]!;
      if (byte <= SPACE) {
        const start = at;
        if (state === BETWEEN || state === AFTER_SCALAR) {
          at = skipSeparators(bytes, at, to) | 0;
          if (bytes[at - 1] === RECORD_SEPARATOR) this.#isSeparated = true;
          if (at > start) state = BETWEEN;
        } else at = skipWhite(bytes, view, at, to) | 0;
        if (at === to) break;
        byte = bytes[at]!;
      }

      let next = at;
      if (byte === QUOTE) {
        if (state === BEFORE_COLON || state > BETWEEN) this.#unexpected(bytes, at, state, inObject);
        // Four bytes at a time, as in findSpecial.
        next = (at + 1) | 0;
        while (next <= words) {
          const word = view.getInt32(next, true);
          const found = (((word ^ 0x02020202) - 0x21212121) | ((word ^ 0x5c5c5c5c) - 0x01010101)) & ~word & 0x80808080;
          if (found !== 0) {
            next = (next + ((31 - Math.clz32(found & -found)) >> 3)) | 0;
            break;
          }
          next = (next + 4) | 0;
        }
        const isComplete = next < to && bytes[next] === QUOTE && next - at - 1 <= maxString;
        if (state <= FIRST_KEY) {
          if (isComplete) {
            sink.key(at, at + 1, next);
            next = (next + 1) | 0;
            if (written >= 0 && fields !== undefined && next < to && bytes[next] === COLON) {
              const stop = skipWhite(bytes, view, next + 1, to);
              fields.keys.learn(bytes, view, written, at + 1, next - 1, stop);
            }
          } else {
            next = this.readString(bytes, view, at, to, last, true) | 0;
            if (next === CUT) break;
          }
          at = next;
          if (at < to && bytes[at] === COLON) {
            at = (at + 1) | 0;
            state = VALUE;
          } else {
            state = BEFORE_COLON;
          }
          continue;
        }
        if (values >= maxValues) this.exceed('values', at);
        if (isComplete) {
          sink.string(at, at + 1, next);
          next = (next + 1) | 0;
        } else {
          next = this.readString(bytes, view, at, to, last, false) | 0;
          if (next === CUT) break;
        }
      } else if (state <= BEFORE_COLON) {
        if (byte === COLON && state === BEFORE_COLON) {
          at = (at + 1) | 0;
          state = VALUE;
          continue;
        }
        if (byte !== CLOSE_BRACE || state !== FIRST_KEY) this.#unexpected(bytes, at, state, inObject);
        state = AFTER_VALUE;
      } else if (state <= BETWEEN) {
        if (state === BETWEEN && this.#isSeparated && this.isRecordCut(bytes, at, to, last)) break;
        if (byte === MINUS || (byte ^ ZERO) <= 9) {
          if (values >= maxValues) this.exceed('values', at);
          const count =
            takesNumbers && depth > 0 && !inObject ? readNumberRun(number, bytes, view, at, to, 0, Math.min(maxValues - values, NUMBERS.length)) : 0;
          next = (count > 0 ? numberRun.end : readNumber(number, bytes, view, at, to)) | 0;
          if (count > 0) {
            sink.addNumbers!(NUMBERS, count);
            values = (values + count - 1) | 0;
          } else if (next === 0) {
            next = this.readLongNumber(bytes, at, to, last, depth > 0) | 0;
            if (next === CUT) break;
          } else if (number.form === INT32) {
            sink.integer(number.int[0]!, at, next);
          } else if (number.form === FLOAT) {
            sink.float(number.float[0]!, at, next);
          } else {
            sink.integer(number.float[0]!, at, next);
          }
        } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
          if (values >= maxValues) this.exceed('values', at);
          if (depth >= maxDepth) this.exceed('depth', at);
          if (takesNumbers && depth > 0 && byte === OPEN_BRACKET && !inObject) {
            next = readNumberLists(sink, number, bytes, view, at, to, Math.min(maxValues - values, MAX_FIELDS)) | 0;
            if (next > at) {
              values = (values + listRun.values) | 0;
              at = next;
              state = AFTER_VALUE;
              continue;
            }
          }
          if (depth === stack.length) stack = this.#grow();
          values += 1;
          inObject = byte === OPEN_BRACE;
          stack[depth] = inObject ? OBJECT : ARRAY;
          depth += 1;
          at += 1;
          if (inObject) {
            sink.beginObject(-1, at - 1, at);
            state = FIRST_KEY;
            written = at;
          } else {
            sink.beginArray(-1, at - 1, at);
            state = FIRST_ITEM;
          }
          continue;
        } else if (byte === CLOSE_BRACKET && state === FIRST_ITEM) {
          state = AFTER_VALUE;
        } else {
          if (values >= maxValues) this.exceed('values', at);
          const word = at + 5 <= to ? view.getInt32(at, true) : 0;
          if (word === NULL) {
            next = at + 4;
            sink.null(at, next);
          } else if (word === TRUE) {
            next = at + 4;
            sink.boolean(true, at, next);
          } else if (byte === LETTER_F && at + 5 <= to && view.getInt32(at + 1, true) === ALSE) {
            next = at + 5;
            sink.boolean(false, at, next);
          } else {
            next = this.readKeyword(bytes, at, to, last, EXPECTED[state]!) | 0;
            if (next === CUT) break;
          }
        }
      }
      if (next > at) {
        values = (values + 1) | 0;
        at = next;
        state = depth > 0 ? AFTER_VALUE : this.#sequence ? AFTER_SCALAR : DONE;
        if (at >= stop) break;
        byte = bytes[at]!;
        if (byte <= SPACE) continue;
      }

      if (state === AFTER_VALUE) {
        at += 1;
        if (byte === COMMA) {
          state = inObject ? KEY : VALUE;
          if (inObject) written = at;
        } else if (byte === (inObject ? CLOSE_BRACE : CLOSE_BRACKET)) {
          if (inObject) sink.endObject(at);
          else sink.endArray(at);
          depth -= 1;
          const wasObject = inObject;
          if (depth > 0) inObject = stack[depth - 1] === OBJECT;
          else state = this.#sequence ? BETWEEN : DONE;
          if (rows !== undefined && wasObject && (depth > 0 ? !inObject : this.#sequence)) {
            const left = Math.min(maxValues - values, MAX_FIELDS) | 0;
            rows.depth = maxDepth - depth;
            at = readRows(sink, rows, bytes, at, to, left) | 0;
            values = (values + left - rows.values) | 0;
          }
        } else {
          this.#unexpected(bytes, at - 1, state, inObject);
        }
      } else {
        this.#unexpected(bytes, at, state, inObject);
      }
    }

    this.#state = state;
    this.#depth = depth;
    this.#values = values;
    return at;
  }

  #grow(): Uint8Array<ArrayBuffer> {
    const grown = new Uint8Array(this.#stack.length * 2);
    grown.set(this.#stack);
    this.#stack = grown;
    return grown;
  }

  #unexpected(bytes: Uint8Array, at: number, state: number, inObject: boolean): never {
    const expected = state === AFTER_VALUE ? (inObject ? "',' or '}'" : "',' or ']'") : EXPECTED[state];
    const found = `expected ${expected} but found ${nameByte(bytes[at]!)}`;
    if (state !== DONE) return this.fail('malformed', found, at);
    return this.fail('trailing-bytes', `${found}; for newline-delimited JSON, set the option sequence: true`, at);
  }

  /** Checks that the value is complete at the end of the input. */
  #finish(to: number): void {
    const state = this.#state;
    if (state === BETWEEN || state === AFTER_SCALAR) this.sink.endArray(to);
    else if (state !== DONE) {
      if (this.received === 0) this.fail('empty', 'the payload is empty', to);
      const open = this.#depth === 0 ? undefined : this.#stack[this.#depth - 1];
      const place = open === undefined ? 'before a value' : open === OBJECT ? 'inside an object' : 'inside an array';
      this.fail('truncated', `the input ends ${place}`, to);
    }
  }
}

/** Request for rows if the sink reads them. Keys are compared in their usual form. */
function jsonRows(sink: Sink, { bigints, sequence }: JsonOptions, limits: Limits): RowRequest | undefined {
  if (sink.readRows === undefined) return undefined;
  const flags = (bigints === 'bigint' ? ROWS_BIGINTS : 0) | (sequence ? ROWS_SEQUENCE : 0);
  return rowRequest('json', flags, limits.stringLength, { objectValues: 1, keyBytes: (key) => encoder.encode(JSON.stringify(key)) });
}
