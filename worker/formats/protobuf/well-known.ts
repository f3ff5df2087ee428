import { decodeUtf8 } from '../../bytes/text.ts';
import { DURATION, FIELD_MASK, TIMESTAMP } from './plan.ts';
import { RUN, SLOT } from './scanner.ts';
import { Values } from './values.ts';

/** Sends the well-known types that stand for one scalar (https://protobuf.dev/reference/protobuf/google.protobuf). */
export class WellKnown extends Values {
  /** Sends the message just scanned, which is one of `kind`: a Timestamp as a date, the others as in JSON. */
  protected sendWellKnown(kind: number, start: number, end: number): void {
    const { sink } = this;
    if (kind === TIMESTAMP) sink.date(timestamp(this.#integer(0), this.#integer(1)), start, end);
    else if (kind === DURATION) sink.text(duration(this.#integer(0), this.#integer(1)), start, end);
    else if (kind === FIELD_MASK) sink.text(this.#paths().join(), start, end);
  }

  /** The string in the slot of a field of the message just scanned. */
  protected slotText(index: number): string {
    const slot = this.slotTop + index * SLOT;
    if (this.slots[slot] !== this.stamp) return '';
    const { from, end } = this.payload(this.slots[slot + 1]!, this.slots[slot + 2]!);
    return decodeUtf8(this.bytes, from, end, this.offsetOf(from) - from);
  }

  /** Where the payload of a field with a length is that begins, with its tag, at `start`. */
  payload(start: number, end: number): { at: number; from: number; end: number } {
    this.varint(start, end);
    const at = this.next;
    const length = this.varint(at, end);
    return { at, from: this.next, end: this.next + length };
  }

  #integer(index: number): number {
    const slot = this.slotTop + index * SLOT;
    if (this.slots[slot] !== this.stamp) return 0;
    const end = this.slots[slot + 2]!;
    this.varint(this.slots[slot + 1]!, end);
    return this.int64(this.next, end);
  }

  #paths(): string[] {
    const { slotTop, slots, stamp, runs } = this;
    const paths: string[] = [];
    if (slots[slotTop] !== stamp) return paths;
    const last = slots[slotTop + 3]!;
    this.#texts(slots[slotTop + 1]!, slots[slotTop + 2]!, paths);
    for (let run = last; last > 0; ) {
      run = runs[run * RUN + 2]!;
      this.#texts(runs[run * RUN]!, runs[run * RUN + 1]!, paths);
      if (run === last) break;
    }
    return paths;
  }

  #texts(start: number, end: number, texts: string[]): void {
    for (let at = start; at < end; ) {
      const payload = this.payload(at, end);
      texts.push(decodeUtf8(this.bytes, payload.from, payload.end, this.offsetOf(at) - at));
      at = payload.end;
    }
  }
}

/** Milliseconds since the epoch, NaN where no Date reaches; what is less than one is cut off. */
function timestamp(seconds: number, nanos: number): number {
  const milliseconds = seconds * 1000 + Math.floor(nanos / 1e6);
  return Math.abs(milliseconds) <= 8.64e15 ? milliseconds : NaN;
}

/** Seconds with 0, 3, 6 or 9 decimals and an `s`. */
function duration(seconds: number, nanos: number): string {
  const sign = seconds < 0 || nanos < 0 ? '-' : '';
  const digits = String(Math.abs(nanos)).padStart(9, '0');
  const decimals = nanos === 0 ? '' : `.${digits.replace(/(?:000){1,2}$/, '')}`;
  return `${sign}${Math.abs(seconds)}${decimals}s`;
}
