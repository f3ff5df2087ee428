import { sendInt64 } from '../../../reading/int64.ts';
import type { Sink } from '../../../reading/sink.ts';
import type { Plan } from './plan.ts';
import { BOOL, BYTE, DATE, ENUM, FLOAT32, FLOAT64, GUID, INT16, INT32, INT64, UINT16, UINT32, UINT64 } from '../schema/schema.ts';

/** 1970 in milliseconds since the year 1. */
const EPOCH = 62_135_596_800_000;
/** The order of a guid's bytes in its text, and the positions of their digits. */
const GUID_ORDER = [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15];
const GUID_PLACES = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];
/** Buffer for the text of a guid. */
const GUID_TEXT = new TextEncoder().encode('00000000-0000-0000-0000-000000000000');
const GUID_VIEW = new DataView(GUID_TEXT.buffer);
const DIGITS = new TextEncoder().encode('0123456789abcdef');

/** Sends values of a fixed size. */
export class Scalars {
  readonly #plan: Plan;
  readonly #sink: Sink;
  #bytes: Uint8Array = GUID_TEXT;
  #view: DataView = GUID_VIEW;
  #base = 0;

  constructor(plan: Plan, sink: Sink) {
    this.#plan = plan;
    this.#sink = sink;
  }

  useWindow(bytes: Uint8Array, view: DataView, base: number): void {
    this.#bytes = bytes;
    this.#view = view;
    this.#base = base;
  }

  /** Sends the value at `at` of a scalar type. */
  send(type: number, at: number): void {
    const sink = this.#sink;
    const view = this.#view;
    switch (this.#plan.kind[type]!) {
      case BOOL:
        sink.boolean(this.#bytes[at] !== 0, at, at + 1);
        break;
      case BYTE:
        sink.integer(this.#bytes[at]!, at, at + 1);
        break;
      case UINT16:
        sink.integer(view.getUint16(at, true), at, at + 2);
        break;
      case INT16:
        sink.integer(view.getInt16(at, true), at, at + 2);
        break;
      case UINT32:
        sink.integer(view.getUint32(at, true), at, at + 4);
        break;
      case INT32:
        sink.integer(view.getInt32(at, true), at, at + 4);
        break;
      case UINT64:
        sendInt64(sink, this.#plan.int64, view.getUint32(at, true), view.getUint32(at + 4, true), at, at + 8);
        break;
      case INT64:
        sendInt64(sink, this.#plan.int64, view.getUint32(at, true), view.getInt32(at + 4, true), at, at + 8);
        break;
      case FLOAT32:
        sink.float(view.getFloat32(at, true), at, at + 4);
        break;
      case FLOAT64:
        sink.float(view.getFloat64(at, true), at, at + 8);
        break;
      case GUID:
        this.#writeGuid(at);
        sink.window(GUID_TEXT, GUID_VIEW, -1);
        sink.string(0, 0, 36);
        sink.window(this.#bytes, view, this.#base);
        break;
      case DATE:
        sink.date(millisecondsAt(view, at), at, at + 8);
        break;
      case ENUM:
        this.#named(type, at);
        break;
    }
  }

  /** The text of the value at `at`, as the key of an object. */
  keyText(type: number, at: number): string {
    const plan = this.#plan;
    switch (plan.kind[type]) {
      case GUID:
        this.#writeGuid(at);
        return String.fromCharCode(...GUID_TEXT);
      case DATE:
        return new Date(millisecondsAt(this.#view, at)).toISOString();
      case BOOL:
        return String(this.#bytes[at] !== 0);
      case FLOAT32:
        return String(this.#view.getFloat32(at, true));
      case FLOAT64:
        return String(this.#view.getFloat64(at, true));
      case ENUM: {
        const value = this.#raw(plan.base[type]!, at);
        const constant = plan.nameOf(plan.ref[type]!, value);
        if (constant === -2) return plan.flagsOf(plan.ref[type]!, value)!;
        return constant < 0 ? String(value) : plan.constants.text(constant);
      }
      default:
        return String(this.#raw(plan.kind[type]!, at));
    }
  }

  #writeGuid(at: number): void {
    const bytes = this.#bytes;
    for (let i = 0; i < 16; i += 1) {
      const byte = bytes[at + GUID_ORDER[i]!]!;
      const place = GUID_PLACES[i]!;
      GUID_TEXT[place] = DIGITS[byte >> 4]!;
      GUID_TEXT[place + 1] = DIGITS[byte & 15]!;
    }
  }

  #named(type: number, at: number): void {
    const plan = this.#plan;
    const sink = this.#sink;
    const base = plan.base[type]!;
    const value = this.#raw(base, at);
    const end = at + plan.size[type]!;
    const constant = plan.nameOf(plan.ref[type]!, value);
    if (constant >= 0) {
      if (plan.constants.send(sink, constant)) sink.window(this.#bytes, this.#view, this.#base);
    } else if (constant === -2) {
      sink.text(plan.flagsOf(plan.ref[type]!, value)!, at, end);
    } else if (base === UINT64 || base === INT64) {
      const view = this.#view;
      sendInt64(sink, plan.int64, view.getUint32(at, true), base === INT64 ? view.getInt32(at + 4, true) : view.getUint32(at + 4, true), at, end);
    } else {
      sink.integer(value as number, at, end);
    }
  }

  #raw(kind: number, at: number): number | bigint {
    const view = this.#view;
    switch (kind) {
      case UINT16:
        return view.getUint16(at, true);
      case INT16:
        return view.getInt16(at, true);
      case UINT32:
        return view.getUint32(at, true);
      case INT32:
        return view.getInt32(at, true);
      case UINT64:
        return view.getBigUint64(at, true);
      case INT64:
        return view.getBigInt64(at, true);
      default:
        return this.#bytes[at]!;
    }
  }
}

/**
 * Converts a date to milliseconds: ticks of 100 ns since the year 1 in 62 bits; the two bits above give its time zone.
 */
export function millisecondsAt(view: DataView, at: number): number {
  const low = view.getUint32(at, true);
  const high = view.getUint32(at + 4, true) & 0x3fff_ffff;
  // 2³² = 429,496 × 10,000 + 7,296
  const rest = high * 7296 + low;
  const milliseconds = high * 429_496 + Math.floor(rest / 10_000) - EPOCH;
  return milliseconds < 0 && rest % 10_000 > 0 ? milliseconds + 1 : milliseconds;
}
