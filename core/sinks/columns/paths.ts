import { TAG_BITS, TAG_MASK, TAG_ROWS } from '../../block/block.ts';
import type { DecodeError } from '../../errors.ts';
import type { Column } from './column.ts';
import { type Frame, FRAME_LIST, FRAME_MAP, FRAME_OBJECT, FRAME_ROW } from './output/frame.ts';
import type { Table } from './table.ts';
import type { Tape } from './output/tape.ts';

type ShapeLength = (shape: number) => number;

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
export function firstInvalid(frames: readonly Frame[], depth: number, tables: readonly Table[], shapeLength: ShapeLength): DecodeError | undefined {
  let first: DecodeError | undefined;
  for (const table of tables) {
    const set = columnsSet(frames, depth, table);
    for (const [index, column] of table.columns.entries()) {
      const invalid = column.firstInvalid(table.count + (index < set ? 1 : 0));
      if (!invalid || (first && first.offset! <= invalid.error.offset!)) continue;
      first = invalid.error.locate({ path: rowPath(frames, depth, table, invalid.row, column, shapeLength) });
    }
  }
  return first;
}

/** Path of a row's column; empty if the row is in a list that has ended, whose position is unknown. */
function rowPath(frames: readonly Frame[], depth: number, table: Table, row: number, column: Column, shapeLength: ShapeLength): (string | number)[] {
  const open = table.open && row === table.count;
  for (let at = depth; at > 0; at--) {
    const frame = frames[at]!;
    if (frame.kind !== FRAME_LIST) continue;
    const inner = frames[at + 1];
    const isRow = at < depth && inner?.kind === FRAME_ROW;
    let index = -1;
    if (!open) index = indexOf(frame, table, at < depth && !isRow ? inner!.start : frame.tape.length, row, shapeLength);
    else if (isRow && inner.table === table) index = frame.emitted + frame.count - 1;
    if (index >= 0) return [...pathOf(frames, at - 1, false), index, column.key.toString()];
  }
  return [];
}

/** Index of a table's row among the items of a list whose tape is complete up to `end`; −1 if the list does not have it. */
function indexOf({ tape, start, emitted }: Frame, { id, first }: Table, end: number, row: number, shapeLength: ShapeLength): number {
  const { words } = tape;
  for (let at = start + 2, index = emitted; at < end;) {
    const word = words[at]!;
    if ((word & TAG_MASK) === TAG_ROWS) {
      const place = first + row - words[at + 1]!;
      const rows = words[at + 2]!;
      if (word >>> TAG_BITS === id && place >= 0 && place < rows) return index + place;
      index += rows;
      at += 3;
    } else {
      index++;
      at = tape.skip(at, shapeLength);
    }
  }
  return -1;
}

/**
 * Finds the end of the first `items` items of a list on a tape, and shortens a ROWS entry there. `position` is the
 * start of the first item.
 */
export function cutItems(tape: Tape, position: number, items: number, shapeLength: ShapeLength): number {
  let at = position;
  for (let left = items; left > 0;) {
    const rows = (tape.words[at]! & TAG_MASK) === TAG_ROWS;
    if (rows) tape.words[at + 2] = Math.min(tape.words[at + 2]!, left);
    left -= rows ? tape.words[at + 2]! : 1;
    at = rows ? at + 3 : tape.skip(at, shapeLength);
  }
  return at;
}
