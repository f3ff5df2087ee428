import { KIND_DATE, KIND_FLOAT64, KIND_VARIANT, STATE_ABSENT, STATE_VALUE } from '../block/block.ts';
import { GroupCells } from './group-cells.ts';
import { keepSame, sameRecord } from './identity.ts';
import type { Block, ColumnData, Group } from './read-block.ts';
import { keysOf, numberKind } from './row-list.ts';
import type { ColumnPart, GroupReader, ReadCell, ReadsRow, Segment, SegmentCells, TableRow } from './run.ts';

/** Keys of lazy rows by the range of their group, so that the rows are read once for all keys. */
const rawKeys = new WeakMap<Group, Map<string, Set<string>>>();

/** Gives lists of rows the groups of a block, by the objects and values that a subclass makes. */
export abstract class GroupRows implements GroupReader {
  abstract readonly block: Block;
  abstract chunk(group: Group, from: number): number;
  abstract build(group: Group, from: number, to: number): object[];
  abstract values(group: Group, column: ColumnData, from: number, to: number): ArrayLike<unknown>;

  record(group: Group, row: number): object {
    return sameRecord(group, row, () => this.build(group, row, row + 1)[0]!);
  }

  records(group: Group, from: number, to: number): object[] {
    return keepSame(group, from, this.build(group, from, to));
  }

  columnIndex({ raw, table: { keys } }: Group, path: string): number | undefined {
    const index = keys.indexOf(path);
    const isPlain = !raw && index === keys.lastIndexOf(path) && !keys.some((key) => path.startsWith(`${key}.`));
    return isPlain ? index : undefined;
  }

  part(group: Group, from: number, to: number, key: string, times: boolean | undefined): ColumnPart | undefined {
    const index = this.columnIndex(group, key);
    if (index === undefined) return undefined;
    const stored = group.columns[index];
    if (!stored) return { found: false, kind: -1, values: () => new Array<undefined>(to - from) };
    // Reading the kind opens a column, which has states then. Dates are stored as milliseconds.
    const column = stored.kind === KIND_DATE && times ? { ...stored, kind: KIND_FLOAT64 } : stored;
    const { kind, states } = column;
    const range = states?.subarray(from, to);
    const plain = range?.every((state) => state === STATE_VALUE) ?? true;
    // The table may have the key for other lists.
    const found = range?.some((state) => state !== STATE_ABSENT) ?? true;
    // Other rows of the table may have values that are not numbers.
    const read = (): ArrayLike<unknown> => this.values(group, column, from, to);
    if (!plain || kind !== KIND_VARIANT) return { found, kind: plain ? kind : -1, values: read };
    const values = read();
    return { found, kind: numberKind(values as unknown[]), values: () => values };
  }

  keys(group: Group, from: number, to: number): Iterable<string> {
    const { columns, table, raw } = group;
    if (raw) return this.#rawKeys(group, from, to);
    const seen = columns.map(({ states }, index) => ({
      key: table.keys[index]!,
      first: states ? states.subarray(from, to).findIndex((state) => state !== STATE_ABSENT) : 0,
    }));
    const found = seen.filter(({ first }) => first >= 0).toSorted((one, other) => one.first - other.first);
    return found.map(({ key }) => key);
  }

  countValues({ raw, columns }: Group, from: number, to: number): number | undefined {
    return raw ? undefined : (to - from) * columns.length;
  }

  cells(segment: Segment): SegmentCells {
    return new GroupCells(segment);
  }

  rowsFor(segment: Segment, shared: Map<string, TableRow>): ReadsRow {
    const cells = new GroupCells(segment);
    const { raw, table } = segment.group!;
    if (raw) return { row: (at) => cells.record(at) };
    const name = JSON.stringify(table.keys);
    let row = shared.get(name);
    if (!row) shared.set(name, (row = new KeyedRow(table.keys)));
    return new ColumnRows(row, table.keys, cells);
  }

  /** Keys of lazy rows. */
  #rawKeys(group: Group, from: number, to: number): Set<string> {
    const range = `${from} ${to}`;
    let known = rawKeys.get(group);
    if (!known) rawKeys.set(group, (known = new Map()));
    let keys = known.get(range);
    if (!keys) known.set(range, (keys = new Set(this.records(group, from, to).flatMap(keysOf))));
    return keys;
  }
}

/** One object for all rows of tables with the same keys, so that engines optimise predicates for it. */
class KeyedRow implements TableRow {
  readonly row: object = {};
  cells: readonly ReadCell[] = [];
  at = 0;

  constructor(keys: readonly string[]) {
    for (const [index, key] of keys.entries()) {
      // A key that occurs twice is read with its last column, as `SegmentCells.reader` does.
      if (keys.lastIndexOf(key) !== index) continue;
      Object.defineProperty(this.row, key, { get: () => this.cells[index]!(this.at), enumerable: true });
    }
    Object.preventExtensions(this.row);
  }
}

/** Reads rows from the columns of a segment, without building them. */
class ColumnRows implements ReadsRow {
  readonly #row: TableRow;
  readonly #cells: readonly ReadCell[];

  constructor(row: TableRow, keys: readonly string[], cells: SegmentCells) {
    this.#row = row;
    // Most predicates read few of the columns, so each is opened when it is first read.
    const opened: ReadCell[] = keys.map((key, index) => (at) => (opened[index] = cells.reader(key))(at));
    this.#cells = opened;
  }

  row(at: number): object {
    const shared = this.#row;
    shared.cells = this.#cells;
    shared.at = at;
    return shared.row;
  }
}
