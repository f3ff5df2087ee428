import { STATE_ABSENT } from '../../core/block/block.ts';
import { check } from '../../core/check-names.ts';
import { hasKey, type Piece, recordsOf, type RowList, valueAt } from '../../core/rows/row-list.ts';
import { isRecord } from '../../core/values/property.ts';
import type { Slicer } from '../../core/slicing/slicer.ts';

/** Options of the methods of tables. */
export interface TableOptions {
  readonly signal?: AbortSignal | undefined;
  /** Keys and paths that may be absent from all records. */
  readonly optional?: readonly string[] | undefined;
}

/** Records whose keys an error looks for a similar one in. */
const SAMPLES = 100;

/**
 * Throws a TypeError, which names a similar key, for a key or path that no record of the columns' list has. An empty list has any key.
 * A key that was found once stays known, and `optional` ones are.
 */
export async function checkKey(list: RowList, path: string, slicer: Slicer, optional: readonly string[] = []): Promise<void> {
  const { source } = list;
  if (source.length === 0 || optional.includes(path) || source.runs.some(({ table }) => table.known?.has(path))) return;
  for (const piece of source.pieces(0, source.length)) {
    if (isIn(piece, path)) return addKnown(list, [path]);
    if (slicer.due()) await slicer.pause();
  }
  check('no record has the key', path, pathsOf(source.records(0, Math.min(SAMPLES, source.length)), path.split('.').length));
}

/** Makes keys known for the records of a list, though perhaps none has them. */
export function addKnown({ source }: RowList, keys: Iterable<string>): void {
  const tables = new Set(source.runs.map(({ table }) => table));
  for (const table of tables) {
    table.known ??= new Set();
    for (const key of keys) table.known.add(key);
  }
}

function isIn(piece: Piece, path: string): boolean {
  const column = piece.group && piece.builder!.columnIndex(piece.group, path);
  if (column !== undefined) return column >= 0;
  const { made } = piece.group ?? piece.table;
  if (made?.has(path)) return made.get(path)?.states?.some((state) => state !== STATE_ABSENT) ?? true;
  return recordsOf(piece).some((record) => hasKey(record, path) || valueAt(record, path) !== undefined);
}

/** Keys of records, and paths of up to `levels` keys into nested records. */
function pathsOf(records: readonly unknown[], levels: number): string[] {
  const found = new Set<string>();
  const add = (value: unknown, before: string, left: number): void => {
    if (Array.isArray(value)) found.add(`${before}length`);
    if (!isRecord(value)) return;
    for (const [key, inner] of Object.entries(value)) {
      const isOpen = left > 1 && (isRecord(inner) || Array.isArray(inner));
      if (isOpen) add(inner, `${before}${key}.`, left - 1);
      else found.add(`${before}${key}`);
    }
  };
  for (const record of records) add(record, '', levels);
  return [...found];
}
