import { TAG_BITS, TAG_MASK, TAG_ROWS } from '../../block/block.ts';
import type { DecodeError } from '../../errors.ts';
import type { Column } from './column.ts';
import { type Frame, FRAME_LIST, FRAME_MAP, FRAME_OBJECT, FRAME_ROW } from './output/frame.ts';
import type { Table } from './table.ts';
import type { Tape } from './output/tape.ts';

/**
 * Keys and indices of the value being read in the frames `1..depth`; `next` of each row must be up to date. With
 * `pending`, the last key of the innermost object belongs to a value not read yet; otherwise that value is complete,
 * and the next key is being read.
 */
export function pathOf(frames: readonly Frame[], depth: number, leaf = true, pending = true): (string | number)[] {
  const path: (string | number)[] = [];
  for (let at = 1; at <= depth; at++) {
    const frame = frames[at]!;
    // In the innermost container the current value is the next one; in the others it was counted when it opened.
    const index = frame.emitted + frame.count - (at === depth && leaf ? 0 : 1);
    if (at === depth && !pending && (frame.kind === FRAME_OBJECT || frame.kind === FRAME_ROW)) break;
    if (frame.kind === FRAME_LIST) path.push(index);
    else if (frame.kind === FRAME_MAP) path.push(index >> 1);
    else if (frame.kind === FRAME_OBJECT && frame.shape.key) path.push(frame.shape.key.toString());
    else if (frame.kind === FRAME_ROW && frame.next > 0) path.push(frame.table!.columns[frame.next - 1]!.key.toString());
  }
  return path;
}

/** Number of columns set in a table's open row. */
export function columnsSet(frames: readonly Frame[], depth: number, table: Table): number {
  if (!table.open) return 0;
  return frames.findLast((frame, at) => at <= depth && frame.kind === FRAME_ROW && frame.table === table)!.next;
}

/**
 * The error for the first string that is not UTF-8, with its path. Strings in tables are validated column by column, so
 * the first one found may not be the first in the input.
 */
export function firstInvalid(frames: readonly Frame[], depth: number, tables: readonly Table[]): DecodeError | undefined {
  let first: DecodeError | undefined;
  for (const table of tables) {
    const set = columnsSet(frames, depth, table);
    for (const [index, column] of table.columns.entries()) {
      const invalid = column.firstInvalid(table.count + (index < set ? 1 : 0));
      if (!invalid || (first && first.offset! <= invalid.error.offset!)) continue;
      first = invalid.error.locate({ path: rowPath(frames, depth, table, invalid.row, column) });
    }
  }
  return first;
}

/** Path of a row's column; empty if the list with the row has ended, so that its position is unknown. */
function rowPath(frames: readonly Frame[], depth: number, table: Table, row: number, column: Column): (string | number)[] {
  const absolute = table.first + row;
  const holds = ({ kind, tape, run }: Frame): boolean => {
    if (kind !== FRAME_LIST || run < 0 || tape.words[run]! >>> TAG_BITS !== table.id) return false;
    return absolute >= tape.words[run + 1]! && absolute < tape.words[run + 1]! + tape.words[run + 2]!;
  };
  const open = table.open && row === table.count;
  const list = open
    ? frames.findLastIndex((frame, at) => at <= depth && frame.kind === FRAME_ROW && frame.table === table) - 1
    : frames.findLastIndex((frame, at) => at <= depth && holds(frame));
  if (list < 0) return [];
  const { tape, run } = frames[list]!;
  const count = frames[list]!.emitted + frames[list]!.count;
  if (open) return [...pathOf(frames, list - 1, false), count - 1, column.key.toString()];
  // The run reaches the end of the list so far, except for an open item.
  const items = list < depth ? count - 1 : count;
  const left = tape.words[run + 1]! + tape.words[run + 2]! - absolute;
  return run + 3 === tape.length ? [...pathOf(frames, list - 1, false), items - left, column.key.toString()] : [];
}

/**
 * Finds the end of the first `items` items of a list on a tape, and shortens a ROWS entry there. `position` is the
 * start of the first item.
 */
export function cutItems(tape: Tape, position: number, items: number, shapeLength: (shape: number) => number): number {
  let at = position;
  for (let left = items; left > 0;) {
    const rows = (tape.words[at]! & TAG_MASK) === TAG_ROWS;
    if (rows) tape.words[at + 2] = Math.min(tape.words[at + 2]!, left);
    left -= rows ? tape.words[at + 2]! : 1;
    at = rows ? at + 3 : tape.skip(at, shapeLength);
  }
  return at;
}
