import type { Limits } from '../../../limits.ts';
import { CELL_BOOLEAN, CELL_INT32, CELL_NULL, CELL_NUMBER, CELL_STRING } from '../../../reading/sink-methods.ts';
import type { Sink } from '../../../reading/sink.ts';
import type { BundledStrings } from './bundles.ts';
import { readFloat32 } from './number-run.ts';
import type { Records } from './records.ts';
import type { Containers } from '../../../reading/containers.ts';

/** After unexpected objects, up to this many are read as events before rows are tried again. */
const MAX_WAIT = 256;
/** How many expected objects in a row make it worthwhile. */
const ENOUGH = 8;

/** Settings of `RowReader`. */
export interface RowSetting {
  readonly stack: Containers;
  readonly records: Records;
  readonly bundle: BundledStrings;
  /** 32-bit floats become the decimal numbers that they stand for. */
  readonly decimal: boolean;
  /** Length limit of strings, in bytes. */
  readonly longest: number;
  /** The token of the longest fixstr that the limits allow: 0xbf unless a limit is below 31 bytes. */
  readonly lastFixstr: number;
}

/**
 * Reads repeated records that are items of an array into the sink's rows, if their values are all scalars of the
 * expected kinds: records with msgpackr's bundled strings, or without kernels. Other records, and those that are cut,
 * are left to be read value by value. So are maps, whose keys have to be compared anyway.
 */
export class RowReader {
  /** How many records were read. */
  count = 0;
  readonly #setting: RowSetting;
  readonly #sink: Sink;
  readonly #deepest: number;
  /** How many records to skip now, and how many after the next failure. */
  #wait = 0;
  #penalty = 1;

  constructor(setting: RowSetting, sink: Sink, limits: Limits) {
    this.#setting = setting;
    this.#sink = sink;
    this.#deepest = limits.depth;
  }

  /**
   * Reads records with the number `number`, the first of which begins at `from`, for up to `left` items. Returns the
   * position after the last record read.
   */
  read(number: number, left: number, bytes: Uint8Array, view: DataView, from: number, end: number): number {
    if (this.#wait > 0) {
      this.#wait -= 1;
      return from;
    }
    const sink = this.#sink;
    const { stack, records, bundle, longest, lastFixstr, decimal } = this.#setting;
    if (stack.depth >= this.#deepest) return from;
    const rows = sink.rows!(records.id(number, sink));
    if (rows === undefined) {
      this.#postpone();
      return from;
    }
    const { kinds, numbers, words } = rows;
    const width = kinds.length | 0;
    const most = Math.min(left, rows.room, Math.floor((stack.mostValues - stack.values) / width)) | 0;
    const first = rows.row | 0;
    const firstRange = rows.range | 0;
    const to = (bundle.active ? Math.min(end, bundle.start) : end) | 0;
    const asciiEnd = bundle.active ? bundle.asciiEnd | 0 : 0;
    let ascii = bundle.active ? bundle.ascii | 0 : 0;
    // Start of the current record, and of its first bundled string.
    let start = from | 0;
    let spent = ascii;
    let count = 0;
    const id = bytes[from]!;
    row: for (; count < most; count++) {
      let at = (start + 1) | 0;
      if (at >= to || bytes[start] !== id) break;
      const row = (first + count) | 0;
      const range = ((firstRange + count) << 1) | 0;
      for (let column = 0; column < width; column = (column + 1) | 0) {
        if (at >= to) break row;
        const value = bytes[at]!;
        const kind = kinds[column]!;
        if (kind === CELL_STRING) {
          if (value === 0xc1) {
            // msgpackr's bundled strings
            if (at + 2 > to) break row;
            const length = bytes[at + 1]!;
            const next = (ascii + length) | 0;
            if (length === 0 || length >= 0x80 || length > longest || next > asciiEnd) break row;
            const ranges = words[column]!;
            ranges[range] = ascii;
            ranges[range + 1] = next;
            ascii = next;
            at = (at + 2) | 0;
            continue;
          }
          let content = (at + 1) | 0;
          let next = (content + value - 0xa0) | 0;
          if (value < 0xa0 || value > lastFixstr) {
            if (value !== 0xd9 || at + 2 > to || bytes[content]! > longest) {
              if (value !== 0xc0) break row;
              rows.setNull(column, row);
              at = content;
              continue;
            }
            // str 8: uint8 length, UTF-8
            content = (at + 2) | 0;
            next = (content + bytes[at + 1]!) | 0;
          }
          if (next > to) break row;
          const ranges = words[column]!;
          ranges[range] = content;
          ranges[range + 1] = next;
          at = next;
          continue;
        }
        if (kind === CELL_NUMBER && value === 0xcb) {
          if (at + 9 > to) break row;
          numbers[column]![row] = view.getFloat64(at + 1);
          at = (at + 9) | 0;
          continue;
        }
        if (value === 0xc0) {
          rows.setNull(column, row);
          at = (at + 1) | 0;
          continue;
        }
        if (kind === CELL_NULL) break row;
        if (kind === CELL_BOOLEAN) {
          if (value !== 0xc2 && value !== 0xc3) break row;
          words[column]![row] = value & 1;
          at = (at + 1) | 0;
          continue;
        }
        let next = (at + 1) | 0;
        let integer = value;
        if (value >= 0xe0) integer = (value - 0x100) | 0;
        else if (value >= 0x80) {
          next = (next + SIZES[value & 31]!) | 0;
          if (next > to) break row;
          if (value === 0xcc) integer = bytes[at + 1]!;
          else if (value === 0xcd) integer = view.getUint16(at + 1);
          else if (value === 0xd0) integer = view.getInt8(at + 1);
          else if (value === 0xd1) integer = view.getInt16(at + 1);
          else if (value === 0xd2) integer = view.getInt32(at + 1);
          else if (value === 0xce) {
            integer = view.getInt32(at + 1);
            if (integer < 0) {
              if (kind !== CELL_NUMBER) break row;
              numbers[column]![row] = integer + 0x1_0000_0000;
              at = next;
              continue;
            }
          } else if (value === 0xca && kind === CELL_NUMBER) {
            numbers[column]![row] = readFloat32(view, at + 1, decimal);
            at = next;
            continue;
          } else break row;
        } else if (value >= 0x40 && records.bytes[value - 0x40] !== 0) break row;
        if (kind === CELL_INT32) words[column]![row] = integer;
        else numbers[column]![row] = integer;
        at = next;
      }
      start = at;
      spent = ascii;
    }
    this.count = count;
    stack.values += width * count;
    if (bundle.active) bundle.ascii = spent;
    sink.addRows!(count);
    if (count === most || count >= ENOUGH) this.#penalty = 1;
    else this.#postpone();
    return start;
  }

  #postpone(): void {
    this.#wait = this.#penalty;
    this.#penalty = Math.min(this.#penalty * 2, MAX_WAIT);
  }
}

/** Bytes after a token from 0xca to 0xd2, by its low 5 bits. */
const SIZES = Uint8Array.from([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 8, 1, 2, 4, 8, 1, 2, 4, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
