import { check } from '../check-names.ts';
import { isAscii, validateUtf8 } from '../bytes/text/text.ts';
import type { Sink } from '../reading/sink.ts';
import { ForwardingSink } from './forwarding-sink.ts';

const lenient = new TextDecoder('utf-8', { ignoreBOM: true });

/** The text in `from..end`, with U+FFFD for each maximal part of a character that is not UTF-8. */
function repairedText(bytes: Uint8Array, from: number, end: number): string {
  return lenient.decode(bytes.subarray(from, end));
}

/** How text that is not UTF-8 is given: see `DecodeSettings.invalidText`. */
export type InvalidText = 'replace' | 'bytes';

/** Throws for a value of the option that does not exist. */
export function checkInvalidText(value: string | undefined): void {
  check('invalid option invalidText:', value, ['error', 'replace', 'bytes']);
}

/**
 * Passes all events to another sink, but text that is not UTF-8 as repaired text, or as its bytes. Keys, and text of which a format
 * makes another value, are repaired in any case. Takes neither rows nor ranges of lists, whose text would pass unseen.
 */
export class InvalidTextSink extends ForwardingSink {
  readonly repairedText = repairedText;
  readonly #asBytes: boolean;

  constructor(sink: Sink, as: InvalidText) {
    super(sink);
    this.#asBytes = as === 'bytes';
  }

  protected beforeValue(): void {}

  override string(start: number, from: number, end: number): void {
    if (this.#isText(from, end)) this.sink.string(start, from, end);
    else if (this.#asBytes && this.tagged === 0) this.sink.binary(0, start, from, end);
    else this.sink.text(repairedText(this.bytes, from, end), start, end);
  }

  override key(start: number, from: number, end: number): void {
    if (this.#isText(from, end)) this.sink.key(start, from, end);
    else this.sink.keyText(repairedText(this.bytes, from, end), start, end);
  }

  #isText(from: number, end: number): boolean {
    return isAscii(this.bytes, this.view, from, end) || validateUtf8(this.bytes, from, end) < 0;
  }
}
