import { encodeJson, isWellFormed } from '../../bytes/text/json-text.ts';
import { DecodeError } from '../../errors.ts';
import type { AnyFormat } from '../../format/format.ts';
import type { FormatId } from '../../format/format-id.ts';
import type { Limits } from '../../limits.ts';
import type { locateError, Wrap } from '../../format/decode-session.ts';
import type { Reader } from '../../reading/reader.ts';
import type { ReviveTag } from '../../reading/revive.ts';
import { CutText } from './cut-text.ts';
import { NONE, PartialSink, type Step } from './partial-sink.ts';
import { ProseFilter } from './prose.ts';

/** Bytes, or characters, that wait until they are read, unless a value is asked for. */
const WAITING = 4096;
/** Longer chunks of bytes are read without a copy. */
const SMALL = 512;
/** Bytes of the beginning that are kept to tell text from a payload. */
const HEAD_BYTES = 64;
/** Array items that snapshots may copy in any case, and for each byte received: see `PartialValue.value`. */
const FREE_COPIES = 2 ** 22;
const COPIES_PER_BYTE = 32;
/** Longer numbers are given once they are complete. */
const MAX_NUMBER_LENGTH = 400;

const encoder = new TextEncoder();

/** Settings of a value that is given in part. */
export interface PartialSetting {
  format: AnyFormat;
  id?: FormatId | undefined;
  options: object;
  limits: Limits;
  schema?: unknown;
  wrap?: Wrap | undefined;
  /** Makes the values of all tags. */
  revive: ReviveTag;
  /** Adds the place to errors: a page that reads the format has this code already. */
  locate: typeof locateError;
  /** True for numbers of JSON that grow with their digits. */
  growingNumbers: boolean;
  /** True for JSON with other text before and after it. */
  prose: boolean;
}

/**
 * A value that is decoded while its bytes arrive, of which a snapshot can be taken at any time. Snapshots never change;
 * a finished part is the same object in every snapshot and in the result.
 *
 * @internal Use `createPartial`.
 */
export class PartialValue {
  /** The last snapshot; undefined before there is one. */
  last: unknown;
  /** Path of the unfinished value in the last snapshot; undefined if it is complete. */
  openPath: readonly Step[] | undefined = [];
  readonly #id: FormatId | undefined;
  readonly #locate: typeof locateError;
  readonly #reader: Reader;
  readonly #sink: PartialSink;
  readonly #growingNumbers: boolean;
  readonly #prose: ProseFilter | undefined;
  /** Chunks of bytes, or of text, that have not been read. */
  #bytes: Uint8Array<ArrayBuffer> | undefined;
  #length = 0;
  #text = '';
  #scratch: Uint8Array<ArrayBuffer> | undefined;
  readonly #head = new Uint8Array(HEAD_BYTES);
  #headLength = 0;
  #error: { error: unknown } | undefined;
  /** True once nothing more is read: the text after a value in prose is not. */
  #ended = false;
  #finished = false;
  #cut: CutText | undefined;
  /** Value of `PartialSink.changes` when the cut text began, and at the last snapshot. */
  #cutSince = -1;
  #seen = -1;
  #open: unknown = NONE;
  #copies = FREE_COPIES;

