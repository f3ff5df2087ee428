import { movedRuns } from '../../../core/values/moved-runs.ts';
import type { RunList } from '../../../core/rows/row-list.ts';
import type { Segment } from '../../../core/rows/run.ts';
import type { Slicer } from '../../../core/slicing/slicer.ts';
import { inPieces, PIECE } from '../pieces.ts';
import { holderOf } from '../record-columns.ts';

/** Segments or ranges between two looks at the clock. */
const SEGMENTS = 2048;

/** Earlier objects among which the next object is looked for first: rows are mostly changed one by one, in their order. */
const AHEAD = 16;

/** The rows of an earlier list in a later one. A row is the same if it lies in the same column, or is the same object. */
export interface KeptRows {
  /** Position of each earlier row; −1 if it has gone. */
  readonly places: Int32Array;
  /** 1 for each earlier row that has passed others; undefined if the rows that stayed are in their earlier order. */
  readonly moved: Uint8Array | undefined;
  /** Positions of the rows that are new or have passed others, in their order. */
  readonly others: Uint32Array;
}

/**
 * Finds the rows of a list that an earlier one had. A refetch keeps columns, so that whole ranges of rows are found at once; only
 * objects are compared one by one.
 */
export async function keptRows(before: RunList, list: RunList, slicer: Slicer): Promise<KeptRows> {
  const earlier = await segmentsByHolder(before, slicer);
  const objects = list.segments.filter((segment) => !segment.group && !earlier.has(segment.table));
  const found = objects.length > 0 ? await findObjects(before, objects, slicer) : [];
  // Three numbers for each range of rows: the first position, the earlier one, and the number of rows.
  const ranges: number[] = [];
  let object = 0;
  let step = 0;
  for (const segment of list.segments) {
    const known = earlier.get(holderOf(segment));
    if (known) addRanges(segment, known, ranges);
    else if (!segment.group) {
      for (let row = segment.first; row < segment.end; row++, object++) if (found[object]! >= 0) addRow(ranges, row, found[object]!);
    }
    if (++step % SEGMENTS === 0 && slicer.due()) await slicer.pause();
  }
  return placesOf(ranges, before.length, list.length, slicer);
}

/** Segments of a list by their group or table, each in the order of its rows. */
async function segmentsByHolder({ segments }: RunList, slicer: Slicer): Promise<Map<object, Segment[]>> {
  const found = new Map<object, Segment[]>();
  // Rows that have moved lie out of order.
  const unordered = new Set<Segment[]>();
  let step = 0;
  for (const segment of segments) {
    const holder = holderOf(segment);
    const known = found.get(holder);
    if (!known) found.set(holder, [segment]);
    else if (known.push(segment) > 1 && known.at(-2)!.offset > segment.offset) unordered.add(known);
    if (++step % SEGMENTS === 0 && slicer.due()) await slicer.pause();
  }
  for (const known of unordered) known.sort((one, other) => one.offset - other.offset);
  return found;
}

/** Adds the ranges of a segment's rows that lie in `earlier` segments of the same group or table. */
function addRanges({ first, end, offset }: Segment, earlier: readonly Segment[], ranges: number[]): void {
  const last = offset + end - first;
  let low = 0;
  for (let high = earlier.length; low < high;) {
    const middle = (low + high) >> 1;
    if (endOffset(earlier[middle]!) <= offset) low = middle + 1;
    else high = middle;
  }
  for (; low < earlier.length && earlier[low]!.offset < last; low++) {
    const segment = earlier[low]!;
    const row = Math.max(offset, segment.offset);
    ranges.push(first + row - offset, segment.first + row - segment.offset, Math.min(last, endOffset(segment)) - row);
  }
}

function endOffset({ first, end, offset }: Segment): number {
  return offset + end - first;
}

/** Adds a row with its earlier position: to the last range, if it follows that one in both lists. */
function addRow(ranges: number[], row: number, from: number): void {
  const last = ranges.length - 3;
  const count = last < 0 ? 0 : ranges[last + 2]!;
  if (last >= 0 && row === ranges[last]! + count && from === ranges[last + 1]! + count) ranges[last + 2] = count + 1;
  else ranges.push(row, from, 1);
}

