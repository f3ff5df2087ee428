import {
  KIND_BIGINT64,
  KIND_BOOLEAN,
  KIND_DATE,
  KIND_DICTIONARY,
  KIND_EMPTY,
  KIND_TEXT,
  KIND_VARIANT,
  STATE_ABSENT,
  STATE_NULL,
  STATE_VALUE,
} from '../block/block.ts';
import type { ReviveTag } from '../reading/revive.ts';
import { decodeWtf8 } from '../bytes/text/wtf8.ts';
import type { Block, ColumnData, Group, RawRows } from './read-block.ts';
import { buildRows } from '../engine/fill.ts';
import { setProperty } from '../values/property.ts';
import { GroupRows } from './group-rows.ts';
import { groupAt } from './run.ts';
import { TapeReader } from './tape.ts';
import { readStrings } from './text.ts';
import { countBuilt } from '../slicing/minor-gc.ts';

/** Cells (rows × columns) built in one go, well within a slice. */
const CELLS = 12_288;
/** Estimated number of values in a nested row. */
const RAW_VALUES = 32;
/** Bytes of text decoded in one go, for a chunk and for a complete group. */
const TEXT_BYTES = 256 * 1024;
const GROUP_TEXT_BYTES = 1024 * 1024;
/**
 * Reading fewer rows does not decode all text of their group, which their strings would keep in memory, nor complete
 * dictionaries.
 */
const FEW_ROWS = 64;

/** Rows read in one go of a column whose bytes are not known. */
const UNOPENED_ROWS = 256;

/** Reads consecutive self-contained values of the payload's format. */
export type ReadItems = (bytes: Uint8Array) => unknown[];

/** Bytes of rows read in one go, well within a slice. */
const RAW_BYTES = 128 * 1024;

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Builds rows of tables as objects. */
export class RowBuilder extends GroupRows {
  override readonly block: Block;
  readonly #revive: ReviveTag;
  readonly #anchors: Map<number, unknown>;
  readonly #readItems: ReadItems | undefined;
  /** Unused readers. A row that contains rows of another table needs one per level. */
  readonly #readers: TapeReader[] = [];

  constructor(block: Block, revive: ReviveTag, anchors: Map<number, unknown>, readItems?: ReadItems) {
    super();
    this.block = block;
    this.#revive = revive;
    this.#anchors = anchors;
    this.#readItems = readItems;
  }

  /** Number of rows from `from` on to build in one go. */
  override chunk({ columns, rows, raw }: Group, from: number): number {
    if (raw) return rawChunk(raw, from);
    let count = Math.min(rows - from, Math.max(8, Math.floor(CELLS / Math.max(columns.length, 1))));
    for (const column of columns) {
      if (column.read) count = Math.min(count, UNOPENED_ROWS);
      if (column.read || column.kind !== KIND_TEXT) continue;
      const ends = column.data as Uint32Array;
      const start = from === 0 ? 0 : ends[from - 1]!;
      while (count > 1 && ends[from + count - 1]! - start > TEXT_BYTES) count = Math.ceil(count / 2);
    }
    return count;
  }

