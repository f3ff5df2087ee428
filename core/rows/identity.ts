import type { Group } from './read-block.ts';

/** Records that were returned by row of their group, while the application holds them. */
type Known = Map<number, WeakRef<object>>;

const known = new WeakMap<Group, Known>();

/** Removes entries of records that were collected. */
const collected = new FinalizationRegistry<{ records: Known; row: number }>(({ records, row }) => {
  // The row may have a newer record by now.
  if (records.get(row)?.deref() === undefined) records.delete(row);
});

/** Returns the record of a row that was returned before and is still alive; otherwise builds it. */
export function sameRecord(group: Group, row: number, build: () => object): object {
  let records = known.get(group);
  const alive = records?.get(row)?.deref();
  if (alive) return alive;
  if (!records) known.set(group, (records = new Map()));
  const record = build();
  records.set(row, new WeakRef(record));
  collected.register(record, { records, row });
  return record;
}

/** Replaces new records of a range of rows by those that were returned before and are still alive. */
export function keepSame(group: Group, from: number, built: object[]): object[] {
  const records = known.get(group);
  if (!records || records.size === 0) return built;
  if (records.size < built.length) {
    for (const [row, reference] of records) if (row >= from && row < from + built.length) built[row - from] = reference.deref() ?? built[row - from]!;
  } else for (let at = 0; at < built.length; at++) built[at] = records.get(from + at)?.deref() ?? built[at]!;
  return built;
}
