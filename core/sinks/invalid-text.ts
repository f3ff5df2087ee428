import { check } from '../check-names.ts';
import { isAscii, validateUtf8 } from '../bytes/text/text.ts';
import type { BinaryKind, RecordId, Sink, Tag } from '../reading/sink.ts';

const lenient = new TextDecoder('utf-8', { ignoreBOM: true });

/** The text in `from..end`, with U+FFFD for each maximal part of a character that is not UTF-8. */
function repairedText(bytes: Uint8Array, from: number, end: number): string {
  return lenient.decode(bytes.subarray(from, end));
}

/** What becomes of text that is not UTF-8: see `DecodeSettings.invalidText`. */
export type InvalidText = 'replace' | 'bytes';

/** Throws for a value of the option that does not exist. */
export function checkInvalidText(value: string | undefined): void {
  check('invalid option invalidText:', value, ['error', 'replace', 'bytes']);
}

/**
 * Passes all events to another sink, but text that is not UTF-8 as repaired text, or as its bytes. Keys, and text of which a format
 * makes another value, are repaired in any case. Takes neither rows nor ranges of lists, whose text would pass unseen.
 */
export class InvalidTextSink implements Sink {
  readonly repairedText = repairedText;
  readonly prefersText: boolean;
  checkText: Sink['checkText'];
  readonly flush: () => void;
  readonly #sink: Sink;
  readonly #asBytes: boolean;
  /** Open tagged values. */
  #tagged = 0;
  #bytes: Uint8Array = new Uint8Array(0);
  #view = new DataView(this.#bytes.buffer);

  constructor(sink: Sink, as: InvalidText) {
    this.#sink = sink;
    this.#asBytes = as === 'bytes';
    this.prefersText = sink.prefersText ?? false;
    this.flush = () => sink.flush?.();
  }

  window(bytes: Uint8Array, view: DataView, base: number): void {
    this.#bytes = bytes;
    this.#view = view;
    this.#sink.window(bytes, view, base);
  }

  string(start: number, from: number, end: number): void {
    if (this.#isText(from, end)) this.#sink.string(start, from, end);
    else if (this.#asBytes && this.#tagged === 0) this.#sink.binary(0, start, from, end);
    else this.#sink.text(repairedText(this.#bytes, from, end), start, end);
  }

  key(start: number, from: number, end: number): void {
    if (this.#isText(from, end)) this.#sink.key(start, from, end);
    else this.#sink.keyText(repairedText(this.#bytes, from, end), start, end);
  }

  #isText(from: number, end: number): boolean {
    return isAscii(this.#bytes, this.#view, from, end) || validateUtf8(this.#bytes, from, end) < 0;
  }

  text(value: string, start: number, end: number): void {
    this.checkText?.(value.length, start);
    this.#sink.text(value, start, end);
  }

  keyText(value: string, start: number, end: number): void {
    this.#sink.keyText(value, start, end);
  }

  null(start: number, end: number): void {
    this.#sink.null(start, end);
  }

  undefined(start: number, end: number): void {
    this.#sink.undefined(start, end);
  }

  boolean(value: boolean, start: number, end: number): void {
    this.#sink.boolean(value, start, end);
  }

  integer(value: number, start: number, end: number): void {
    this.#sink.integer(value, start, end);
  }

  float(value: number, start: number, end: number): void {
    this.#sink.float(value, start, end);
  }

  bigint(value: bigint, start: number, end: number): void {
    this.#sink.bigint(value, start, end);
  }

  binary(kind: BinaryKind, start: number, from: number, end: number): void {
    this.#sink.binary(kind, start, from, end);
  }

  date(milliseconds: number, start: number, end: number): void {
    this.#sink.date(milliseconds, start, end);
  }

  beginArray(count: number, start: number, end: number): void {
    this.#sink.beginArray(count, start, end);
  }

  endArray(end: number): void {
    this.#sink.endArray(end);
  }

  itemRecord(record: RecordId): void {
    this.#sink.itemRecord?.(record);
  }

  beginSet(count: number, start: number, end: number): void {
    this.#sink.beginSet(count, start, end);
  }

  endSet(end: number): void {
    this.#sink.endSet(end);
  }

  beginObject(count: number, start: number, end: number): void {
    this.#sink.beginObject(count, start, end);
  }

  endObject(end: number): void {
    this.#sink.endObject(end);
  }

  defineRecord(keys: readonly string[], unused?: RecordId): RecordId {
    return this.#sink.defineRecord(keys, unused);
  }

  beginRecord(record: RecordId, start: number, end: number): void {
    this.#sink.beginRecord(record, start, end);
  }

  field(index: number, start: number, end: number): void {
    this.#sink.field(index, start, end);
  }

  endRecord(end: number): void {
    this.#sink.endRecord(end);
  }

  beginMap(count: number, start: number, end: number): void {
    this.#sink.beginMap(count, start, end);
  }

  endMap(end: number): void {
    this.#sink.endMap(end);
  }

  beginTagged(tag: Tag, start: number, end: number): void {
    this.#tagged += 1;
    this.#sink.beginTagged(tag, start, end);
  }

  endTagged(end: number): void {
    this.#tagged -= 1;
    this.#sink.endTagged(end);
  }

  anchor(id: number, start: number, end: number): void {
    this.#sink.anchor(id, start, end);
  }

  reference(id: number, start: number, end: number): void {
    this.#sink.reference(id, start, end);
  }

  path(): (string | number)[] {
    return this.#sink.path();
  }
}