  /** Builds the objects for `from..to` of a group. `variants` are prebuilt VARIANT values, by column. */
  override build(group: Group, from: number, to: number, variants?: (unknown[] | undefined)[]): object[] {
    const { columns, table, raw } = group;
    if (raw) {
      countBuilt((to - from) * RAW_VALUES);
      return readRaw(raw, from, to, this.#readItems);
    }
    const values: ArrayLike<unknown>[] = [];
    for (let index = 0; index < columns.length; index++) {
      values.push(variants?.[index] ?? this.values(group, columns[index]!, from, to));
    }
    const rows = buildRows(table.keys, values, to - from);
    countBuilt((to - from) * columns.length);
    if (columns.some(({ states }) => states?.subarray(from, to).includes(STATE_ABSENT))) {
      for (let row = from; row < to; row++) {
        if (!columns.some(({ states }) => states?.[row] === STATE_ABSENT)) continue;
        const object = {};
        for (const [index, { states }] of columns.entries()) {
          if (states?.[row] !== STATE_ABSENT) setProperty(object, table.keys[index]!, values[index]![row - from]);
        }
        rows[row - from] = object;
      }
    }
    return rows;
  }

  /**
   * Values of a column in `from..to` of its group; undefined if absent. Returns a view of the block, or `into`, which
   * may be longer.
   */
  override values(group: Group, column: ColumnData, from: number, to: number, into: unknown[] = new Array<unknown>(to - from)): ArrayLike<unknown> {
    if (column.read && (to - from < FEW_ROWS || column.kind === KIND_VARIANT)) return column.read(from, to);
    const values = this.#plain(group, column, from, to, into);
    const { states } = column;
    if (states === undefined) return values;
    for (let row = from; row < to; row++) {
      const state = states[row];
      into[row - from] = state === STATE_VALUE ? values[row - from] : state === STATE_NULL ? null : undefined;
    }
    return into;
  }

  /** Returns a reader for the values of VARIANT columns. Return it with `release`. */
  acquire(): TapeReader {
    return this.#readers.pop() ?? new TapeReader(this.block, this.#revive, this, this.#anchors);
  }

  release(reader: TapeReader): void {
    this.#readers.push(reader);
  }

  /** Appends rows of a table as objects, reusing those already built. */
  readonly append = (list: unknown[], table: number, first: number, count: number): void => {
    const data = this.block.tables[table]!;
    const end = first + count;
    let row = first;
    for (; row < end && row < data.objects.length; row++) list.push(data.objects[row]);
    for (let at = groupAt(data, row); row < end; at++) {
      const group = data.groups[at]!;
      while (row < end && row < group.first + group.rows) {
        const from = row - group.first;
        const to = Math.min(from + this.chunk(group, from), end - group.first);
        for (const object of this.build(group, from, to)) list.push(object);
        row = group.first + to;
      }
    }
  };

  #plain(group: Group, column: ColumnData, from: number, to: number, values: unknown[]): ArrayLike<unknown> {
    const { kind, data } = column;
    switch (kind) {
      case KIND_EMPTY:
        for (let row = from; row < to; row++) values[row - from] = undefined;
        return values;
      case KIND_BOOLEAN:
        for (let row = from; row < to; row++) values[row - from] = data[row] === 1;
        return values;
      case KIND_DATE:
        for (let row = from; row < to; row++) values[row - from] = new Date(data[row] as number);
        return values;
      case KIND_DICTIONARY: {
        if (to - from < FEW_ROWS) {
          for (let row = from; row < to; row++) values[row - from] = column.list!.one(data[row] as number);
          return values;
        }
        const strings = column.list!.values();
        for (let row = from; row < to; row++) values[row - from] = strings[data[row] as number];
        return values;
      }
      case KIND_TEXT:
        return this.#text(column, from, to, values);
      case KIND_VARIANT: {
        const reader = this.acquire();
        for (let row = from; row < to; row++) {
          if ((column.states?.[row] ?? STATE_VALUE) === STATE_VALUE) values[row - from] = reader.read(group.tape, data[row] as number);
        }
        this.release(reader);
        return values;
      }
      case KIND_BIGINT64:
        return (data as BigInt64Array).subarray(from, to);
      default:
        return (data as Float64Array | Int32Array).subarray(from, to);
    }
  }

  /**
   * Strings of a TEXT column. If all are ASCII, the column's text is decoded in one go and sliced by byte positions.
   * Engines do not move a long string during garbage collection.
   */
  #text(column: ColumnData, from: number, to: number, values: unknown[]): ArrayLike<unknown> {
    const ends = column.data as Uint32Array;
    const few = to - from < FEW_ROWS && column.text === undefined;
    if (few || !column.ascii || column.bytes.length > GROUP_TEXT_BYTES) return readStrings(ends, column.bytes, column.ascii, from, to);
    const text = (column.text ??= decodeWtf8(column.bytes));
    let start = from === 0 ? 0 : ends[from - 1]!;
    for (let row = from; row < to; row++) {
      const end = ends[row]!;
      values[row - from] = text.slice(start, end);
      start = end;
    }
    return values;
  }
}

/** Number of rows from `from` on to read in one go. */
function rawChunk({ ends, separator }: RawRows, from: number): number {
  const limit = startOf(ends, separator, from) + RAW_BYTES;
  let to = from + 1;
  while (to < ends.length && ends[to]! <= limit) to += 1;
  return to - from;
}

/** Reads rows in one go: JSON with the engine's parser, other formats with `read`. */
function readRaw({ ends, bytes, separator }: RawRows, from: number, to: number, read: ReadItems | undefined): object[] {
  const run = bytes.subarray(startOf(ends, separator, from), ends[to - 1]);
  if (separator < 0) return read!(run) as object[];
  const text = decoder.decode(run);
  return to - from === 1 ? [JSON.parse(text) as object] : (JSON.parse(`[${text}]`) as object[]);
}

function startOf(ends: Uint32Array, separator: number, row: number): number {
  return row === 0 ? 0 : ends[row - 1]! + (separator < 0 ? 0 : 1);
}
