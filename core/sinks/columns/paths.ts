import { KIND_VARIANT, STATE_VALUE, TAG_BITS, TAG_LIST, TAG_MASK, TAG_ROWS } from '../../block/block.ts';
import type { DecodeError } from '../../errors.ts';
import type { Column } from './column.ts';
import { type Frame, FRAME_LIST, FRAME_MAP, FRAME_OBJECT, FRAME_ROW, FRAME_TAGGED } from './output/frame.ts';
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

/** Places of values in a block that is being written. */
export interface Place {
  readonly frames: readonly Frame[];
  readonly depth: number;
  readonly tables: readonly Table[];
  /** The column whose key was read, and whose value was not. */
  readonly pending: Column | null;
  readonly shapeLength: (shape: number) => number;
}

/**
 * The error for the first string that is not UTF-8, with its path. Strings in tables are validated column by column, so
 * the first one found may not be the first in the input.
 */
export function firstInvalid(place: Place): DecodeError | undefined {
  let first: DecodeError | undefined;
  for (const table of place.tables) {
    const set = columnsSet(place.frames, place.depth, table);
    for (const [index, column] of table.columns.entries()) {
      const invalid = column.firstInvalid(table.count + (index < set ? 1 : 0));
      if (!invalid || (first && first.offset! <= invalid.error.offset!)) continue;
      const path: (string | number)[] = [];
      if (findRow(path, place, table, invalid.row)) path.push(column.key.toString());
      first = invalid.error.locate({ path });
    }
  }
  return first;
}

/** Adds the path of a row that was not emitted. Returns false if only its beginning is known, since an object that has ended holds the row. */
function findRow(path: (string | number)[], place: Place, table: Table, row: number): boolean {
  const { frames, depth, tables } = place;
  if (table.open && row === table.count) {
    const list = frames.findLastIndex((frame, at) => at <= depth && frame.kind === FRAME_ROW && frame.table === table) - 1;
    return path.push(...pathOf(frames, list - 1, false), frames[list]!.emitted + frames[list]!.count - 1) > 0;
  }
  for (const holder of [undefined, ...tables]) {
    const tape = holder?.tape ?? frames[0]!.tape;
    const { words } = tape;
    for (let at = 0; at < tape.length; at = tape.step(at)) {
      const nth = table.first + row - words[at + 1]!;
      if (words[at] !== ((table.id << TAG_BITS) | TAG_ROWS) || nth < 0 || nth >= words[at + 2]!) continue;
      const found = findEntry(path, place, holder, tape, at, nth);
      if (found !== undefined) return found;
    }
  }
  return false;
}

/** Adds the path of the row that is `nth` in the ROWS entry at `position`. Undefined if no value has the entry any more. */
function findEntry(
  path: (string | number)[],
  place: Place,
  holder: Table | undefined,
  tape: Tape,
  position: number,
  nth: number,
): boolean | undefined {
  const { frames, depth, pending, shapeLength } = place;
  /** Continues in the value at `start`. */
  const inside = (start: number, index = 0): boolean => {
    if ((tape.words[start]! & TAG_MASK) !== TAG_LIST) return false;
    for (let at = start + 2; ;) {
      const rows = (tape.words[at]! & TAG_MASK) === TAG_ROWS;
      const next = rows ? at + 3 : tape.skip(at, shapeLength);
      if (next > position) {
        path.push(at === position ? index + nth : index);
        return at === position || inside(at);
      }
      index += rows ? tape.words[at + 2]! : 1;
      at = next;
    }
  };
  for (let at = depth; at > 0; at--) {
    const frame = frames[at]!;
    if (frame.tape !== tape || frame.start >= position || frame.kind === FRAME_ROW || frame.kind === FRAME_TAGGED) continue;
    path.push(...pathOf(frames, at - 1, false));
    return inside(frame.start, frame.emitted);
  }
  for (const [index, column] of holder?.columns.entries() ?? []) {
    const rows = holder!.count + (index < columnsSet(frames, depth, holder!) && column !== pending ? 1 : 0);
    for (let row = 0; column.kind === KIND_VARIANT && row < rows; row++) {
      const start = column.ints[row]!;
      if (column.states[row] !== STATE_VALUE || start > position || tape.skip(start, shapeLength) <= position) continue;
      return findRow(path, place, holder!, row) && path.push(column.key.toString()) > 0 && inside(start);
    }
  }
  return undefined;
}

/**
 * Finds the end of the first `items` items of a list on a tape, and shortens a ROWS entry there. `position` is the
 * start of the first item.
 */
export function cutItems(tape: Tape, position: number, items: number, shapeLength: Place['shapeLength']): number {
  let at = position;
  for (let left = items; left > 0;) {
    const rows = (tape.words[at]! & TAG_MASK) === TAG_ROWS;
    if (rows) tape.words[at + 2] = Math.min(tape.words[at + 2]!, left);
    left -= rows ? tape.words[at + 2]! : 1;
    at = rows ? at + 3 : tape.skip(at, shapeLength);
  }
  return at;
}
