import { LimitError } from '../../../core/errors.ts';
import type { Limits } from '../../../core/limits.ts';
import { malformed } from './tape.ts';

/** Rows that become items of a list inside another row. */
export interface Nested {
  table: number;
  first: number;
  count: number;
  /** Containers around the list within the row, including the list. */
  depth: number;
}

/** A row that contains rows of tables. */
interface Holder {
  group: RowGroup;
  row: number;
  nested: Nested[];
  state: 'new' | 'open' | 'done';
}

/** A range of a table's rows. */
export interface RowGroup {
  first: number;
  count: number;
  /** 1 for each row that was placed in a list. */
  placed: Uint8Array;
  /** Depth of each row, counting the row itself; undefined if all are flat. */
  depths: Uint32Array | undefined;
  holders: Map<number, Holder>;
}

/**
 * Rows of a block's tables, and the lists that tapes place them in. Each row has at most one place and must not contain
 * itself, so that a block cannot multiply its rows. Limits the total depth.
 */
export class VerifiedRows {
  readonly #limits: Limits;
  readonly #tables: RowGroup[][] = [];
  #holders: Holder[] = [];

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Number of rows of a table so far. */
  count(table: number): number {
    const last = this.#tables[table]?.at(-1);
    return last ? last.first + last.count : 0;
  }

  /** Adds a group of rows to a table. */
  add(table: number, count: number): RowGroup {
    const group: RowGroup = { first: this.count(table), count, placed: new Uint8Array(count), depths: undefined, holders: new Map() };
    (this.#tables[table] ??= []).push(group);
    return group;
  }

  /** Records the depth of a row's value, and the rows inside it. */
  deepen(group: RowGroup, row: number, depth: number, nested: Nested[]): void {
    if (depth > 0) {
      group.depths ??= new Uint32Array(group.count).fill(1);
      group.depths[row] = Math.max(group.depths[row]!, depth + 1);
    }
    if (nested.length === 0) return;
    const known = group.holders.get(row);
    if (known) {
      for (const one of nested) known.nested.push(one);
      return;
    }
    const holder: Holder = { group, row, nested, state: 'new' };
    group.holders.set(row, holder);
    this.#holders.push(holder);
  }

  /** Places rows inside rows once all groups of a part are known. */
  *settle(): Generator<undefined, void, undefined> {
    const holders = this.#holders;
    this.#holders = [];
    for (const { nested } of holders) {
      for (const { table, first, count } of nested) this.#place(table, first, count);
      yield;
    }
    for (const holder of holders) {
      for (const open = [holder]; open.length > 0;) {
        this.#step(open);
        yield;
      }
    }
  }

  /** Places rows in a list outside of tables. Returns the depth of the deepest row. */
  place(table: number, first: number, count: number): number {
    this.#place(table, first, count);
    return this.#deepest(table, first, count);
  }

  /** Advances the innermost open holder by one step. */
  #step(open: Holder[]): void {
    const holder = open.at(-1)!;
    if (holder.state === 'new') {
      holder.state = 'open';
      for (const { table, first, count } of holder.nested) {
        this.#each(table, first, count, (group, from, to) => {
          if (group.holders.size === 0) return;
          for (let row = from; row < to; row++) {
            const child = group.holders.get(row);
            if (child?.state === 'open') throw malformed('a row contains itself');
            if (child?.state === 'new') open.push(child);
          }
        });
      }
      return;
    }
    open.pop();
    if (holder.state === 'done') return;
    holder.state = 'done';
    for (const { table, first, count, depth } of holder.nested) {
      const deepest = depth + this.#deepest(table, first, count);
      if (deepest >= this.#limits.depth) throw new LimitError('depth', `depth limit exceeded (${this.#limits.depth})`);
      this.deepen(holder.group, holder.row, deepest, []);
    }
  }

  #place(table: number, first: number, count: number): void {
    if (!(first >= 0 && count >= 1 && first + count <= this.count(table))) {
      throw malformed(`unknown rows ${first} to ${first + count} of table ${table}`);
    }
    this.#each(table, first, count, ({ placed }, from, to) => {
      if (placed.subarray(from, to).includes(1)) throw malformed(`rows ${first} to ${first + count} of table ${table} are placed twice`);
      placed.fill(1, from, to);
    });
  }

  #deepest(table: number, first: number, count: number): number {
    let deepest = 1;
    this.#each(table, first, count, ({ depths }, from, to) => {
      for (let row = from; depths && row < to; row++) if (depths[row]! > deepest) deepest = depths[row]!;
    });
    return deepest;
  }

  /** Calls a function for each group that contains some of the rows, with their range inside the group. */
  #each(table: number, first: number, count: number, use: (group: RowGroup, from: number, to: number) => void): void {
    const groups = this.#tables[table]!;
    let at = 0;
    for (let high = groups.length - 1; at < high;) {
      const middle = (at + high + 1) >> 1;
      if (groups[middle]!.first <= first) at = middle;
      else high = middle - 1;
    }
    for (let row = first; row < first + count; at++) {
      const group = groups[at]!;
      const to = Math.min(group.count, first + count - group.first);
      use(group, row - group.first, to);
      row = group.first + to;
    }
  }
}
