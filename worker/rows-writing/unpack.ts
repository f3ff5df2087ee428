import { LIST_KEYS } from '../../core/block/block.ts';
import { reviveCore } from '../../core/reading/revive.ts';
import { Block, type TableData } from '../../core/rows/read-block.ts';
import { internalized } from '../../core/engine/internalized.ts';
import { RunList } from '../../core/rows/row-list.ts';
import { type Run, runOfObjects } from '../../core/rows/run.ts';
import { RowBuilder } from '../../core/rows/table.ts';
import { StringList } from '../../core/rows/text.ts';
import { asArray, withLazyLists } from '../../core/values/lazy-lists.ts';
import type { PackedBlock, PackedPart, PackedRun, RowsJob } from './protocol.ts';

/** Groups own their copies, so no part is released before the others. */
const NO_PART = { buffer: new ArrayBuffer(0), base: 0, groups: 0, taped: false, isReleasable: false };

/** Rebuilds a value whose rows were taken apart by `pack`. */
export class Unpacked {
  readonly #job: RowsJob;
  readonly #strings: StringList[] = [];
  readonly #builders: RowBuilder[];
  readonly #tables: TableData[];

  constructor(job: RowsJob) {
    this.#job = job;
    this.#builders = job.blocks.map((block) => new RowBuilder(this.#block(block), reviveCore, new Map()));
    this.#tables = job.tables.map(({ block, id, keys }) => {
      const table: TableData = { keys: keys.map(internalized), groups: [], rows: 0, objects: [] };
      this.#builders[block]!.block.tables[id] = table;
      return table;
    });
  }

  add(part: PackedPart): void {
    if (part.kind === 'strings') {
      const { first, ends, bytes, ascii } = part.chunk;
      this.#list(part.strings).append(first, ends, bytes, ascii);
      return;
    }
    const { group } = part;
    const table = this.#tables[group.table]!;
    const columns = group.columns.map((column) => ({
      ...column,
      list: column.list === undefined ? undefined : this.#list(column.list),
      text: undefined,
    }));
    table.groups.push({ ...group, table, columns, part: NO_PART });
    table.rows += group.rows;
  }

  /** The value in the form that writers take, after all parts were added. */
  value(): unknown {
    const { value, lists } = this.#job;
    return withLazyLists(value as object, new Map(lists.map(({ place, runs }) => [place, asArray(new RunList(runs.map((run) => this.#run(run))))])));
  }

  #run(run: PackedRun): Run {
    if ('records' in run) return runOfObjects(run.records as object[]);
    return { table: this.#tables[run.table]!, first: run.first, count: run.count, builder: this.#builders[this.#job.tables[run.table]!.block] };
  }

  #block({ lists = [], shapes }: PackedBlock): Block {
    const block = new Block();
    for (const [list, strings] of lists) block.lists[list] = this.#list(strings);
    const keys = block.list(LIST_KEYS);
    shapes?.forEach((parent, index) => (block.shapes[index + 1] = Block.shape(block.shapes[parent]!, keys, index)));
    return block;
  }

  #list(strings: number): StringList {
    return (this.#strings[strings] ??= new StringList());
  }
}