  constructor({ format, id, options, limits, schema, wrap, revive, locate, growingNumbers, prose }: PartialSetting) {
    this.#id = id;
    this.#locate = locate;
    this.#sink = new PartialSink(revive);
    this.#reader = format.createReader(wrap?.(this.#sink) ?? this.#sink, options, limits, schema);
    if ((growingNumbers || prose) && !this.#reader.isText) throw new TypeError('the options numbers and prose are for JSON');
    if (growingNumbers && (options as { bigints?: string }).bigints === 'bigint') {
      throw new TypeError("numbers: 'growing' excludes bigints: 'bigint', which would change the type of a number that grows");
    }
    this.#growingNumbers = growingNumbers;
    this.#prose = prose ? new ProseFilter() : undefined;
  }

  push(chunk: string | Uint8Array): void {
    if (this.#finished) throw new TypeError('the value is finished: make another one for the next');
    if (typeof chunk === 'string') {
      if (this.#length > 0) this.#readBytes();
      this.#text += chunk;
      this.#copies += chunk.length * COPIES_PER_BYTE;
      if (this.#text.length >= WAITING) this.#readText(false);
    } else {
      if (this.#text !== '') this.#readText(true);
      this.#take(chunk);
    }
    this.#throw();
  }

  /**
   * The value so far; undefined before it begins. The same object until it changes. Copying a long list that is still open
   * takes time, so that copies are limited by the bytes received: values that are asked for every few bytes may then be
   * older by a small part of the input, until the next one or `finish`. `exact` is a number of copies that is allowed in any case.
   */
  value(exact = 0): unknown {
    this.#read();
    const sink = this.#sink;
    const open = this.#openScalar();
    if (sink.changes !== this.#seen || open !== this.#open) {
      const { cost } = sink;
      if (cost > this.#copies && cost > exact) return this.last;
      this.#copies = Math.max(this.#copies - cost, 0);
      this.#seen = sink.changes;
      this.#open = open;
      const snapshot = sink.snapshot(open);
      this.last = snapshot === NONE ? undefined : snapshot;
      this.openPath = sink.complete ? undefined : sink.openPath(open !== NONE);
    }
    return this.last;
  }

  finish(): unknown {
    if (this.#finished) throw new TypeError('the value is finished already');
    this.#throw();
    this.#readBytes();
    this.#readText(true);
    this.#throw();
    if (!this.#ended) this.#end();
    this.#throw();
    this.#finished = true;
    return this.value(Infinity);
  }

  #end(): void {
    try {
      if (this.#prose?.begun === false) throw new DecodeError('empty', 'the text has no JSON object or array', { offset: this.#prose.skipped });
      this.#reader.end();
    } catch (error) {
      this.#fail(error);
    }
  }

  #throw(): void {
    if (this.#error) throw this.#error.error;
  }

  /** Keeps a chunk, or reads it if it is long. The bytes belong to the caller. */
  #take(bytes: Uint8Array): void {
    const { length } = bytes;
    this.#copies += length * COPIES_PER_BYTE;
    if (this.#length + length > WAITING || length > SMALL) this.#readBytes();
    if (length > SMALL) {
      this.#push(bytes);
      return;
    }
    const waiting = (this.#bytes ??= new Uint8Array(WAITING));
    let to = this.#length;
    // Faster than `set` for the few bytes of most chunks.
    if (length <= 32) for (let at = 0; at < length; at += 1) waiting[to++] = bytes[at]!;
    else waiting.set(bytes, to);
    this.#length += length;
  }

  #read(): void {
    if (this.#length > 0) this.#readBytes();
    else if (this.#text !== '') this.#readText(false);
  }

  #readBytes(): void {
    const length = this.#length;
    if (length === 0) return;
    this.#length = 0;
    this.#push(this.#bytes!.subarray(0, length));
  }

  /** Reads the text that waits, but half a surrogate pair or escape at its end, which the next chunk may complete. */
  #readText(last: boolean): void {
    const all = this.#text;
    const end = last ? all.length : wholeEnd(all);
    const text = all.slice(0, end);
    this.#text = all.slice(end);
    if (text === '') return;
    if (text.length > WAITING || !isWellFormed(text)) {
      this.#push(encodeJson(text));
      return;
    }
    const scratch = (this.#scratch ??= new Uint8Array(WAITING * 3));
    this.#push(scratch.subarray(0, encoder.encodeInto(text, scratch).written));
  }

  /** Reads bytes. Keeps an error for the next `push` or `finish`. */
  #push(bytes: Uint8Array): void {
    if (this.#ended || this.#error) return;
    if (this.#headLength < HEAD_BYTES) {
      const head = bytes.subarray(0, HEAD_BYTES - this.#headLength);
      this.#head.set(head, this.#headLength);
      this.#headLength += head.length;
    }
    try {
      this.#reader.push(this.#prose && !this.#prose.begun ? this.#prose.skip(bytes) : bytes);
    } catch (error) {
      // The text after the value.
      if (this.#prose && error instanceof DecodeError && error.code === 'trailing-bytes') this.#ended = true;
      else this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.#error = { error: this.#locate(error, this.#id, this.#sink, this.#head.subarray(0, this.#headLength)) };
  }

  /** The string or number that the input cuts; `NONE` if it cuts neither. */
  #openScalar(): unknown {
    const reader = this.#reader;
    const { changes } = this.#sink;
    // As in the last snapshot, if that is of the same place.
    if (this.#error || this.#ended) return changes === this.#seen ? this.#open : NONE;
    const token = reader.cutToken;
    if (token.length === 0) return NONE;
    const start = reader.cutTextStart(token);
    if (start > 0) {
      if (this.#cutSince !== changes) {
        this.#cut = new CutText(start, reader.isText);
        this.#cutSince = changes;
      }
      this.#cut!.grow(token);
      return this.#cut!.text;
    }
    return this.#growingNumbers ? numberOf(token) : NONE;
  }
}

/** End of the whole code points and escapes of a text. */
function wholeEnd(text: string): number {
  const end = text.charCodeAt(text.length - 1) >> 10 === 0x36 ? text.length - 1 : text.length;
  let at = end;
  while (text[at - 1] === '\\') at -= 1;
  return end - ((end - at) % 2);
}

/** The number that the bytes of a cut token begin with; `NONE` if they begin with none. */
function numberOf(token: Uint8Array): unknown {
  const digits = token.length <= MAX_NUMBER_LENGTH && /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/.exec(String.fromCharCode(...token));
  return digits ? Number(digits[0]) : NONE;
}
