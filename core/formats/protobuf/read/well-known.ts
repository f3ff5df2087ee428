import { textFor } from '../../../bytes/text/text-for.ts';
import { DURATION, FIELD_MASK, TIMESTAMP } from './plan.ts';
import type { Sink } from '../../../reading/sink.ts';
import type { Input } from './input.ts';
import type { Passes } from './passes.ts';
import { RUN, type Scanner, SLOT } from './scanner.ts';

/** Sends the well-known types with a scalar equivalent (https://protobuf.dev/reference/protobuf/google.protobuf). */
export class WellKnown {
  readonly #sink: Sink;
  readonly #input: Input;
  readonly #scanner: Scanner;

  constructor(passes: Passes) {
    this.#sink = passes.sink;
    this.#input = passes.input;
    this.#scanner = passes.scanner;
  }

  /** Sends the message just scanned, of a given kind: a Timestamp as a date, others as in JSON. */
  send(kind: number, start: number, end: number): void {
    const sink = this.#sink;
    if (kind === TIMESTAMP) sink.date(timestamp(this.#integer(0), this.#integer(1)), start, end);
    else if (kind === DURATION) sink.text(duration(this.#integer(0), this.#integer(1)), start, end);
    else if (kind === FIELD_MASK) sink.text(this.#paths().join(), start, end);
  }

  #integer(index: number): number {
    const slot = this.#scanner.slotTop + index * SLOT;
    if (this.#scanner.slots[slot] !== this.#scanner.stamp) return 0;
    const end = this.#scanner.slots[slot + 2]!;
    this.#input.varint(this.#scanner.slots[slot + 1]!, end);
    return this.#input.int64(this.#input.next, end);
  }

  #paths(): string[] {
    const { slotTop, slots, stamp, runs } = this.#scanner;
    const paths: string[] = [];
    if (slots[slotTop] !== stamp) return paths;
    const last = slots[slotTop + 3]!;
    this.#texts(slots[slotTop + 1]!, slots[slotTop + 2]!, paths);
    for (let run = last; last > 0;) {
      run = runs[run * RUN + 2]!;
      this.#texts(runs[run * RUN]!, runs[run * RUN + 1]!, paths);
      if (run === last) break;
    }
    return paths;
  }

  #texts(start: number, end: number, texts: string[]): void {
    for (let at = start; at < end;) {
      const payload = this.#input.payload(at, end);
      texts.push(textFor(this.#sink, this.#input.bytes, payload.from, payload.end, this.#input.offsetOf(at) - at));
      at = payload.end;
    }
  }
}

/** Milliseconds since the epoch, truncated; NaN outside the range of a Date. */
function timestamp(seconds: number, nanos: number): number {
  const milliseconds = seconds * 1000 + Math.floor(nanos / 1e6);
  return Math.abs(milliseconds) <= 8.64e15 ? milliseconds : NaN;
}

/**
 * Formats a Duration: seconds with 0, 3, 6 or 9 decimals and an `s`. Nanoseconds beyond a second, or of the other
 * sign, are added up.
 */
function duration(seconds: number, nanos: number): string {
  let wholeSeconds = seconds + Math.trunc(nanos / 1e9);
  let rest = nanos % 1e9;
  if (wholeSeconds * rest < 0) {
    const sign = Math.sign(wholeSeconds);
    wholeSeconds -= sign;
    rest += sign * 1e9;
  }
  const sign = wholeSeconds < 0 || rest < 0 ? '-' : '';
  const digits = String(Math.abs(rest)).padStart(9, '0');
  const decimals = rest === 0 ? '' : `.${digits.replace(/(?:000){1,2}$/, '')}`;
  return `${sign}${Math.abs(wholeSeconds)}${decimals}s`;
}
