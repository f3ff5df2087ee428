import { NONE, type SpanTree } from '../../../core/sinks/spans/tree.ts';
import { listsOfRecords, recordTable } from '../../../core/sinks/spans/records.ts';

/** The longest list of records in a payload. */
export interface RecordList {
  /** Keys that lead to it from the root; empty if the payload is the list. */
  path: string[];
  /** Names of its columns, in order of appearance. */
  columns: string[];
  count: number;
}

/** Describes the longest list of records that keys lead to; undefined without one. */
export function recordListOf(tree: SpanTree): RecordList | undefined {
  for (const list of listsOfRecords(tree)) {
    const path = keysTo(tree, list);
    if (!path) continue;
    const { columns, rows } = recordTable(tree, list);
    return { path, columns: columns.map((column) => tree.data.names[column]!), count: rows.length };
  }
  return undefined;
}

/** Keys from the root to an entry; undefined if it is in a list. */
function keysTo(tree: SpanTree, node: number): string[] | undefined {
  const path: string[] = [];
  for (let at = node; at !== tree.root && at !== NONE && at !== 0; at = tree.data.parents[at]!) {
    const key = tree.key(at);
    if (typeof key !== 'string') return undefined;
    path.unshift(key);
  }
  return path;
}
