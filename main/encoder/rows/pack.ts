import { align } from '../../../core/block/block-file.ts';
import { LIST_BINARY, LIST_KEYS, LIST_TAGS, LIST_TEXT } from '../../../core/block/block.ts';
import { type RecordList, ROW_LIST } from '../../../core/values/record-list.ts';
import type { Block, ColumnData, Group, ShapeData, TableData } from '../../../core/rows/read-block.ts';
import type { RowList } from '../../../core/rows/row-list.ts';
import { groupAt, type Run } from '../../../core/rows/run.ts';
import type { StringList } from '../../../core/rows/text.ts';
import { PlainCopies, StaysOnPage } from './plain-copies.ts';
import type { PackedBlock, PackedColumn, PackedList, PackedPart, PackedRun, RowsJob } from '../../../worker/rows-writing/protocol.ts';

/** A part to send, and its only buffer. */
export interface SentPart {
  readonly message: PackedPart;
  readonly buffer: ArrayBuffer;
}

/** A value with its rows, in the form that a worker receives. */
export interface Pack {
  readonly content: Pick<RowsJob, 'value' | 'lists' | 'tables' | 'blocks'>;
  /** Copies the data of the rows, a part at a time. */
  parts(): Iterable<SentPart>;
}

/**
 * Separates a value from its rows, without copying them. Undefined if the value contains anything that a worker cannot
 * receive.
 */
export function pack(value: unknown): Pack | undefined {
  try {
    return new Packer().pack(value);
  } catch {
    // Writing continues on the page, which also locates errors that a proxy throws.
    return undefined;
  }
}

type View = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array | BigInt64Array;

class Packer {
  readonly #plain = new PlainCopies();
  readonly #blocks = new Map<Block, number>();
  readonly #tables = new Map<TableData, { readonly block: Block; readonly index: number }>();
  readonly #strings = new Map<StringList, number>();
  readonly #groups = new Set<Group>();
  /** Blocks whose tapes are sent. */
  readonly #taped = new Set<Block>();

  pack(value: unknown): Pack {
    const copy = this.#plain.copy(value);
    const lists: PackedList[] = [];
    for (const [list, place] of this.#plain.placeholders) lists.push({ place, runs: this.#runs(list) });
    const tables = [...this.#tables].map(([table, { block }]) => ({
      block: this.#blocks.get(block)!,
      id: block.tables.indexOf(table),
      keys: table.keys,
    }));
    const blocks = [...this.#blocks.keys()].map((block) => this.#block(block));
    return { content: { value: copy, lists, tables, blocks }, parts: () => this.#parts() };
  }

  #runs(list: RecordList): PackedRun[] {
    const runs = (list as Partial<Record<typeof ROW_LIST, RowList>>)[ROW_LIST]?.runs;
    if (runs === undefined) throw new StaysOnPage();
    return runs.map((run) => this.#run(run));
  }

  #run({ table, first, count, builder }: Run): PackedRun {
    if (builder === undefined) return { records: this.#plain.copy(table.objects.slice(first, first + count)) as unknown[] };
    const { block } = builder;
    const index = this.#table(block, table);
    for (let at = groupAt(table, first); at < table.groups.length && table.groups[at]!.first < first + count; at += 1) {
      this.#group(block, table.groups[at]!);
    }
    return { table: index, first, count };
  }

  #table(block: Block, table: TableData): number {
    // Rows already built as objects have no columns.
    if (table.objects.length > 0) throw new StaysOnPage();
    let known = this.#tables.get(table);
    if (!known) this.#tables.set(table, (known = { block, index: this.#tables.size }));
    numberOf(this.#blocks, block);
    return known.index;
  }

  #group(block: Block, group: Group): void {
    const { raw, tape, columns } = group;
    if (this.#groups.has(group)) return;
    this.#groups.add(group);
    // The worker only has the reader for JSON.
    if (raw && raw.separator < 0) throw new StaysOnPage();
    for (const column of columns) {
      // The worker lacks the payload's bytes.
      if (column.read) throw new StaysOnPage();
      if (column.list) numberOf(this.#strings, column.list);
    }
    if (tape.length > 0) this.#tape(block);
  }

  /** Adds the tables and texts of a block that its tape may refer to. */
  #tape(block: Block): void {
    if (this.#taped.has(block)) return;
    this.#taped.add(block);
    // The worker lacks the functions that convert tagged values.
    if (block.references || block.list(LIST_TAGS).length > 0) throw new StaysOnPage();
    // A branch may lack some tables.
    for (const table of block.tables.filter(Boolean)) {
      this.#table(block, table);
      for (const group of table.groups) this.#group(block, group);
    }
    for (const list of TAPE_LISTS) numberOf(this.#strings, block.list(list));
  }

  #block(block: Block): PackedBlock {
    if (!this.#taped.has(block)) return {};
    const numbers = new Map<ShapeData | undefined, number>(block.shapes.map((shape, index) => [shape, index]));
    return {
      lists: TAPE_LISTS.map((list) => [list, this.#strings.get(block.list(list))!]),
      shapes: Int32Array.from(block.shapes.slice(1), ({ parent }) => numbers.get(parent)!),
    };
  }

  *#parts(): Generator<SentPart, void> {
    for (const [list, strings] of this.#strings) {
      for (const { first, ends, bytes, ascii } of list.chunks) {
        const copy = new Copy([ends, bytes]);
        const chunk = { first, ends: copy.of(ends), bytes: copy.of(bytes), ascii };
        yield { message: { kind: 'strings', strings, chunk }, buffer: copy.buffer };
      }
    }
    for (const group of this.#groups) yield this.#part(group);
  }

  #part({ table, first, rows, columns, tape, raw }: Group): SentPart {
    const copy = new Copy([tape, ...(raw ? [raw.ends, raw.bytes] : []), ...columns.flatMap(({ states, data, bytes }) => [states, data, bytes])]);
    const group = {
      table: this.#tables.get(table)!.index,
      first,
      rows,
      tape: copy.of(tape),
      raw: raw && { ...raw, ends: copy.of(raw.ends), bytes: copy.of(raw.bytes) },
      columns: columns.map((column) => this.#column(column, copy)),
    };
    return { message: { kind: 'group', group }, buffer: copy.buffer };
  }

  #column({ kind, states, data, list, bytes, ascii }: ColumnData, copy: Copy): PackedColumn {
    return { kind, states: states && copy.of(states), data: copy.of(data), list: list && this.#strings.get(list), bytes: copy.of(bytes), ascii };
  }
}

/** Lists of strings that tapes and the keys of shapes refer to. */
const TAPE_LISTS = [LIST_TEXT, LIST_BINARY, LIST_KEYS] as const;

/** Number of an item in a map, which adds new items. */
function numberOf<Item>(known: Map<Item, number>, item: Item): number {
  let number = known.get(item);
  if (number === undefined) known.set(item, (number = known.size));
  return number;
}

/** Copies of views, aligned in one buffer that is transferred: copied once, unlike clones. */
class Copy {
  readonly buffer: ArrayBuffer;
  #at = 0;

  /** `views` are all views that will be copied. */
  constructor(views: readonly (View | undefined)[]) {
    this.buffer = new ArrayBuffer(views.reduce((sum, view) => sum + align(view?.byteLength ?? 0), 0));
  }

  of<Kind extends View>(view: Kind): Kind {
    const kind = view.constructor as new (buffer: ArrayBuffer, offset: number, length: number) => Kind;
    const copy = new kind(this.buffer, this.#at, view.length);
    (copy as Uint8Array).set(view as Uint8Array);
    this.#at += align(view.byteLength);
    return copy;
  }
}
