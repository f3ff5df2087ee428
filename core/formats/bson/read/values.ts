import { LimitError } from '../../../errors.ts';
import type { Limits } from '../../../limits.ts';
import type { RecordId, Sink } from '../../../reading/sink.ts';

/** The parts of a regular expression: two ranges of the window. */
export interface RegExpParts {
  pattern: number;
  patternEnd: number;
  options: number;
  optionsEnd: number;
}

/**
 * Sends the values whose form depends on `types`. The payload is at `at`, or in `from..end` if its length varies; the
 * value begins with its header at `start` and ends before `next`.
 */
export abstract class Values {
  /** True if doubles, 32-bit integers and dates are numbers and Dates, which the reader sends itself. */
  abstract readonly direct: boolean;
  protected bytes: Uint8Array = new Uint8Array(0);
  protected view: DataView = new DataView(new ArrayBuffer(0));
  protected base = 0;
  protected readonly sink: Sink;
  protected readonly limits: Limits;
  readonly #records = new Map<readonly string[], RecordId>();

  constructor(sink: Sink, limits: Limits) {
    this.sink = sink;
    this.limits = limits;
  }

  window(bytes: Uint8Array, view: DataView, base: number): void {
    this.bytes = bytes;
    this.view = view;
    this.base = base;
  }

  abstract double(at: number, start: number, next: number): void;
  abstract int32(at: number, start: number, next: number): void;
  abstract int64(at: number, start: number, next: number): void;
  abstract date(at: number, start: number, next: number): void;
  abstract undefined(start: number, next: number): void;
  abstract objectId(at: number, start: number, next: number): void;
  abstract timestamp(at: number, start: number, next: number): void;
  abstract decimal128(at: number, start: number, next: number): void;
  /** Sends MinKey or MaxKey. */
  abstract bound(least: boolean, start: number, next: number): void;
  abstract symbol(start: number, from: number, end: number): void;
  abstract code(start: number, from: number, end: number): void;
  /** Sends a code. Its scope, a document, follows, and then `endCode`. */
  abstract beginCode(start: number, from: number, end: number): void;
  abstract endCode(end: number): void;
  abstract binary(subtype: number, start: number, from: number, end: number): void;
  abstract regExp(parts: RegExpParts, start: number, next: number): void;
  /** Sends a DBPointer: a namespace, and an ObjectId at `id`. */
  abstract pointer(start: number, from: number, end: number, id: number): void;

  /** Milliseconds of the date at `at`; NaN beyond the range of a Date. */
  protected milliseconds(at: number): number {
    return readMilliseconds(this.view, at);
  }

  /** Begins an object with the given keys; their list is the map's key, so it must be a constant. */
  protected beginRecord(keys: readonly string[], start: number, end: number): void {
    let record = this.#records.get(keys);
    if (record === undefined) this.#records.set(keys, (record = this.sink.defineRecord(keys)));
    this.sink.beginRecord(record, start, end);
  }

  /** Sends `{ [keys[0]]: text }`. */
  protected textRecord(keys: readonly string[], text: string, start: number, next: number): void {
    this.beginRecord(keys, start, start);
    this.sink.field(0, start, start);
    this.sink.text(text, start, next);
    this.sink.endRecord(next);
  }

  /** Checks the limit before a string of `length` characters is made. */
  protected checkText(length: number, start: number): void {
    if (length > this.limits.stringLength) {
      throw new LimitError('stringLength', `stringLength limit exceeded: a string of ${length} characters`, { offset: this.base + start });
    }
  }
}

/** The signed 64-bit integer at `at` as the nearest number. */
export function readNear(view: DataView, at: number): number {
  return view.getInt32(at + 4, true) * 0x1_0000_0000 + view.getUint32(at, true);
}

export function readMilliseconds(view: DataView, at: number): number {
  const milliseconds = readNear(view, at);
  // A Date covers 100,000,000 days either side of 1970.
  return Math.abs(milliseconds) <= 8.64e15 ? milliseconds : NaN;
}
