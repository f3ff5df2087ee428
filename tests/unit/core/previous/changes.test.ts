/** The result of `changesOf` for random edits accounts for the difference between two lists. */
import { expect, test } from 'vitest';
import json from '../../../../core/formats/json/index.ts';
import { changesOf, type ListChanges } from '../../../../core/previous/changes.ts';
import { decodeSync } from '../../../../main/sync.ts';
import fc from '../../../setup/properties/property.ts';

interface Item {
  id: number;
  name: string;
}

const bytesOf = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

/** Decodes two values, the second with the first as the previous one. */
function decodeTwo<T>(before: T, after: T, key?: string): { first: T; second: T; changes: ListChanges[] | undefined } {
  const first = decodeSync<T>(json, bytesOf(before), { previous: undefined });
  const second = decodeSync<T>(json, bytesOf(after), { previous: first, key });
  return { first, second, changes: changesOf(second) };
}

const items = fc.uniqueArray(fc.record({ id: fc.nat(99), name: fc.constantFrom('a', 'b', 'c') }), { selector: ({ id }) => id, maxLength: 40 });

test('accounts for every item of both lists', () => {
  fc.assert(
    fc.property(items, items, fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]), fc.constantFrom(undefined, 'id'), (before, others, order, key) => {
      // Some of the items in another order, then others.
      const after = [...order.flatMap((index) => before[index] ?? []), ...before.slice(10), ...others.slice(0, 5)];
      const { first, second, changes } = decodeTwo<Item[]>(before, after, key);
      if (first === second) {
        expect(changes).toEqual([]);
        return;
      }
      const { added, removed, changed, moved, path } = changes![0] as ListChanges<Item>;
      expect(path).toEqual([]);
      for (const { index, item } of removed) expect(item).toBe(first[index]);
      for (const { index, item } of added) expect(item).toBe(second[index]);
      for (const { index, item, from, before: earlier } of changed) {
        expect(item).toBe(second[index]);
        expect(earlier).toBe(first[from]);
        expect(item).not.toBe(earlier);
        if (key) expect(item.id).toBe(earlier.id);
      }
      for (const { index, item, from } of moved) {
        expect(item).toBe(second[index]);
        expect(item).toBe(first[from]);
      }
      const gone = new Set([...removed.map(({ index }) => index), ...[...changed, ...moved].map(({ from }) => from)]);
      const come = new Set([...added, ...changed, ...moved].map(({ index }) => index));
      const stayed = first.filter((_, index) => !gone.has(index));
      expect(stayed.length + gone.size).toBe(first.length);
      second.filter((_, index) => !come.has(index)).forEach((item, index) => expect(item).toBe(stayed[index]));
      expect(second.length - come.size).toBe(stayed.length);
    }),
    { numRuns: 1000 },
  );
});

test('says that one item has moved, not all that it has passed', () => {
  const list = Array.from({ length: 10 }, (_, id) => ({ id, name: 'a' }));
  const { changes } = decodeTwo<Item[]>(list, [list[9]!, ...list.slice(0, 9)]);
  expect(changes).toMatchObject([{ moved: [{ index: 0, from: 9 }], added: [], removed: [], changed: [] }]);
});

test('lets each earlier item stand for one item at most where a record repeats', () => {
  const record = (id: number): Item => ({ id, name: 'a' });
  const before = [4, 5, 7].map(record);
  // Enough new records in a row, which occur before, for those that have moved to be looked for by their bytes.
  const head = Array.from({ length: 34 }, () => 4);
  for (const repeated of [
    [5, 7, 7],
    [7, 5, 7, 7],
    [5, 7, 7, 5],
    [4, 5, 7, 4, 7, 5],
    [5, ...Array.from({ length: 20 }, () => 7)],
  ]) {
    const after = [...head, ...repeated].map(record);
    const { first, second, changes } = decodeTwo<Item[]>(before, after);
    expect(second).toEqual(after);
    const { added, removed, changed, moved } = changes![0]! as ListChanges<Item>;
    const come = new Set([...added, ...changed, ...moved].map(({ index }) => index));
    const stayed = second.filter((_, index) => !come.has(index));
    const from = [...[...changed, ...moved].map((change) => change.from), ...stayed.map((item) => first.indexOf(item))];
    expect(new Set(from).size).toBe(from.length);
    expect(from.length + removed.length).toBe(before.length);
    expect(stayed.length + changed.length + moved.length + added.length).toBe(after.length);
    expect(new Set(second).size).toBe(second.length);
  }
});

test('names the list by its path', () => {
  const wide = (id: number): Item => ({ id, name: 'a'.repeat(2000) });
  const list = Array.from({ length: 20 }, (_, id) => wide(id));
  const { changes, second } = decodeTwo({ data: { items: list }, other: list }, { data: { items: list.with(3, wide(77)) }, other: list });
  expect(changes).toMatchObject([{ path: ['data', 'items'], changed: [{ index: 3, from: 3, item: { id: 77 }, before: { id: 3 } }] }]);
  expect(changes![0]!.list).toBe(second.data.items);
});

test('follows a short list of a document through every refetch, also when it becomes empty or null', () => {
  const list = Array.from({ length: 12 }, (_, id) => ({ id, name: 'a' }));
  const [first, second, third] = [list.slice(0, 1), list.slice(1, 4), list.slice(4)];
  const document = (items: Item[] | null): object => ({ total: 7, page: { items } });
  let value = decodeSync<{ page: { items: Item[] | null } }>(json, bytesOf(document(list)), { previous: undefined });
  const counts: (readonly number[])[] = [];
  for (const items of [[...second, ...third], [], [...first, ...third], null, list, [...third, ...second, { id: 99, name: 'b' }]]) {
    const before = value.page.items ?? [];
    value = decodeSync(json, bytesOf(document(items)), { previous: value });
    expect(value).toEqual(document(items));
    const [change] = changesOf(value)!;
    counts.push(change ? [change.added.length, change.removed.length, change.changed.length, change.moved.length] : []);
    const kept = (value.page.items ?? []).filter((item) => before.includes(item));
    if (change) expect(kept).toHaveLength(items!.length - change.added.length - change.changed.length);
  }
  expect(counts).toEqual([[0, 1, 0, 0], [0, 11, 0, 0], [9, 0, 0, 0], [], [], [1, 1, 0, 3]]);
});

test('changesOf returns undefined for values that were not compared, and nothing if nothing has changed', () => {
  for (const value of [undefined, 7, {}, decodeSync(json, bytesOf([1])), decodeSync(json, bytesOf([{}]), { previous: undefined })]) {
    expect(changesOf(value)).toBeUndefined();
  }
  const { second } = decodeTwo([{ id: 1 }], [{ id: 2 }]);
  expect(changesOf(second)).toHaveLength(1);
  expect(changesOf(decodeSync(json, bytesOf([{ id: 2 }]), { previous: second }))).toEqual([]);
});
