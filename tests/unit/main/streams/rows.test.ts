import { expect, onTestFinished, test, vi } from 'vitest';
import { createDecoder } from '../../../../main/decoder/create-decoder.ts';
import { ROW_LIST } from '../../../../core/values/record-list.ts';
import * as fc from '../../../setup/properties/fast-check.ts';
import { assertSame } from '../../../setup/ways/differential.ts';
import { type StreamRow, streamRow } from '../../../setup/servers/stream-rows.ts';

const decoder = createDecoder();
const list = Array.from({ length: 5_000 }, (_, index) => streamRow(index));
const text = JSON.stringify({ trips: list });

function stream(whole: string, size: number, fails?: Error): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(whole);
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return fails ? controller.error(fails) : controller.close();
      controller.enqueue(bytes.slice(at, (at += size)));
    },
  });
}

test('growing rows always read like an array', async () => {
  const lengths: number[] = [];
  const rows = await decoder.growingRows<StreamRow>(stream(text, 20_000), {
    format: 'json',
    path: 'trips',
    onRows: (so, added) => {
      lengths.push(so.length);
      assertSame(so.at(-1), list[so.length - 1]);
      assertSame(so.at(so.length - added), list[so.length - added]);
    },
  });
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.length).toBeLessThan(5_000);
  expect(rows.complete).toBe(false);
  expect(await rows.done).toBe(rows);
  expect(rows.complete).toBe(true);
  expect(lengths.length).toBeGreaterThan(3);
  expect(lengths.at(-1)).toBe(5_000);
  assertSame(rows.toArray(), list);
  assertSame(rows.slice(2_990, 3_010).toArray(), list.slice(2_990, 3_010));
  assertSame(
    [...(rows.column('station') ?? [])],
    list.map(({ station }) => station),
  );
  expect(rows.column('at')).toBeInstanceOf(Int32Array);
  assertSame(rows.columnNames, Object.keys(list[0]!));
  assertSame(await rows.toArrayAsync(), list);
});

test('growing rows tell their subscribers of each change, with a snapshot that stays the same until then', async () => {
  const rows = await decoder.growingRows<StreamRow>(stream(text, 20_000), { format: 'json', path: 'trips' });
  const { subscribe, getSnapshot } = rows;
  const first = getSnapshot();
  expect(getSnapshot()).toBe(first);
  expect(first).toEqual({ rows, length: rows.length, dropped: 0, complete: false, error: undefined });
  const snapshots: (typeof first)[] = [];
  subscribe(() => snapshots.push(getSnapshot()));
  const unsubscribed = vi.fn();
  subscribe(unsubscribed)();
  await rows.done;
  const lengths = snapshots.map(({ length }) => length);
  expect(lengths).toEqual(lengths.toSorted((a, b) => a - b));
  expect(new Set(snapshots).size).toBe(snapshots.length);
  expect(snapshots.at(-1)).toEqual({ rows, length: 5_000, dropped: 0, complete: true, error: undefined });
  expect(getSnapshot()).toBe(snapshots.at(-1));
  expect(unsubscribed).not.toHaveBeenCalled();
});

test('a listener of growing rows that throws keeps neither other listeners nor the rows from going on, and its error is uncaught', async () => {
  const later: (() => void)[] = [];
  const queued = vi.spyOn(globalThis, 'queueMicrotask').mockImplementation((call) => void later.push(call));
  onTestFinished(() => queued.mockRestore());
  const [before, after] = [vi.fn(), vi.fn()];
  const error = new Error('thrown by a listener');
  const fail = (): never => {
    throw error;
  };
  const [throwing, onRows] = [vi.fn(fail), vi.fn(fail)];
  const rows = await decoder.growingRows<StreamRow>(stream(text, 20_000), { format: 'json', path: 'trips', onRows });
  for (const listener of [before, throwing, after]) rows.subscribe(listener);
  await expect(rows.done).resolves.toBe(rows);
  expect(rows.getSnapshot()).toMatchObject({ length: 5_000, complete: true, error: undefined });
  expect(after.mock.calls.length).toBeGreaterThan(1);
  for (const { mock } of [before, throwing]) expect(mock.calls).toHaveLength(after.mock.calls.length);
  expect(onRows.mock.calls.length).toBeGreaterThan(1);
  expect(later).toHaveLength(throwing.mock.calls.length + onRows.mock.calls.length);
  for (const call of later) expect(call).toThrow(error);
});

test('growing rows tell their subscribers of an error', async () => {
  const error = new Error('gone');
  const rows = await decoder.growingRows<StreamRow>(stream(text.slice(0, text.length / 2), 20_000, error), { format: 'json', path: 'trips' });
  const snapshot = await new Promise((resolve) => rows.subscribe(() => rows.getSnapshot().error !== undefined && resolve(rows.getSnapshot())));
  expect(snapshot).toEqual({ rows, length: rows.length, dropped: 0, complete: false, error });
});

