import { movedRuns } from '../values/moved-runs.ts';
import { type Held, itemOf } from './held.ts';
import { recall } from './remember.ts';
import type { RowsList } from './rows-form.ts';
import type { ItemChanges } from './walk.ts';

/** An item of a list and its index. */
export interface ListItem<T = unknown> {
  readonly index: number;
  readonly item: T;
}

/** The changes of one list. All other items were kept in their order. */
export interface ListChanges<T = unknown> {
  /** Keys and indices from the root to the list; empty for the root. */
  readonly path: readonly (string | number)[];
  /** An array, or `Rows`. */
  readonly list: readonly T[] | RowsList<T>;
  /** New items, in the order of the list. */
  readonly added: readonly ListItem<T>[];
  /** Items that are no longer in the list, with their indices in the previous one. */
  readonly removed: readonly ListItem<T>[];
  /** Items that replace an earlier item, by their place or their `key`, with that item and its index in the previous list. */
  readonly changed: readonly (ListItem<T> & { readonly before: T; readonly from: number })[];
  /** Items that are the same objects as before but have passed others, with their indices in the previous list. */
  readonly moved: readonly (ListItem<T> & { readonly from: number })[];
}

/**
 * Compares the lists of a value that was decoded with `previous` with the lists of the previous value. Returns one entry for each
 * list whose items differ, for the transactions of a data grid, or transitions by key. Lists that became part of the value as a
 * whole have no entry. Lists inside short records are not searched: the record has changed. Returns undefined if the value was not
 * compared: it was decoded without a previous value, or too much of it has changed.
 *
 * @example
 * const orders = await response.json({ previous });
 * for (const { path, added, removed, changed } of changesOf(orders) ?? []) grid.apply(path, { added, removed, changed });
 */
export function changesOf(value: unknown): ListChanges[] | undefined {
  const remembered = recall(value);
  if (!remembered?.changes) return undefined;
  const { root, changes } = remembered;
  const found: ListChanges[] = [];
  const walk = (held: Held, path: (string | number)[]): void => {
    const change = changes.get(held);
    if (change) found.push(describe(held, change, path));
    for (const [index, inner] of held.nested) walk(inner, [...path, held.isList ? index : held.keys[index]!]);
  };
  if (root) walk(root, []);
  return found;
}

function describe(held: Held, { kept, others, removed, rows }: ItemChanges, path: ListChanges['path']): ListChanges {
  const added: ListItem[] = [];
  const changed: ListChanges['changed'][number][] = [];
  const runs = [...kept];
  for (const { index, from, before } of others.toSorted((a, b) => a.index - b.index)) {
    const item = itemOf(held, index);
    if (from < 0) added.push({ index, item });
    else if (!Object.is(item, before)) changed.push({ index, item, before, from });
    // Other bytes of the same value.
    else runs.push(index, from, 1);
  }
  const moved = movedRuns(runs).flatMap(({ index, from, count }) =>
    Array.from({ length: count }, (_, offset) => ({ index: index + offset, item: itemOf(held, index + offset), from: from + offset })),
  );
  return {
    path,
    list: held.value as unknown[] | RowsList,
    added,
    removed: rows ? removed.map(({ index }) => ({ index, item: rows.at(index) })) : removed,
    changed,
    moved,
  };
}
