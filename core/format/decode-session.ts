import { DecodeError, LimitError, SchemaError } from '../errors.ts';
import type { AnyFormat } from './format.ts';
import type { FormatId } from './format-id.ts';
import type { Limits } from '../limits.ts';
import { looksLikeMarkup, textStart } from '../bytes/markup.ts';
import type { Reader } from '../reading/reader.ts';
import type { Sink } from '../reading/sink.ts';

const NO_BYTES = new Uint8Array(0);
/** Bytes of the beginning that are kept to tell text from a payload. */
const HEAD_BYTES = 64;

/** Settings of a decode session. */
export interface SessionSetting {
  id: FormatId;
  format: AnyFormat;
  options: object;
  limits: Limits;
  /** The result of the format's `compileSchema`. */
  schema?: unknown;
  wrap?: Wrap | undefined;
}

/** Makes the sink of a reader from that of the result: see `PickSink`. */
export interface Wrap {
  (sink: Sink): Sink;
  /** The keys to which it reduces the records of a list, if that is all that it does. */
  readonly picked?: ReadonlySet<string> | undefined;
}

/** One decode of one payload: runs a format's reader on a sink, and adds format and path to errors. */
export class DecodeSession {
  readonly #format: AnyFormat;
  readonly #reader: Reader;
  readonly #id: FormatId;
  readonly #sink: Sink;
  /** The first bytes, to tell an HTML page from broken data. */
  #head: Uint8Array = NO_BYTES;

  constructor({ id, format, options, limits, schema, wrap }: SessionSetting, sink: Sink) {
    this.#id = id;
    this.#format = format;
    this.#sink = wrap?.(sink) ?? sink;
    try {
      this.#reader = format.createReader(this.#sink, options, limits, schema);
    } catch (error) {
      throw locateError(error, id);
    }
  }

  /** Bytes pushed so far. */
  get received(): number {
    return this.#reader.received;
  }

  /**
   * Loads code that the payload needs according to its first bytes; see `Format.prepare`. Call and await it before the
   * first push.
   */
  prepare(head: Uint8Array): Promise<void> | undefined {
    return this.#format.prepare?.(head);
  }

  /** True if all of the input is best passed to `end`. */
  get readsWhole(): boolean {
    return this.#reader.readsWhole;
  }

  /** Values after which `end` pauses, if all of the input is passed to it. Default: never. */
  set stepValues(values: number) {
    this.#reader.stepValues = values;
  }

  /** True if `end` or `resume` has paused: `resume` reads on. */
  get isPaused(): boolean {
    return this.#reader.isPaused;
  }

  resume(): void {
    try {
      this.#reader.resume();
    } catch (error) {
      throw this.#located(error);
    }
  }

  push(chunk: Uint8Array): void {
    this.#see(chunk);
    try {
      this.#reader.push(chunk);
    } catch (error) {
      throw this.#located(error);
    }
  }

  /** Counts bytes that are not read: see `Reader.skip`. */
  skip(length: number): void {
    this.#reader.skip(length);
  }

  /** Ends the input after `chunk`, or pauses before. Throws if the value is incomplete. */
  end(chunk: Uint8Array = NO_BYTES): void {
    this.#see(chunk);
    try {
      this.#reader.end(chunk);
    } catch (error) {
      throw this.#located(error);
    }
  }

  /** Keeps the first bytes. */
  #see(chunk: Uint8Array): void {
    const missing = HEAD_BYTES - this.#head.length;
    if (missing <= 0 || chunk.length === 0) return;
    // Most payloads arrive in one piece, and spreading its bytes is slow.
    if (this.#head.length === 0) this.#head = chunk.slice(0, HEAD_BYTES);
    else this.#head = Uint8Array.of(...this.#head, ...chunk.subarray(0, missing));
  }

  #located(error: unknown): unknown {
    return locateError(error, this.#id, this.#sink, this.#head);
  }
}

/**
 * The error to throw for one that a reader or a sink has thrown: the same with its format and path or, if the payload
 * is an HTML page (the error page of a server or proxy), one that says so.
 */
export function locateError(error: unknown, format: FormatId | undefined, sink?: Sink, head?: Uint8Array): unknown {
  if (error instanceof DecodeError && head && looksLikeMarkup(head)) {
    return new DecodeError('malformed', `the payload is an HTML or XML document, not ${format ?? 'data'}`, { format, offset: 0 });
  }
  if (error instanceof DecodeError || error instanceof LimitError || error instanceof SchemaError) {
    const located = error.locate({ format, path: error.path ?? pathOf(sink) });
    return head && located instanceof DecodeError ? withText(located, head) : located;
  }
  return error;
}

/** Adds the beginning of a text payload to an error. */
function withText(error: DecodeError, head: Uint8Array): DecodeError {
  const { code, reason, format, offset, path } = error;
  const text = textStart(head);
  if (text === undefined || offset === undefined || offset > HEAD_BYTES) return error;
  // JSON is text too: only a beginning that JSON cannot have shows that it is something else.
  if ((format ?? 'json').endsWith('json') && (offset > 8 || /^"[\s[{"\d\\-]/.test(text))) return error;
  return new DecodeError(code, `${reason}; the payload begins with the text ${text}`, { format, offset, path });
}

/** The path of the current value; undefined if the sink has thrown and lost it. */
function pathOf(sink: Sink | undefined): (string | number)[] | undefined {
  try {
    return sink?.path();
  } catch {
    return undefined;
  }
}