test('growing rows stay available if the payload breaks off', async () => {
  const listener = vi.fn();
  const failing = stream(text.slice(0, text.length / 2), 20_000, new Error('gone'));
  const rows = await decoder.growingRows<StreamRow>(failing, { format: 'json', path: 'trips', onRows: listener });
  await expect(rows.done).rejects.toThrow('gone');
  expect(rows.complete).toBe(false);
  expect(rows.length).toBeGreaterThan(2_000);
  assertSame(rows.toArray(), list.slice(0, rows.length));
});

test('growing rows may be empty or contain other items than records, and require a list', async () => {
  const empty = await decoder.growingRows(stream('[]', 10), { format: 'json' });
  expect((await empty.done).length).toBe(0);
  await expect(decoder.growingRows(stream('{}', 10), { format: 'json' })).rejects.toMatchObject({ code: 'no-list' });
  const mixed = await decoder.growingRows(stream('[1,{"a":5},null,[{"b":6}]]', 10), { format: 'json', batchSize: 3 });
  await mixed.done;
  assertSame(mixed.toArray().slice(0, 3), [1, { a: 5 }, null]);
  assertSame(mixed.columnNames, ['a']);
  assertSame(mixed.column('a' as never), [undefined, 5, undefined, undefined]);
});

test('growing rows that keep a number of rows are the last ones of the list, whatever the batches are', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(60), fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 20 }), async (count, keep, batchSize) => {
      const all = Array.from({ length: count }, (_, id) => ({ id }));
      const held: { first: number; slice: { toArray(): unknown[] }; length: number; last: unknown }[] = [];
      const lines = all.map((row) => JSON.stringify(row)).join('\n');
      let total = 0;
      let failure: { error: unknown } | undefined;
      const rows = await decoder.growingRows<{ id: number }>(stream(lines, 50), {
        format: 'json',
        options: { sequence: true },
        batchSize,
        keep,
        onRows: (so, added) => {
          try {
            total = so.dropped + so.length;
            assertSame(so.toArray(), all.slice(Math.max(0, total - keep), total));
            expect(added).toBe(Math.min(added, batchSize, keep));
            expect(so.getSnapshot()).toMatchObject({ length: Math.min(total, keep), dropped: Math.max(0, total - keep) });
            // A batch is dropped with its last row.
            expect(so[ROW_LIST].runs!.reduce((sum, { table }) => sum + table.rows, 0)).toBeLessThan(keep + batchSize);
            for (const { last, first } of held) if (first >= so.dropped) expect(so.at(first - so.dropped)).toBe(last);
            held.push({ first: total - 1, last: so.at(-1), slice: so.slice(), length: so.length });
          } catch (error) {
            // Thrown, it would be uncaught.
            failure ??= { error };
          }
        },
      });
      await rows.done;
      if (failure) throw failure.error;
      expect(total).toBe(count);
      assertSame(
        [...(rows.column('id') ?? [])],
        rows.toArray().map(({ id }) => id),
      );
      // Slices that were taken before stay as they were.
      for (const { slice, first, length } of held) assertSame(slice.toArray(), all.slice(first + 1 - length, first + 1));
    }),
    { numRuns: 200 },
  );
});

test('growing rows read to the end what they began to read, though rows are dropped meanwhile', async () => {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const write = (from: number, to: number): Promise<void> =>
    writer.write(
      new TextEncoder().encode(
        list
          .slice(from, to)
          .map((row) => `${JSON.stringify(row)}\n`)
          .join(''),
      ),
    );
  void write(0, 100);
  const rows = await decoder.growingRows<StreamRow>(readable, { format: 'json', options: { sequence: true }, keep: 100 });
  while (rows.length < 100) await new Promise<void>((resolve) => void rows.subscribe(resolve));
  const before = rows.toArrayAsync();
  const sorted = rows.sortBy('station');
  const view = await rows.filter({ at: { gte: list[50]!.at } });
  void write(100, 300).then(() => writer.close());
  await rows.done;
  expect(rows.dropped).toBe(200);
  assertSame(rows.toArray(), list.slice(200, 300));
  assertSame(await before, list.slice(0, 100));
  expect((await sorted).length).toBe(100);
  assertSame(
    view.toArray(),
    list.slice(0, 100).filter(({ at }) => at >= list[50]!.at),
  );
});

test.each([0, 1.5, 'all'])('growing rows refuse to keep %s rows, and cancel the source', async (keep) => {
  const cancelled = vi.fn();
  const source = new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(new TextEncoder().encode('{}\n')), cancel: cancelled });
  const growing = decoder.growingRows(source, { format: 'json', options: { sequence: true }, keep: keep as number });
  await expect(growing).rejects.toThrow(`invalid option keep: ${keep}`);
  await vi.waitFor(() => expect(cancelled).toHaveBeenCalled());
});
