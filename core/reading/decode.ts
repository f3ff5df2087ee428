import { DecodeError, LimitError, SchemaError } from '../errors.ts';
import type { AnyFormat } from '../formats/format.ts';
import type { FormatId } from '../formats/registry.ts';
import type { Limits } from '../limits.ts';
import { looksLikeMarkup, textStart } from '../bytes/markup.ts';
import type { Reader } from './reader.ts';
import type { Sink } from './sink.ts';

const NO_BYTES = new Uint8Array(0);
/** Bytes that are kept of the beginning, to tell text from a payload. */
const HEAD_BYTES = 64;

/** What a session reads with. */
export interface SessionSetting {
  id: FormatId;
  format: AnyFormat;
  options: object;
  limits: Limits;
  /** What the format's `compileSchema` returned. */
  schema?: unknown;
}

/** One decode of one payload: a format's reader on a sink, and errors that say in which format and where. */
export class DecodeSession {
  readonly #format: AnyFormat;
  readonly #reader: Reader;
  readonly #id: FormatId;
  readonly #sink: Sink;
  /** How the input begins, to tell an HTML page from broken data. */
  #head: Uint8Array = NO_BYTES;

  constructor({ id, format, options, limits, schema }: SessionSetting, sink: Sink) {
    this.#id = id;
    this.#format = format;
    this.#sink = sink;
    try {
      this.#reader = format.createReader(sink, options, limits, schema);
    } catch (error) {
      throw locateError(error, id);
    }
  }

  /** Bytes pushed so far. */
  get received(): number {
    return this.#reader.received;
  }

  /**
   * Loads what the payload needs, by its first bytes, where the format has to; see `Format.prepare`. To be called, and
   * awaited, before the first push.
   */
  prepare(head: Uint8Array): Promise<void> | undefined {
    return this.#format.prepare?.(head);
  }

  /** All of the input is best given to `end`. */
  get readsWhole(): boolean {
    return this.#reader.readsWhole;
  }

  push(chunk: Uint8Array): void {
    this.#see(chunk);
    try {
      this.#reader.push(chunk);
    } catch (error) {
      throw this.#located(error);
    }
  }

  /** No more input comes, after `chunk`. Throws where the value is not whole. */
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
    // Most payloads come in one piece: spreading its bytes would cost as much as a third of a small decode.
    if (this.#head.length === 0) this.#head = chunk.slice(0, HEAD_BYTES);
    else this.#head = Uint8Array.of(...this.#head, ...chunk.subarray(0, missing));
  }

  #located(error: unknown): unknown {
    return locateError(error, this.#id, this.#sink, this.#head);
  }
}

/**
 * The error to throw for one that a reader or a sink has thrown: the same with its format and path, or, where the
 * payload is an HTML page (the error page of a server or proxy), one that says so.
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

/** The error for bytes that are text where a payload was expected shows their beginning. */
function withText(error: DecodeError, head: Uint8Array): DecodeError {
  const { code, reason, format, offset, path } = error;
  const text = textStart(head);
  if (text === undefined || offset === undefined || offset > HEAD_BYTES) return error;
  // JSON is text: only a beginning that no JSON has tells that it is something else.
  if ((format ?? 'json') === 'json' && (offset > 8 || /^"[\s[{"\d\\-]/.test(text))) return error;
  return new DecodeError(code, `${reason}; the payload begins with the text ${text}`, { format, offset, path });
}

/** A sink that has thrown may not know its place any more. */
function pathOf(sink: Sink | undefined): (string | number)[] | undefined {
  try {
    return sink?.path();
  } catch {
    return undefined;
  }
}
