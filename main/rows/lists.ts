import { TAG_BITS, TAG_MASK, TAG_ROWS } from '../../core/block/block.ts';
import { converterOf, type ResultForm, rowsOf } from './form.ts';
import { RunList } from './row-list.ts';
import type { RowSource } from './row-source.ts';
import { Rows } from './rows.ts';
import { type Run, runOfObjects } from './run.ts';
import type { RowBuilder } from './table.ts';

/** Maximum number of a list's records outside of tables for the list to become rows without being built. */
const MAX_LOOSE = 64;

/**
 * Makes `Rows` or columns of a block's lists of records. `found` is called with the length of each. With `isBatch`, only
 * the list at the root of the tape gets the form, and only if all its items are records.
 */
export function listSource(
  builder: RowBuilder,
  { as, isBatch }: { as: ResultForm; isBatch?: boolean | undefined },
  found: (length: number) => void,
): RowSource {
  const { append, block } = builder;
  if (as === 'objects' || (isBatch && block.tape![0]! >>> TAG_BITS !== 1)) return { append };
  const form = (rows: Rows): unknown => {
    found(rows.length);
    return as === 'rows' ? rows : rows.columns();
  };
  const convert = converterOf(as);
  return {
    append,
    convert: (record) => void convert(record),
    fromRecords: (records) => form(rowsOf(records)),
    fromTape: (words, position, count) => {
      if (block.references) return undefined;
      const list = listRuns(builder, words, position, count);
      return list && { value: form(new Rows(new RunList(list.runs))), end: list.end };
    },
  };
}

/**
 * Collects the runs of rows of the list whose items begin at `position`, and the position after it. Undefined if too
 * many records are outside of tables, so that the list is better built in slices.
 */
function listRuns(builder: RowBuilder, words: Int32Array, position: number, count: number): { runs: Run[]; end: number } | undefined {
  const { tables } = builder.block;
  const reader = builder.acquire();
  const runs: Run[] = [];
  let end = position;
  let loose = 0;
  for (let left = count; left > 0;) {
    if ((words[end]! & TAG_MASK) === TAG_ROWS) {
      runs.push({ table: tables[words[end]! >>> TAG_BITS]!, first: words[end + 1]!, count: words[end + 2]!, builder });
      left -= words[end + 2]!;
      end += 3;
    } else {
      if (++loose > MAX_LOOSE) return undefined;
      runs.push(runOfObjects([reader.read(words, end) as object]));
      left -= 1;
      end = reader.position;
    }
  }
  builder.release(reader);
  return { runs, end };
}
