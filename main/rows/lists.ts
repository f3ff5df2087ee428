import { TAG_BITS, TAG_MASK, TAG_ROWS } from '../../core/block/block.ts';
import type { EmptyCells } from '../../core/empty-cells.ts';
import { columnsOf } from './column-forms.ts';
import { converterOf, type ResultForm, rowsOrColumns } from './form.ts';
import { isRecord } from '../../core/values/property.ts';
import { RunList } from '../../core/rows/row-list.ts';
import type { RowSource } from '../../core/rows/tape.ts';
import { Rows } from './rows.ts';
import { type Run, tableOfObjects } from '../../core/rows/run.ts';
import type { RowBuilder } from '../../core/rows/table.ts';

/** Maximum number of a list's items outside of tables for the list to become rows without being built; null does not count. */
const MAX_LOOSE = 64;

/**
 * Makes `Rows` or columns of a block's lists of records. `found` is called with the length of each. With `isBatch`, only
 * the list at the root of the tape gets the form, and only if it becomes rows as a whole.
 */
export function listSource(
  builder: RowBuilder,
  { as, emptyCells, isBatch }: { as: ResultForm; emptyCells?: EmptyCells | undefined; isBatch?: boolean | undefined },
  found: (length: number) => void,
): RowSource {
  const { append, block } = builder;
  if (as === 'objects' || (isBatch && block.tape![0]! >>> TAG_BITS !== 1)) return { append };
  const convert = converterOf(as, emptyCells);
  return {
    append,
    convert: (record) => void convert(record),
    fromRecords: (records) => {
      found(records.length);
      return rowsOrColumns(records, as, emptyCells);
    },
    fromTape: (words, position, count) => {
      if (block.references) return undefined;
      const list = listRuns(builder, words, position, count);
      if (!list || (as === 'columns' && list.hasOthers)) return undefined;
      found(count);
      const rows = new RunList(list.runs);
      return { value: as === 'rows' ? new Rows(rows) : columnsOf(rows, emptyCells), end: list.end };
    },
  };
}

/**
 * Collects the runs of rows of the list whose items begin at `position`, and the position after it. Undefined if too
 * many items are outside of tables, so that the list is better built in slices.
 */
function listRuns(
  builder: RowBuilder,
  words: Int32Array,
  position: number,
  count: number,
): { runs: Run[]; end: number; hasOthers: boolean } | undefined {
  const { tables } = builder.block;
  const reader = builder.acquire();
  const runs: Run[] = [];
  const items: unknown[] = [];
  const table = tableOfObjects(items as object[]);
  let end = position;
  let loose = 0;
  let hasOthers = false;
  for (let left = count; left > 0;) {
    if ((words[end]! & TAG_MASK) === TAG_ROWS) {
      runs.push({ table: tables[words[end]! >>> TAG_BITS]!, first: words[end + 1]!, count: words[end + 2]!, builder });
      left -= words[end + 2]!;
      end += 3;
    } else {
      const item = reader.read(words, end);
      const isNothing = item === null || item === undefined;
      if (!isNothing && ++loose > MAX_LOOSE) return undefined;
      hasOthers ||= !isNothing && !isRecord(item);
      const last = runs.at(-1);
      if (last?.table === table) last.count += 1;
      else runs.push({ table, first: items.length, count: 1, builder: undefined });
      items.push(item);
      left -= 1;
      end = reader.position;
    }
  }
  builder.release(reader);
  table.rows = items.length;
  return { runs, end, hasOthers };
}