/** The objects of segments, and their positions in the list. */
async function objectsOf(segments: readonly Segment[], slicer: Slicer): Promise<{ objects: unknown[]; positions: Uint32Array }> {
  const count = segments.reduce((sum, { first, end }) => sum + end - first, 0);
  const objects = new Array<unknown>(count);
  const positions = new Uint32Array(count);
  let index = 0;
  let position = segments[0]?.first ?? 0;
  const read = (from: number, to: number): void => {
    for (let at = from; at < to; at++, position++) {
      while (position >= segments[index]!.end) position = segments[++index]!.first;
      const { first, offset, table } = segments[index]!;
      objects[at] = table.objects[position - first + offset];
      positions[at] = position;
    }
  };
  await inPieces(count, PIECE, read, slicer);
  return { objects, positions };
}

/** Earlier positions of the objects of segments, near the place where they are expected or else anywhere; −1 for new ones. */
async function findObjects(before: RunList, segments: readonly Segment[], slicer: Slicer): Promise<number[]> {
  const earlierSegments = before.segments.filter(({ group }) => !group);
  const { objects: earlier, positions } = await objectsOf(earlierSegments, slicer);
  const { objects } = await objectsOf(segments, slicer);
  const found: number[] = [];
  const taken = new Uint8Array(earlier.length);
  const rest: number[] = [];
  let expected = 0;
  const findNear = (first: number, end: number): void => {
    for (let at = first; at < end; at++) {
      const near = indexNear(earlier, objects[at], expected);
      found.push(near < 0 ? -1 : positions[near]!);
      if (near < 0) rest.push(at);
      else {
        taken[near] = 1;
        expected = near + 1;
      }
    }
  };
  await inPieces(objects.length, PIECE, findNear, slicer);
  if (rest.length === 0) return found;
  const left = new Map<unknown, number>();
  const keep = (first: number, end: number): void => {
    for (let at = first; at < end; at++) if (taken[at] === 0 && typeof earlier[at] === 'object') left.set(earlier[at], at);
  };
  await inPieces(earlier.length, PIECE, keep, slicer);
  for (const at of rest) {
    const place = left.get(objects[at]);
    if (place === undefined) continue;
    found[at] = positions[place]!;
    left.delete(objects[at]);
  }
  return found;
}

/** Index of an object among the next ones; −1 if it is not there. */
function indexNear(objects: readonly unknown[], object: unknown, expected: number): number {
  const last = Math.min(expected + AHEAD, objects.length);
  for (let at = expected; at < last; at++) if (objects[at] === object) return at;
  return -1;
}

/** Places of the earlier rows that lie in ranges, and the rows outside of these. */
async function placesOf(ranges: readonly number[], earlierLength: number, length: number, slicer: Slicer): Promise<KeptRows> {
  const moved = movedRuns(ranges);
  const movedRows = moved.length > 0 ? new Uint8Array(earlierLength) : undefined;
  for (const { from, count } of moved) movedRows!.fill(1, from, from + count);
  const places = new Int32Array(earlierLength).fill(-1);
  const movedStarts = new Set(moved.map(({ index }) => index));
  const others: number[] = [];
  let end = 0;
  const addOthers = (to: number): void => {
    for (; end < to; end++) others.push(end);
  };
  for (let at = 0; at < ranges.length; at += 3) {
    const [first, from, count] = [ranges[at]!, ranges[at + 1]!, ranges[at + 2]!];
    addOthers(movedStarts.has(first) ? first + count : first);
    end = first + count;
    fillPlaces(places, from, first, count);
    if (at % (3 * SEGMENTS) === 0 && slicer.due()) await slicer.pause();
  }
  addOthers(length);
  return { places, moved: movedRows, others: Uint32Array.from(others) };
}

function fillPlaces(places: Int32Array, from: number, first: number, count: number): void {
  for (let row = 0; row < count; row++) places[from + row] = first + row;
}
